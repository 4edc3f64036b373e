import type { oas31 } from 'zod-openapi';
import { SUPPORTED_CURRENCIES } from '../../domain/currencies.ts';
import { ID_PREFIXES, type ResourceKind } from '../../domain/ids.ts';
import { PAYMENT_METHOD_TYPES } from '../../domain/payment.ts';
import { PROVIDER_KIND_NAMES } from '../../domain/provider-account.ts';
import type { ApiOperation } from '../resources/api-operation.ts';

/** Headers of requests, by the name of their component. */
export const PARAMETER_COMPONENTS = {
  MerchantId: {
    name: 'X-Merchant-ID',
    in: 'header',
    description: 'The merchant account to act for; without it, the one that the API key was issued to.',
    schema: { type: 'string', pattern: '^mer_[A-Za-z0-9_]{1,64}$' },
  },
  IdempotencyKey: {
    name: 'X-Idempotency-Key',
    in: 'header',
    description: 'Makes the request safe to retry: for 24 hours a repeat with the same key gets the stored response.',
    schema: {
      type: 'string',
      minLength: 1,
      maxLength: 255,
      pattern: '^[\\x21-\\x7e]([\\x20-\\x7e]*[\\x21-\\x7e])?$',
    },
  },
  Prefer: {
    name: 'Prefer',
    in: 'header',
    description: '`respond-async`: respond at once instead of waiting for the outcome (by default up to 15 seconds).',
    schema: { type: 'string', examples: ['respond-async'] },
  },
} as const satisfies Record<string, oas31.ParameterObject>;

/** The kind of id in the paths of each resource. */
const KIND_OF_RESOURCE: Readonly<Record<string, ResourceKind>> = {
  'payment-intents': 'paymentIntent',
  transactions: 'transaction',
  refunds: 'refund',
  disputes: 'dispute',
  settlements: 'settlement',
  customers: 'customer',
  'payment-methods': 'savedPaymentMethod',
  merchants: 'merchantAccount',
  'api-keys': 'apiKey',
  'payment-routes': 'paymentRoute',
  'card-groups': 'cardGroup',
  'route-sets': 'routeSet',
  events: 'event',
  'audit-events': 'auditEvent',
  requests: 'request',
  'reconciliation-runs': 'reconciliationRun',
  'webhook-endpoints': 'webhookEndpoint',
};

const OTHER_PATH_PARAMETERS: Readonly<Record<string, oas31.ParameterObject>> = {
  entryId: {
    name: 'entryId',
    in: 'path',
    description: `The id of the entry, which begins with \`${ID_PREFIXES.settlementEntry}_\`.`,
    schema: { type: 'string', pattern: `^${ID_PREFIXES.settlementEntry}_[0-9a-f]{32}$` },
  },
  paymentMethod: {
    name: 'paymentMethod',
    in: 'path',
    description: 'The payment method: `card`, `upi` or `crypto`.',
    schema: { type: 'string', enum: [...PAYMENT_METHOD_TYPES] },
  },
  provider: {
    name: 'provider',
    in: 'path',
    description: 'The name of the provider.',
    schema: { type: 'string' },
  },
  currency: {
    name: 'currency',
    in: 'path',
    description: 'The currency as its ISO 4217 code, in upper case: `EUR`.',
    schema: { type: 'string', enum: [...SUPPORTED_CURRENCIES] },
  },
};

/** What the ids of a resource look like. */
interface IdForm {
  readonly beginsWith: string;
  readonly pattern: string;
  readonly example: string;
}

const EXAMPLE = '0197f3c29a4b7d1e8c5f60718293a4b5';

function idFormOf(resource: string): IdForm | undefined {
  if (resource === 'provider-accounts') {
    const beginsWith = `its kind, such as \`${PROVIDER_KIND_NAMES[0]}\``;
    const pattern = `^(${PROVIDER_KIND_NAMES.join('|')})_[0-9a-f]{32}$`;
    return { beginsWith, pattern, example: `${PROVIDER_KIND_NAMES[0]}_${EXAMPLE}` };
  }
  const kind = KIND_OF_RESOURCE[resource];
  if (kind === undefined) return undefined;
  const prefix = ID_PREFIXES[kind];
  return {
    beginsWith: `\`${prefix}_\``,
    pattern: `^${prefix}_[0-9a-f]{32}(_[0-9]{1,4})?$`,
    example: `${prefix}_${EXAMPLE}`,
  };
}

/** The names of the variable parts of a path. */
function pathParameterNames(path: string): readonly string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
}

/** Path and header parameters of an operation; those of the query come from its schema. */
export function parametersOf(operation: ApiOperation): (oas31.ParameterObject | oas31.ReferenceObject)[] {
  return [
    ...pathParameterNames(operation.path).map((name) => pathParameter(operation.resource, name)),
    { $ref: '#/components/parameters/MerchantId' },
    ...(operation.method === 'post' ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : []),
    ...(operation.waits ? [{ $ref: '#/components/parameters/Prefer' }] : []),
  ];
}

function pathParameter(resource: string, name: string): oas31.ParameterObject {
  const other = OTHER_PATH_PARAMETERS[name];
  if (other !== undefined) return { ...other, required: true };
  const form = idFormOf(resource);
  return {
    name,
    in: 'path',
    required: true,
    description:
      form === undefined ? 'Names the resource.' : `The id of the resource, which begins with ${form.beginsWith}.`,
    schema: { type: 'string', ...(form === undefined ? {} : { pattern: form.pattern, examples: [form.example] }) },
  };
}
