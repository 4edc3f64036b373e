import { VERSION_1_LEAVES_OPEN } from '../../contract/schemas/api-key.ts';
import {
  createDocument,
  createSchema,
  type oas31,
  type ZodOpenApiObject,
  type ZodOpenApiOverrideContext,
  type ZodOpenApiPathsObject,
} from 'zod-openapi';
import type { ApiOperation } from '../resources/api-operation.ts';
import { failedPaymentIntentResource } from '../../contract/schemas/payment-intent-resource.ts';
import { type ComponentNames, nameComponents } from './component-names.ts';
import { errorResponse } from './envelopes.ts';
import { errorExamples, sharedErrorResponses } from './error-responses.ts';
import { describeOperation } from './operation.ts';
import { publicOperations } from './public-operations.ts';
import { PARAMETER_COMPONENTS } from './parameters.ts';
import { HEADER_COMPONENTS } from './response-headers.ts';
import { WEBHOOK_PARAMETER_COMPONENTS, webhooks } from './webhooks.ts';

export type OpenApiDocument = ReturnType<typeof createDocument>;

/** Where the endpoints are mounted. */
const API_PREFIX = '/api/v1';

const DESCRIPTION = `
Takes payments for merchants through upstream providers.

Amounts are whole numbers in the currency's minor unit (JPY 0, USD 2, KWD 3 decimals). Times are ISO 8601 in UTC.
Unknown members of requests are rejected; clients must tolerate unknown members of responses.

**Signature version 2**, of new API keys. \`X-Signature\` is HMAC-SHA256, keyed with the secret salt,
in hexadecimal digits, over eight lines joined by line feeds: \`v2\`, the method, path and query, \`X-Timestamp\`,
\`X-Nonce\`, \`X-Merchant-ID\`, \`X-Idempotency-Key\` (each of these two empty if it is not sent), and the SHA-256 of the body in
hexadecimal digits. Each request has a new nonce, each retry too: a nonce that was used before gives
\`INVALID_SIGNATURE\`. \`X-Secret-Salt\` must not be sent.

**Signature version 1**, of API keys that were made with \`signatureVersion: 1\`, and of checkout pages. \`X-Signature\` is HMAC-SHA256 over \`X-Timestamp\` followed by the body, keyed with the secret salt, in
hexadecimal digits. A request without a body signs \`{}\`. The signature covers the bytes of the body as they are sent. The timestamp
may be 5 minutes off. ${VERSION_1_LEAVES_OPEN}

**Retries.** \`RATE_LIMIT_EXCEEDED\`, \`TSP_TIMEOUT\`, \`TSP_UNAVAILABLE\`, \`INTERNAL_ERROR\` and \`SERVICE_UNAVAILABLE\` may be
retried after 1, 2 and 4 seconds, and not before \`Retry-After\`; send a POST again with the same \`X-Idempotency-Key\`.

**Methods.** The response to an unsupported method is \`METHOD_NOT_ALLOWED\` with the header \`Allow\`.

**Media types.** Responses are \`application/json\`; some lists are \`text/csv\` too. An \`Accept\` header that allows neither gets
\`NOT_ACCEPTABLE\`; parameters of its media types, such as \`charset\`, make no difference.
`.trim();

/** The SPDX form for a licence that SPDX does not list; programs read both members. */
const LICENSE = { name: 'LicenseRef-UNLICENSED', identifier: 'LicenseRef-UNLICENSED' };

const SECURITY_SCHEMES = {
  bearer: {
    type: 'http',
    scheme: 'bearer',
    description: '`Authorization: Bearer svc_test_…` in the sandbox, `svc_live_…` in production.',
  },
  timestamp: headerScheme(
    'X-Timestamp',
    "The time of the request, ISO 8601 in UTC, at most 5 minutes from the server's: `2026-11-22T12:00:00Z`.",
  ),
  secretSalt: headerScheme(
    'X-Secret-Salt',
    'The secret salt that came with the API key; for signature version 1, and never sent for version 2.',
  ),
  nonce: headerScheme('X-Nonce', '16 to 64 letters, digits, `_` or `-`, new in each request; for signature version 2.'),
  signature: headerScheme(
    'X-Signature',
    'HMAC-SHA256 in hexadecimal digits, keyed with the secret salt: of version 1 over time and body, of version 2 over ' +
      'the eight lines that the description of this document names.',
  ),
} as const satisfies Record<string, oas31.SecuritySchemeObject>;

function headerScheme(name: string, description: string): oas31.SecuritySchemeObject {
  return { type: 'apiKey', in: 'header', name, description };
}

const TAG_DESCRIPTIONS: Readonly<Record<string, string>> = {
  'payment-intents': 'Payments, from creation to outcome.',
  'payment-links': 'Addresses at which customers pay an amount, on a page of the engine.',
  transactions: 'Authorizations, captures, voids and refunds of money.',
  refunds: 'Refunds of captured money.',
  disputes: "Disputes: a customer's bank asks about a payment, or takes its money back.",
  settlements: "What providers pay to the merchant's bank, and the entries of which it consists.",
  customers: 'The customers who pay.',
  'payment-methods': 'Cards that are kept for customers, who have agreed to it.',
  merchants: 'The accounts of a merchant.',
  'api-keys': 'API keys with their scopes and IP allowlists.',
  'provider-accounts': "The merchant account's own accounts at providers: credentials, tests, webhook addresses.",
  'payment-routes': 'Rules that decide which provider gets a payment.',
  'card-groups': 'Groups of cards by the first digits of their numbers, which routes can ask for.',
  'route-sets':
    'All routes at one time: several are changed, back-tested and activated at once, and those before can be returned to.',
  'routing-settings': 'How routes of equal priority are ordered: by weight, or by approval rate.',
  'channel-limits': 'Smallest and largest amount of a payment method in a currency.',
  'webhook-endpoints': 'Addresses that receive events.',
  events: 'Immutable records of what happened to resources.',
  'audit-events': "The audit log: who changed which of the merchant's settings, when and how.",
  'provider-health': 'Provider health: the attempts of the last hour, and the circuit breakers.',
  statistics: 'Volume, approval rates, failures and refunds over time.',
  'test-clock': 'The test clock of a sandbox account, which makes its payments older.',
  'reconciliation-runs': "Comparisons of providers' lists of payments with the engine's, and what differs.",
  requests: 'The request log: requests that changed something or failed, with masked bodies, kept for 7 days.',
  webhooks: 'What the engine posts to webhook endpoints. `POST /webhook-endpoints` registers one.',
  service: 'The service itself. These operations need no API key.',
};

