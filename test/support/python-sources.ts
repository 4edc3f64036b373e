import { createHash } from 'node:crypto';
import { z } from 'zod';
import { RESOURCES } from '../../sdk/server/resources.ts';
import {
  type ClientDocument,
  clientDocument,
  type ClientOperation,
  inputOf,
  type LocatedOperation,
  operationsOf,
  queryParametersOf,
  summaryOf,
  withoutEnvelopes,
} from './client-sources.ts';

const GENERATED = 'sdk/python/payment_engine/generated';

export const PYTHON_TYPES = `${GENERATED}/types.py`;
export const PYTHON_RESOURCES = `${GENERATED}/resources.py`;

const NOTICE = 'Written by `npm run generate` from the OpenAPI document.';
const refSchema = z.looseObject({ $ref: z.string() });
const contentSchema = z.looseObject({ content: z.object({ 'application/json': z.object({ schema: refSchema }) }) });
const envelopeSchema = z.object({
  properties: z.object({
    data: z.union([refSchema, z.looseObject({ items: refSchema })]),
    pagination: refSchema.optional(),
  }),
});
/** Conditions between members; types cannot have them. */
const CONDITIONS = new Set(['if', 'then', 'else']);

export interface PythonSources {
  /** The methods of the client, as `PYTHON_RESOURCES` has them. */
  readonly resources: string;
  /** The schemas that `PYTHON_TYPES` is generated from: an OpenAPI document without operations. */
  readonly schemas: string;
  /** The first lines of `PYTHON_TYPES`, which name the schemas by their hash. */
  readonly typesHeader: string;
}

/** What the Python client is generated from, or as. */
export function pythonSources(openApiDocument: unknown): PythonSources {
  const document = clientDocument(openApiDocument);
  const schemas = JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Types', version: '1' },
    paths: {},
    components: { schemas: { ...namedSchemas(document), ...querySchemas(document) } },
  });
  const hash = createHash('sha256').update(schemas).digest('hex');
  return {
    resources: resourcesModule(document),
    schemas,
    typesHeader: `# ${NOTICE}\n# SHA-256 of its schemas: ${hash}`,
  };
}

/** The schemas without the conditions between members, which types cannot have. */
function namedSchemas({ components }: ClientDocument): Record<string, unknown> {
  const simplify = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(simplify);
    if (typeof value !== 'object' || value === null) return value;
    const kept = Object.entries(value).filter(([name]) => !CONDITIONS.has(name));
    return Object.fromEntries(kept.map(([name, member]) => [name, simplify(member)]));
  };
  return mapValues(withoutEnvelopes(components.schemas), simplify);
}

function querySchemas(document: ClientDocument): Record<string, unknown> {
  const queries = operationsOf(document).flatMap(({ operation }) => {
    const parameters = queryParametersOf(operation);
    const properties = Object.fromEntries(parameters.map(({ name, schema }) => [name, schema]));
    const required = parameters.filter((parameter) => parameter.required === true).map(({ name }) => name);
    return parameters.length === 0 ? [] : [[queryName(operation), { type: 'object', properties, required }] as const];
  });
  return Object.fromEntries(queries);
}

function resourcesModule(document: ClientDocument): string {
  const byId = new Map(operationsOf(document).map((located) => [located.operation.operationId, located]));
  const classes = Object.entries(RESOURCES).map(([name, operations]) => {
    const methods = Object.entries<string>(operations).flatMap(([method, id]) => {
      const located = byId.get(id);
      return located === undefined ? [] : methodSource(method, located, document);
    });
    return `class ${capitalized(name)}(Resource):\n${methods.join('\n')}`;
  });
  const attributes = Object.keys(RESOURCES).map(
    (name) => `        self.${snakeCase(name)} = ${capitalized(name)}(transport)\n`,
  );
  return [
    `"""The operations of the engine by resource. ${NOTICE}"""\n`,
    'from __future__ import annotations\n',
    'from collections.abc import Iterator, Sequence\nfrom typing import Unpack\n',
    'from ..resource import CallOptions, Page, Resource\nfrom ..transport import Transport\nfrom . import types\n\n',
    ...classes.map((source) => `${source}\n`),
    `class Resources:\n    def __init__(self, transport: Transport) -> None:\n${attributes.join('')}`,
  ].join('\n');
}

function methodSource(name: string, { method, path, operation }: LocatedOperation, document: ClientDocument): string[] {
  const variables = [...path.matchAll(/\{(\w+)\}/g)].map(([, variable = '']) => variable);
  const input = inputOf(operation, document);
  const { type, element } = resultOf(operation, document);
  const content = contentOf(operation, input);
  const parameters = ['self', ...variables.map((variable) => `${snakeCase(variable)}: str`), ...content.parameters];
  const values = variables.map((variable) => `"${variable}": ${snakeCase(variable)}`).join(', ');
  const call = (function_: string) =>
    `self.${function_}("${method}", "${path}", {${values}}, options${content.argument})`;
  const define = (as: string, result: string, summary: string, body: string) =>
    `    def ${as}(${[...parameters, '**options: Unpack[CallOptions]'].join(', ')}) -> ${result}:\n` +
    `        """${summary}."""\n        return ${body}\n`;
  const sources = [define(snakeCase(name), type, summaryOf(operation), call('_send'))];
  if (element === undefined) return sources;
  const iterated = name === 'list' ? 'iterate' : `iterate_${snakeCase(name)}`;
  return [...sources, define(iterated, `Iterator[${element}]`, `${summaryOf(operation)}: all pages`, call('_iterate'))];
}

function contentOf(operation: ClientOperation, input: 'query' | 'body' | 'none') {
  if (input === 'none') return { parameters: [], argument: '' };
  if (input === 'query') {
    return { parameters: [`query: types.${queryName(operation)} | None = None`], argument: ', query=query' };
  }
  const { requestBody } = operation;
  const type = `types.${nameOf(contentSchema.parse(requestBody).content['application/json'].schema)}`;
  const isRequired = z.looseObject({ required: z.boolean().optional() }).parse(requestBody).required === true;
  return isRequired
    ? { parameters: [`body: ${type}`], argument: ', body=body' }
    : { parameters: [`body: ${type} | None = None`], argument: ', body=body or {}' };
}

/** What a method returns: what the envelope has as `data`, or a page of it. */
function resultOf({ responses }: ClientOperation, { components }: ClientDocument) {
  const [success] = Object.values(responses);
  const { schema } = contentSchema.parse(success).content['application/json'];
  const { data, pagination } = envelopeSchema.parse(components.schemas[nameOf(schema)]).properties;
  const list = z.looseObject({ items: refSchema }).safeParse(data).data;
  const element = `types.${nameOf(list?.items ?? refSchema.parse(data))}`;
  if (list === undefined) return { type: element };
  // A method may be called `list`, so the class cannot name the built-in type.
  return pagination === undefined ? { type: `Sequence[${element}]` } : { type: `Page[${element}]`, element };
}

function queryName({ operationId }: ClientOperation): string {
  return `${capitalized(operationId)}Query`;
}

function nameOf({ $ref }: { readonly $ref: string }): string {
  return $ref.slice($ref.lastIndexOf('/') + 1);
}

function capitalized(name: string): string {
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}

function snakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function mapValues<Value, Result>(record: Readonly<Record<string, Value>>, map: (value: Value) => Result) {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value)]));
}
