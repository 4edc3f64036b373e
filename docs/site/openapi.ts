import { z } from 'zod';

/** The parts of a JSON schema that the reference shows. */
export interface Schema {
  readonly $ref?: string | undefined;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly type?: string | readonly string[] | undefined;
  readonly format?: string | undefined;
  readonly enum?: readonly unknown[] | undefined;
  readonly const?: unknown;
  readonly default?: unknown;
  readonly examples?: readonly unknown[] | undefined;
  readonly minimum?: number | undefined;
  readonly maximum?: number | undefined;
  readonly minLength?: number | undefined;
  readonly maxLength?: number | undefined;
  readonly minItems?: number | undefined;
  readonly maxItems?: number | undefined;
  readonly properties?: Readonly<Record<string, Schema>> | undefined;
  readonly required?: readonly string[] | undefined;
  readonly items?: Schema | undefined;
  readonly additionalProperties?: boolean | Schema | undefined;
  readonly oneOf?: readonly Schema[] | undefined;
  readonly anyOf?: readonly Schema[] | undefined;
  readonly allOf?: readonly Schema[] | undefined;
}

const schema: z.ZodType<Schema> = z.lazy(() =>
  z.object({
    $ref: z.string().optional(),
    title: z.string().optional(),
    description: z.string().optional(),
    type: z.union([z.string(), z.array(z.string())]).optional(),
    format: z.string().optional(),
    enum: z.array(z.unknown()).optional(),
    const: z.unknown().optional(),
    default: z.unknown().optional(),
    examples: z.array(z.unknown()).optional(),
    minimum: z.number().optional(),
    maximum: z.number().optional(),
    minLength: z.number().optional(),
    maxLength: z.number().optional(),
    minItems: z.number().optional(),
    maxItems: z.number().optional(),
    properties: z.record(z.string(), schema).optional(),
    required: z.array(z.string()).optional(),
    items: schema.optional(),
    additionalProperties: z.union([z.boolean(), schema]).optional(),
    oneOf: z.array(schema).optional(),
    anyOf: z.array(schema).optional(),
    allOf: z.array(schema).optional(),
  }),
);

const reference = z.object({ $ref: z.string() });
const example = z.object({ summary: z.string().optional(), value: z.unknown() });
const media = z.object({
  schema: schema.optional(),
  example: z.unknown().optional(),
  examples: z.record(z.string(), z.union([reference, example])).optional(),
});
const content = z.record(z.string(), media);
const parameter = z.object({
  name: z.string(),
  in: z.string(),
  required: z.boolean().optional(),
  description: z.string().optional(),
  style: z.string().optional(),
  schema: schema.optional(),
});
const response = z.object({ description: z.string(), content: content.optional() });
const operation = z.object({
  operationId: z.string().optional(),
  summary: z.string().optional(),
  description: z.string().optional(),
  tags: z.array(z.string()).optional(),
  security: z.array(z.record(z.string(), z.array(z.string()))).optional(),
  parameters: z.array(z.union([reference, parameter])).optional(),
  requestBody: z.object({ description: z.string().optional(), content }).optional(),
  responses: z.record(z.string(), z.union([reference, response])).optional(),
  'x-codeSamples': z.array(z.object({ lang: z.string(), label: z.string().optional(), source: z.string() })).optional(),
});
const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;
const pathItem = z.object(
  Object.fromEntries(METHODS.map((method) => [method, operation.optional()])) as Record<
    (typeof METHODS)[number],
    z.ZodOptional<typeof operation>
  >,
);
const described = z.object({
  info: z.object({ title: z.string(), version: z.string(), description: z.string().optional() }),
  tags: z.array(z.object({ name: z.string(), description: z.string().optional() })),
  paths: z.record(z.string(), pathItem),
  webhooks: z.record(z.string(), pathItem).optional(),
  components: z.object({
    schemas: z.record(z.string(), schema),
    parameters: z.record(z.string(), parameter).default({}),
    responses: z.record(z.string(), response).default({}),
    examples: z.record(z.string(), example).default({}),
  }),
});

type Parameter = z.infer<typeof parameter>;
export type Response = z.infer<typeof response>;
type Media = z.infer<typeof media>;
type DescribedOperation = z.infer<typeof operation>;

export interface Operation extends DescribedOperation {
  readonly id: string;
  /** In capitals. */
  readonly method: string;
  /** For a webhook, the type of the event. */
  readonly path: string;
  readonly isWebhook: boolean;
}

export interface NamedExample {
  readonly title: string;
  readonly value: unknown;
}

/** An OpenAPI document, with its references resolved on demand. */
export interface ApiDescription {
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  /** Webhooks too. */
  readonly operations: readonly Operation[];
  readonly errorExamples: ReadonlyMap<string, unknown>;
  schemaOf(schema: Schema): Schema;
  parametersOf(operation: Operation): readonly Parameter[];
  responsesOf(operation: Operation): readonly (readonly [status: string, response: Response])[];
  examplesOf(media: Media | undefined): readonly NamedExample[];
}

/** Reads an OpenAPI document. @throws ZodError when it lacks what every OpenAPI document has */
export function readApiDescription(document: unknown): ApiDescription {
  const { tags, paths, webhooks = {}, components } = described.parse(document);
  const named = <Value>(group: Readonly<Record<string, Value>>, ref: string): Value => {
    const value = group[nameOf(ref)];
    if (value === undefined) throw new Error(`${ref} is not in the document`);
    return value;
  };
  return {
    tags: tags.map(({ name, description = '' }) => ({ name, description })),
    operations: [...operationsOf(paths, false), ...operationsOf(webhooks, true)],
    errorExamples: new Map(Object.entries(components.examples).map(([name, { value }]) => [name, value])),
    schemaOf: (given) =>
      given.$ref === undefined ? given : { ...named(components.schemas, given.$ref), ...withoutReference(given) },
    parametersOf: ({ parameters = [] }) =>
      parameters.map((given) => ('$ref' in given ? named(components.parameters, given.$ref) : given)),
    responsesOf: ({ responses = {} }) =>
      Object.entries(responses).map(([status, given]) => [
        status,
        '$ref' in given ? named(components.responses, given.$ref) : given,
      ]),
    examplesOf: (given) => {
      if (given?.examples === undefined)
        return given?.example === undefined ? [] : [{ title: '', value: given.example }];
      return Object.entries(given.examples).map(([name, entry]) => {
        const { summary = name, value } = '$ref' in entry ? named(components.examples, entry.$ref) : entry;
        return { title: summary, value };
      });
    },
  };
}

/** The name at the end of a reference. */
export function nameOf(ref: string): string {
  return ref.slice(ref.lastIndexOf('/') + 1);
}

function operationsOf(paths: z.infer<typeof described>['paths'], isWebhook: boolean): Operation[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const found = item[method];
      return found === undefined
        ? []
        : [{ ...found, id: found.operationId ?? `${method}-${path}`, method: method.toUpperCase(), path, isWebhook }];
    }),
  );
}

function withoutReference({ $ref: _, ...rest }: Schema): Schema {
  return rest;
}
