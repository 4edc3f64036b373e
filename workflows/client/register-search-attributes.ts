import { encodeSearchAttributeIndexedValueType } from '@temporalio/common/lib/search-attributes.js';
import type { NativeConnection } from '@temporalio/worker';
import { SEARCH_ATTRIBUTES } from '../search-attributes.ts';

type Attribute = (typeof SEARCH_ATTRIBUTES)[keyof typeof SEARCH_ATTRIBUTES];

const ATTRIBUTES: readonly Attribute[] = Object.values(SEARCH_ATTRIBUTES);

/** Registers the search attributes of payments that the namespace does not have yet. */
export async function registerSearchAttributes(connection: NativeConnection, namespace: string): Promise<void> {
  await addSearchAttributes(connection, namespace, await missingSearchAttributes(connection, namespace));
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
  if (attributes.length === 0) return;
  const types = attributes.map(({ name, type }) => [name, encodeSearchAttributeIndexedValueType(type) ?? 0] as const);
  await operatorService.addSearchAttributes({ namespace, searchAttributes: Object.fromEntries(types) });
}
