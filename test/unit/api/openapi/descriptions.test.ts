import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { ERROR_CATALOGUE } from '../../../../domain/error-catalogue.ts';
import { EVENT_TYPES } from '../../../../domain/events.ts';
import { PAYMENT_STATUSES } from '../../../../domain/payment-state.ts';
import { describeApi } from '../../../support/described-api.ts';

/** Parsed JSON of unknown shape. */
type Json = ReturnType<typeof JSON.parse>;

const document: Json = JSON.parse(JSON.stringify(describeApi()));

/** Members whose schemas say when a value is valid, not what it means, and examples. */
const NOT_DESCRIBED = new Set(['if', 'then', 'else', 'not', 'example', 'examples', 'default', 'enum', 'const']);
/** Members that hold named parts, each of which needs a description. */
const NAMED_PARTS = new Set(['properties', 'responses', 'headers']);

/** The shortest that says something: `A name.` does not. */
const SHORTEST = 12;

function isDescribed(part: Json): boolean {
  if (typeof part.description === 'string') return part.description.length >= SHORTEST;
  return typeof part.$ref === 'string' && isDescribed(resolve(part.$ref));
}

function resolve(reference: string): Json {
  return reference
    .slice(2)
    .split('/')
    .reduce((part: Json, key) => part[key], document);
}

/** The paths of all named parts and parameters without a description. */
function withoutDescription(part: Json, at: string): string[] {
  if (Array.isArray(part)) return part.flatMap((item, index) => withoutDescription(item, `${at}[${index}]`));
  if (typeof part !== 'object' || part === null) return [];
  return Object.entries<Json>(part).flatMap(([name, value]) => {
    if (NOT_DESCRIBED.has(name)) return [];
    const path = `${at}.${name}`;
    const parts = NAMED_PARTS.has(name) || (name === 'parameters' && Array.isArray(value)) ? Object.entries(value) : [];
    const lacking = parts.flatMap(([key, named]) => (isDescribed(named) ? [] : [`${path}.${key}`]));
    const inside = NAMED_PARTS.has(name)
      ? parts.flatMap(([key, named]) => withoutDescription(named, `${path}.${key}`))
      : withoutDescription(value, path);
    return [...lacking, ...inside];
  });
}

describe('the descriptions of the OpenAPI document', () => {
  it('cover every property, parameter, response and header', () => {
    const { paths, webhooks = {}, components } = document;
    assert.deepEqual(withoutDescription({ paths, webhooks, components }, ''), []);
  });

  it('cover every component and tag', () => {
    const { schemas, parameters, headers, responses, securitySchemes } = document.components;
    const named = Object.entries<Json>({ ...schemas, ...parameters, ...headers, ...responses, ...securitySchemes });
    const lacking = [...named.map(([name, part]) => ({ ...part, name })), ...document.tags].filter(
      (part) => !isDescribed(part),
    );
    assert.deepEqual(
      lacking.map(({ name }) => name),
      [],
    );
  });

  it('explain every error code, event type and state of a payment', () => {
    const { ErrorCode, PaymentIntent, EventPage } = document.components.schemas;
    const events: Json[] = resolve(EventPage.properties.data.items.$ref).oneOf.map(({ $ref }: Json) => resolve($ref));
    for (const [values, description] of [
      [Object.keys(ERROR_CATALOGUE), ErrorCode.description],
      [EVENT_TYPES, events.map(({ properties }) => properties.type.description).join('\n')],
      [PAYMENT_STATUSES, PaymentIntent.properties.status.description],
    ] as const) {
      assert.deepEqual(
        values.filter((value) => !description.includes(`- \`${value}\`: `)),
        [],
      );
    }
  });
});
