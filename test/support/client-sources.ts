import openapiTS, { astToString } from 'openapi-typescript';
import { z } from 'zod';

const GENERATED = 'sdk/server/generated';
const NOTICE = '// Written by `npm run generate` from the OpenAPI document.\n';

const contentSchema = z.looseObject({
  content: z.object({ 'application/json': z.looseObject({ schema: z.unknown() }) }),
});
const operationSchema = z.looseObject({
  operationId: z.string(),
  security: z.array(z.unknown()),
  parameters: z.array(z.looseObject({ in: z.string().optional() })).optional(),
  requestBody: contentSchema.optional(),
  responses: z.record(z.string(), z.unknown()),
});
const documentSchema = z.looseObject({
  paths: z.record(z.string(), z.record(z.string(), operationSchema)),
  components: z.looseObject({
    schemas: z.record(z.string(), z.unknown()),
    parameters: z.record(z.string(), z.unknown()),
  }),
});
const parameterSchema = z.looseObject({
  in: z.string(),
  name: z.string(),
  required: z.boolean().optional(),
  schema: z.unknown(),
});
/** Enums that may gain values without a new version of the client. */
const OPEN_SCHEMAS = {
  Currency: { type: 'string', description: 'ISO 4217, upper case.' },
  Country: { type: 'string', description: 'ISO 3166-1 alpha-2, upper case.' },
  NullableCountry: { type: ['string', 'null'], description: 'ISO 3166-1 alpha-2, upper case, or null.' },
};
export type ClientDocument = z.infer<typeof documentSchema>;
export type ClientOperation = z.infer<typeof operationSchema>;

/** The generated sources of the server client, by their paths below the project's root. */
export async function clientSources(openApiDocument: unknown): Promise<ReadonlyMap<string, string>> {
  const document = clientDocument(openApiDocument);
  // A default means that a request may leave the member out.
  const types = await openapiTS(JSON.stringify(document), { defaultNonNullable: false });
  return new Map([
    [`${GENERATED}/api.ts`, `${NOTICE}${astToString(types)}`],
    [`${GENERATED}/schemas.ts`, `${NOTICE}${namedTypes(document)}`],
    [`${GENERATED}/operations.ts`, `${NOTICE}${operationTable(document)}`],
  ]);
}

/** What clients are generated from. */
export function clientDocument(openApiDocument: unknown): ClientDocument {
  return forClient(documentSchema.parse(JSON.parse(JSON.stringify(openApiDocument))));
}

/** The signed operations with their success responses; all failures have one type. */
function forClient(document: ClientDocument): ClientDocument {
  const paths = Object.entries(document.paths).map(([at, operations]) => [
    at,
    Object.fromEntries(
      Object.entries(operations)
        .filter(([, { security }]) => security.length > 0)
        .map(([method, operation]) => [method, { ...operation, responses: goodAnswers(operation) }]),
    ),
  ]);
  const { schemas } = document.components;
  const parameters = Object.entries(document.components.parameters).filter(([name]) => !name.startsWith('Webhook'));
  return {
    ...document,
    webhooks: {},
    paths: Object.fromEntries(paths),
    components: { schemas: { ...schemas, ...OPEN_SCHEMAS }, parameters: Object.fromEntries(parameters) },
  };
}

function goodAnswers({ responses }: ClientOperation): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(responses)
      .filter(([status]) => status.startsWith('2'))
      .map(([status, response]) => [status, { description: '', content: contentSchema.parse(response).content }]),
  );
}

/** A type for each schema; the methods of the client have taken the resources out of the envelopes. */
function namedTypes({ components }: ClientDocument): string {
  const lines = Object.keys(withoutEnvelopes(components.schemas)).map(
    (name) => `export type ${name} = Schemas['${name}'];\n`,
  );
  return `import type { components } from './api.ts';\n\ntype Schemas = components['schemas'];\n\n${lines.join('')}`;
}

export function withoutEnvelopes(schemas: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(schemas).filter(([, schema]) => !isEnvelope(schema)));
}

function isEnvelope(schema: unknown): boolean {
  const { properties = {} } = z.looseObject({ properties: z.looseObject({}).optional() }).parse(schema);
  return 'success' in properties;
}

function operationTable(document: ClientDocument): string {
  const lines = Object.entries(document.paths).flatMap(([at, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const how = { method: method.toUpperCase(), path: at, input: inputOf(operation, document) };
      return `  ${operation.operationId}: ${JSON.stringify(how)},\n`;
    }),
  );
  return [
    '/** How each operation is sent; `input` is where its content goes. */\n',
    `export const OPERATIONS = {\n${lines.join('')}} as const;\n`,
  ].join('');
}

/** Where the content of a request goes. */
export function inputOf(
  { parameters = [], requestBody }: ClientOperation,
  document: ClientDocument,
): 'query' | 'body' | 'none' {
  if (requestBody !== undefined && hasMembers(requestBody.content['application/json'].schema, document)) return 'body';
  return parameters.some((parameter) => parameter.in === 'query') ? 'query' : 'none';
}

/** Some actions take an object without members, which need not be sent. */
function hasMembers(schema: unknown, document: ClientDocument): boolean {
  const { $ref, properties } = z
    .looseObject({ $ref: z.string().optional(), properties: z.record(z.string(), z.unknown()).optional() })
    .parse(schema);
  if ($ref !== undefined) return hasMembers(document.components.schemas[$ref.split('/').at(-1) ?? ''], document);
  return Object.keys(properties ?? {}).length > 0;
}

/** An operation, and where it is. */
export interface LocatedOperation {
  readonly method: string;
  readonly path: string;
  readonly operation: ClientOperation;
}

export function operationsOf(document: ClientDocument): LocatedOperation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
}

export function queryParametersOf({ parameters = [] }: ClientOperation) {
  return parameters
    .filter((parameter) => parameter.in === 'query')
    .map((parameter) => parameterSchema.parse(parameter));
}

/** Without the full stop. */
export function summaryOf(operation: ClientOperation): string {
  return z.looseObject({ summary: z.string() }).parse(operation).summary.replace(/\.$/, '');
}
