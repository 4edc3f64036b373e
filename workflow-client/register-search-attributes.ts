import { setTimeout as sleep } from 'node:timers/promises';
import { encodeSearchAttributeIndexedValueType } from '@temporalio/common/lib/search-attributes.js';
import type { NativeConnection } from '@temporalio/worker';
import { SECOND_MS } from '../domain/time.ts';
import { SEARCH_ATTRIBUTES } from '../protocol/search-attributes.ts';

type Attribute = (typeof SEARCH_ATTRIBUTES)[keyof typeof SEARCH_ATTRIBUTES];

const ATTRIBUTES: readonly Attribute[] = Object.values(SEARCH_ATTRIBUTES);

/** Temporal's services read every 2 s which attributes a namespace has, and refuse workflows with others. */
const KNOWN_AFTER_MS = 2.5 * SECOND_MS;

/** Registers the search attributes of payments that the namespace does not have yet, and waits until they can be used. */
export async function registerSearchAttributes(connection: NativeConnection, namespace: string): Promise<void> {
  const missing = await missingSearchAttributes(connection, namespace);
  if (missing.length === 0) return;
  await addSearchAttributes(connection, namespace, missing);
  await sleep(KNOWN_AFTER_MS);
}

/** The search attributes of payments that the namespace does not have. */
export async function missingSearchAttributes(
  { operatorService }: Pick<NativeConnection, 'operatorService'>,
  namespace: string,
): Promise<readonly Attribute[]> {
  const { customAttributes } = await operatorService.listSearchAttributes({ namespace });
  return ATTRIBUTES.filter(({ name }) => !(name in customAttributes));
}

/** Adds search attributes to a namespace that does not have them. */
export async function addSearchAttributes(
  { operatorService }: NativeConnection,
  namespace: string,
  attributes = ATTRIBUTES,
): Promise<void> {
  const types = attributes.map(({ name, type }) => [name, encodeSearchAttributeIndexedValueType(type) ?? 0] as const);
  await operatorService.addSearchAttributes({ namespace, searchAttributes: Object.fromEntries(types) });
}
