import { html, type Content, type Markup } from './html.ts';
import { renderText } from './markdown.ts';
import { type ApiDescription, nameOf, type Schema } from './openapi.ts';

/** Beyond it, nested members are left to the sections of their objects. */
const DEEPEST = 4;
const VALUES_IN_SIGHT = 12;

/** The members of an object as a list, or null where a schema has none. */
export function renderMembers(api: ApiDescription, given: Schema, depth = 0): Markup | null {
  const schema = flatten(api, given);
  const { properties = {}, required = [] } = schema;
  const members = Object.entries(properties).map(([name, member]) =>
    renderMember(api, member, { name, isRequired: required.includes(name), depth }),
  );
  return members.length === 0
    ? null
    : html`<ul class="members">
        ${members}
      </ul>`;
}

export interface MemberOptions {
  readonly name: string;
  readonly isRequired: boolean;
  readonly depth?: number;
  /** Instead of the description of the schema. */
  readonly description?: string | undefined;
}

/** One member of an object, or one parameter. */
export function renderMember(api: ApiDescription, given: Schema, options: MemberOptions): Markup {
  const { name, isRequired, depth = 0 } = options;
  const schema = flatten(api, given);
  const description = options.description ?? given.description ?? schema.description;
  return html`<li>
    <p class="member">
      <code class="name">${name}</code> <span class="type">${typeOf(api, given)}</span>
      ${isRequired && html`<span class="required">required</span>`}
    </p>
    ${description !== undefined && description !== '' && renderText(description)} ${renderValues(schema)}
    ${renderLimits(schema)} ${depth < DEEPEST && renderNested(api, given, depth + 1)}
  </li>`;
}

function renderNested(api: ApiDescription, given: Schema, depth: number): Content {
  const schema = flatten(api, given);
  const inner = schema.items === undefined ? schema : flatten(api, schema.items);
  const variants = variantsOf(api, inner);
  if (variants.length > 1) {
    return variants.map((variant, index) =>
      nestedMembers(api, variant, { title: variantName(api, variant, index), depth }),
    );
  }
  return nestedMembers(api, variants[0] ?? inner, { title: 'Members', depth });
}

function nestedMembers(
  api: ApiDescription,
  schema: Schema,
  { title, depth }: { title: string; depth: number },
): Content {
  const members = renderMembers(api, schema, depth);
  return (
    members !== null &&
    html`<details class="nested">
      <summary>${title}</summary>
      ${members}
    </details>`
  );
}

/** The alternatives of a union, without null. */
function variantsOf(api: ApiDescription, { oneOf, anyOf }: Schema): readonly Schema[] {
  return (oneOf ?? anyOf ?? []).filter((variant) => api.schemaOf(variant).type !== 'null');
}

function variantName(api: ApiDescription, variant: Schema, index: number): string {
  const { properties = {}, title } = flatten(api, variant);
  const constant = Object.entries(properties).find(([, { const: value }]) => typeof value === 'string');
  if (constant !== undefined) return `If ${constant[0]} is ${String(constant[1].const)}`;
  return title ?? (variant.$ref === undefined ? `Alternative ${index + 1}` : nameOf(variant.$ref));
}

/** A schema with the members of everything that it combines. */
function flatten(api: ApiDescription, given: Schema): Schema {
  const schema = api.schemaOf(given);
  const parts = (schema.allOf ?? []).map((part) => flatten(api, part));
  const [only, ...others] = variantsOf(api, schema);
  const whole =
    parts.length === 0 && only !== undefined && others.length === 0 ? [...parts, flatten(api, only)] : parts;
  if (whole.length === 0) return schema;
  return {
    ...whole.reduce((merged, part) => ({ ...merged, ...part }), {}),
    ...schema,
    oneOf: undefined,
    anyOf: undefined,
    properties: Object.fromEntries([...whole, schema].flatMap(({ properties = {} }) => Object.entries(properties))),
    required: [...whole.flatMap(({ required = [] }) => required), ...(schema.required ?? [])],
    description: schema.description ?? whole.find(({ description }) => description !== undefined)?.description,
  };
}

/** The type in words: `string or null`, `array of strings`, `PaymentAttempt`. */
function typeOf(api: ApiDescription, given: Schema): string {
  const schema = api.schemaOf(given);
  const union = schema.oneOf ?? schema.anyOf;
  if (union !== undefined) return [...new Set(union.map((part) => typeOf(api, part)))].join(' or ');
  const types = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? []);
  const names = types.map((type) => {
    if (type === 'array') return schema.items === undefined ? 'array' : `array of ${typeOf(api, schema.items)}`;
    return schema.format === undefined || type === 'null' ? type : `${type}, ${schema.format}`;
  });
  return names.join(' or ') || (schema.const === undefined ? 'any' : typeof schema.const);
}

function renderValues({ enum: values, const: constant, default: preset }: Schema): Content {
  const all = values ?? (constant === undefined ? [] : [constant]);
  const list = (some: readonly unknown[]) =>
    some.map((value, index) => [
      index > 0 && ', ',
      html`<code>${typeof value === 'string' ? value : JSON.stringify(value)}</code>`,
    ]);
  return [
    all.length > VALUES_IN_SIGHT
      ? html`<details class="nested">
          <summary>${all.length} values</summary>
          <p>${list(all)}</p>
        </details>`
      : all.length > 0 && html`<p class="facts">${all.length === 1 ? 'Always' : 'One of'} ${list(all)}</p>`,
    preset !== undefined && html`<p class="facts">Default <code>${JSON.stringify(preset)}</code></p>`,
  ];
}

const LIMITS = [
  ['minimum', 'at least'],
  ['maximum', 'at most'],
  ['minLength', 'characters at least'],
  ['maxLength', 'characters at most'],
  ['minItems', 'entries at least'],
  ['maxItems', 'entries at most'],
] as const;

function renderLimits(schema: Schema): Content {
  const limits = LIMITS.flatMap(([name, words]) => {
    const value = schema[name];
    const saysNothing =
      value === undefined || Math.abs(value) === Number.MAX_SAFE_INTEGER || (name === 'minLength' && value < 2);
    if (saysNothing) return [];
    return [name === 'minimum' || name === 'maximum' ? `${words} ${value}` : `${value} ${words}`];
  });
  return limits.length > 0 && html`<p class="facts">${capitalized(limits.join(', '))}</p>`;
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