/** The address of the sandbox that `npm start` runs. */
const DEFAULT_SERVER = 'http://127.0.0.1:3000';

/**
 * The OpenAPI document of these operations and of those that need no API key.
 * @param serverUrl the origin of the API as its clients see it
 */
export function createOpenApiDocument(
  operations: readonly ApiOperation[],
  serverUrl: string = DEFAULT_SERVER,
): OpenApiDocument {
  const names = nameComponents(operations);
  const tags = [...new Set([...operations.map(({ resource }) => resource), 'webhooks', 'service'])];
  const description: ZodOpenApiObject = {
    openapi: '3.1.1',
    info: {
      title: 'Payment engine',
      version: '1.0.0',
      description: DESCRIPTION,
      license: LICENSE,
    },
    servers: [{ url: serverUrl }],
    tags: tags.map((name) => ({ name, description: TAG_DESCRIPTIONS[name] ?? '' })),
    security: [],
    paths: { ...pathsOf(operations, names), ...publicOperations() },
    webhooks: webhooks(),
    components: {
      schemas: { ...names.schemas, FailedPaymentIntent: failedPaymentIntentResource, ...errorSchemas() },
      responses: sharedErrorResponses(),
      parameters: { ...PARAMETER_COMPONENTS, ...WEBHOOK_PARAMETER_COMPONENTS },
      headers: HEADER_COMPONENTS,
      securitySchemes: SECURITY_SCHEMES,
      examples: Object.fromEntries(Object.entries(errorExamples())),
    },
  };
  return dropUnusedOutputs(mergeNullUnions(createDocument(description, { override: tolerate })));
}

/** zod-openapi makes both forms of a request's schemas: as they are sent, and as they are parsed, which nothing refers to. */
function dropUnusedOutputs(document: OpenApiDocument): OpenApiDocument {
  const { schemas = {} } = document.components ?? {};
  const kept = Object.entries(schemas).filter(([name]) => !name.endsWith('Output'));
  const references = JSON.stringify({ ...document, components: { ...document.components, schemas: kept } });
  for (const name of Object.keys(schemas)) {
    if (name.endsWith('Output') && !references.includes(`"#/components/schemas/${name}"`)) delete schemas[name];
  }
  return document;
}

/** Only error responses refer to these, and they do so by name. */
function errorSchemas() {
  return createSchema(errorResponse, { io: 'output', opts: { override: tolerate } }).components;
}

/** Responses may gain members, and a reader understands a format better than the pattern that checks it. */
function tolerate({ jsonSchema, io, zodSchema }: ZodOpenApiOverrideContext): void {
  const { def } = zodSchema._zod;
  if (io === 'output' && def.type === 'object' && def.catchall === undefined) delete jsonSchema.additionalProperties;
  if (jsonSchema.format !== undefined) delete jsonSchema.pattern;
  // Generated Python clients would compare the value with the text "true".
  if (typeof jsonSchema.const === 'boolean') delete jsonSchema.const;
  if (jsonSchema.type === 'integer') sizeInteger(jsonSchema);
}

/** Says how many bits a whole number needs, so that clients in Java, Go and C# can hold every amount. */
function sizeInteger(schema: ZodOpenApiOverrideContext['jsonSchema']): void {
  schema.format = 'int64';
  // Every number is within what JSON's readers can hold exactly; only narrower limits are worth saying.
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
}

function pathsOf(operations: readonly ApiOperation[], names: ComponentNames): ZodOpenApiPathsObject {
  const paths: ZodOpenApiPathsObject = {};
  for (const operation of operations) {
    const path = `${API_PREFIX}${operation.path}`;
    paths[path] = { ...paths[path], [operation.method]: describeOperation(operation, names) };
  }
  return paths;
}

/**
 * Says `type: [string, null]` wherever a document has a union of one schema with null, which some client generators
 * cannot read. Only references have to stay unions. Changes the document in place.
 */
function mergeNullUnions<Document extends object>(document: Document): Document {
  for (const value of Object.values(document)) {
    if (isObject(value)) mergeNullUnions(value);
  }
  mergeNullUnion(document);
  return document;
}

function mergeNullUnion(schema: object): void {
  if (!('anyOf' in schema) || !Array.isArray(schema.anyOf)) return;
  const union: readonly unknown[] = schema.anyOf;
  const [inner, alternative, ...others] = union;
  if (others.length > 0 || !isObject(alternative) || !('type' in alternative) || alternative.type !== 'null') return;
  if (!isObject(inner) || !('type' in inner) || typeof inner.type !== 'string') return;
  delete schema.anyOf;
  // The union's own description is more exact than that of its member.
  Object.assign(schema, { ...inner, ...schema }, { type: [inner.type, 'null'] });
  if (!('enum' in inner) || !Array.isArray(inner.enum)) return;
  const values: readonly unknown[] = inner.enum;
  Object.assign(schema, { enum: [...values, null] });
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
