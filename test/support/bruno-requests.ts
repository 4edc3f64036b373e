import bruno from '@usebruno/lang';
import { z } from 'zod';
import { RESOURCES } from '../../sdk/server/resources.ts';
import { type ClientDocument, clientDocument, type ClientOperation, inputOf } from './client-sources.ts';

/** Of the project. */
export const BRUNO_COLLECTION = 'sdk/bruno';

const requestBodySchema = z.looseObject({
  content: z.object({
    'application/json': z.looseObject({
      examples: z.record(z.string(), z.looseObject({ value: z.looseObject({}) })).default({}),
    }),
  }),
});
const parameterSchema = z.looseObject({ in: z.string(), name: z.string(), style: z.string().optional() });

/** A request for each operation, as files of Bruno by their paths below the project's root. */
export function brunoRequests(openApiDocument: unknown): ReadonlyMap<string, string> {
  const document = clientDocument(openApiDocument);
  const operations = new Map(
    Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(
        ([method, operation]) => [operation.operationId, { method, path, operation }] as const,
      ),
    ),
  );
  const ids = new Set(Object.keys(RESOURCES).map(idOf));
  const files = Object.entries(RESOURCES).flatMap(([resource, methods]) =>
    Object.entries<string>(methods).flatMap(([name, id], index) => {
      const located = operations.get(id);
      if (located === undefined) return [];
      const file = `${BRUNO_COLLECTION}/${kebabCase(resource)}/${kebabCase(name)}.bru`;
      return [[file, requestFile({ ...located, resource, seq: index + 1, ids, document })] as const];
    }),
  );
  return new Map(files);
}

interface Described {
  readonly method: string;
  readonly path: string;
  readonly operation: ClientOperation;
  readonly resource: string;
  /** The place in its folder, from 1. */
  readonly seq: number;
  /** The variables that a resource's id may be taken from. */
  readonly ids: ReadonlySet<string>;
  readonly document: ClientDocument;
}

function requestFile({ method, path, operation, resource, seq, ids, document }: Described): string {
  const hasBody = inputOf(operation, document) === 'body';
  const { parameters = [] } = operation;
  const queries = parameters.filter((parameter) => parameter.in === 'query').map((each) => parameterSchema.parse(each));
  const target = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => `{{${name === 'id' ? idOf(resource) : name}}}`);
  return bruno.jsonToBruV2({
    meta: { name: nameOf(operation), type: 'http', seq },
    http: { method, url: `{{baseUrl}}${target}`, body: hasBody ? 'json' : 'none', auth: 'none' },
    params: queries.map(({ name, style }) => ({
      // Bruno has no object parameters: each pair is a parameter, whose key the user changes.
      name: style === 'deepObject' ? `${name}[key]` : name,
      value: '',
      enabled: false,
      type: 'query',
    })),
    ...(hasBody ? { body: { json: bodyOf(operation, ids) } } : {}),
    // The script signs the URL, which has to be sent as it is.
    settings: { encodeUrl: false },
  });
}

/** The first example, with variables for ids, and for the year, which passes. */
function bodyOf({ requestBody }: ClientOperation, ids: ReadonlySet<string>): string {
  const [example] = Object.values(requestBodySchema.parse(requestBody).content['application/json'].examples);
  const text = JSON.stringify(
    example?.value ?? {},
    (name, value: unknown) => (ids.has(name) ? `{{${name}}}` : value),
    2,
  );
  return text.replaceAll(/(?<="expiryYear": )\d+/g, '{{expiryYear}}');
}

/** `createPaymentIntent` → `Create payment intent` */
function nameOf({ operationId }: ClientOperation): string {
  const words = operationId.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

/** `paymentIntents` → `paymentIntentId` */
function idOf(resource: string): string {
  return `${resource.replace(/s$/, '')}Id`;
}

function kebabCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
