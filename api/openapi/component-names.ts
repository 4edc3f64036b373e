import { z } from 'zod';
import type { ApiOperation } from '../resources/api-operation.ts';
import { pageEnvelope, successEnvelope } from './envelopes.ts';

/** Gives each schema of the endpoints one name, so that the types of generated clients read well. */
export interface ComponentNames {
  /** Schemas by the name of their component, for those that carry no `id` themselves. */
  readonly schemas: Readonly<Record<string, z.ZodType>>;
  /** The envelope of an operation's response. */
  envelopeOf(operation: ApiOperation): z.ZodType;
}

/**
 * The name of a schema is, in this order: the `id` in its own `meta`; its `object` member; the operation's name.
 * Bodies are called after their operation: `CreateRefundRequest`.
 */
export function nameComponents(operations: readonly ApiOperation[]): ComponentNames {
  const names = new Map<z.ZodType, string>();
  const envelopes = new Map<string, z.ZodType>();
  const envelopeByOperation = new Map<ApiOperation, z.ZodType>();

  const nameOf = (schema: z.ZodType, preferred: readonly string[]): string => {
    const known = schema.meta()?.id ?? names.get(schema);
    if (known !== undefined) return known;
    const taken = new Set(names.values());
    const name = preferred.find((name) => !taken.has(name)) ?? `${preferred[0]}${names.size}`;
    names.set(schema, name);
    return name;
  };

  for (const operation of operations) {
    const typeName = pascalCase(operation.operationId);
    if (operation.body !== null && operation.method !== 'delete') nameOf(operation.body, [`${typeName}Request`]);
    const { item, isArray } = itemOf(operation);
    const itemName = nameOf(item, [...preferredNames(item), `${typeName}${isArray ? 'Item' : 'Result'}`]);
    const name = `${itemName}${isArray ? 'List' : ''}${operation.isList ? 'Page' : 'Response'}`;
    const envelope =
      envelopes.get(name) ??
      (operation.isList ? pageEnvelope(name, item) : successEnvelope(name, operation.responseData));
    envelopes.set(name, envelope);
    envelopeByOperation.set(operation, envelope);
  }

  return {
    schemas: Object.fromEntries([...names].map(([schema, name]) => [name, schema])),
    envelopeOf: (operation) => {
      const envelope = envelopeByOperation.get(operation);
      if (envelope === undefined) throw new Error(`${operation.operationId} is not one of the operations`);
      return envelope;
    },
  };
}

function itemOf({ responseData }: ApiOperation): { readonly item: z.ZodType; readonly isArray: boolean } {
  return responseData instanceof z.ZodArray && responseData.element instanceof z.ZodType
    ? { item: responseData.element, isArray: true }
    : { item: responseData, isArray: false };
}

/** `PaymentIntent` for `object: 'payment_intent'`, `DeletedCustomer` if the schema also has `deleted: true`. */
function preferredNames(schema: z.ZodType): string[] {
  if (!(schema instanceof z.ZodObject)) return [];
  const { object } = schema.shape;
  if (!(object instanceof z.ZodLiteral) || typeof object.value !== 'string') return [];
  return [`${'deleted' in schema.shape ? 'Deleted' : ''}${pascalCase(object.value)}`];
}

/** `payment-intents`, `payment_intent` or `createRefund` as a type is called: `PaymentIntents`, `PaymentIntent`, `CreateRefund`. */
export function pascalCase(words: string): string {
  return words
    .split(/[-_ ]/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
}
