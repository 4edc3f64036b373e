import assert from 'node:assert/strict';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { ERROR_CATALOGUE } from '../../../../domain/error-catalogue.ts';
import { POLICY_PAGES } from '../../../../domain/policy-report.ts';
import { EVENT_TYPES } from '../../../../domain/events.ts';
import { nameOf as routeOf } from '../../../support/api-operations.ts';
import { describeApi, describeOperations, mountedApp } from '../../../support/described-api.ts';
import { SESSION_OPERATIONS } from '../../../support/session-operations.ts';
import { mountedRoutes } from '../../../support/mounted-routes.ts';

/** Pages for people and their files, which the document does not describe. */
const PAGES = /^GET \/(docs|demo|sdk\/checkout|\.well-known)(\/|$)/;
/** Mounted for every path below it, to answer with an error. */
const REFUSED = /^OPTIONS /;
/** Sockets, which OpenAPI cannot describe; a plain request is rejected. */
const SOCKETS = 'GET /api/v1/events/socket';
/** For addresses that the operator allows; clients find no such path. */
const FOR_OPERATORS = 'GET /metrics';

/** The code of the advisory, and those of unsupported methods and media types. */
const OF_NO_OPERATION = ['PAYMENT_STUCK', 'METHOD_NOT_ALLOWED', 'NOT_ACCEPTABLE'];
const RECORD = 'run npm run record-examples';

/** Parsed JSON of unknown shape. */
type Json = ReturnType<typeof JSON.parse>;

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;

const document = JSON.parse(JSON.stringify(describeApi()));
const operations = Object.entries<Json>(document.paths).flatMap(([path, item]) =>
  METHODS.filter((method) => item[method] !== undefined).map((method) => ({
    name: `${method.toUpperCase()} ${path}`,
    operation: item[method],
  })),
);

const ajv = formats.default(new Ajv2020({ strict: false, allErrors: true }));
ajv.addSchema(document, 'openapi.json');

/** Checks a value against a schema of the document, whose references are local to it. */
function problemsOf(schema: object, value: unknown): unknown {
  const absolute = JSON.parse(JSON.stringify(schema).replaceAll('"#/components/', '"openapi.json#/components/'));
  const validate = ajv.compile(absolute);
  return validate(value) ? [] : validate.errors;
}

describe('the OpenAPI document', () => {
  it('has every mounted route but those of sessions, and no other', () => {
    const ofSessions = SESSION_OPERATIONS.map((each) => routeOf(each).replace(' /', ' /api/v1/'));
    const ofBrowsers = POLICY_PAGES.map((page) => `POST /policy-reports/${page}`);
    const undescribed = [SOCKETS, FOR_OPERATORS, ...ofBrowsers, ...ofSessions];
    const mounted = mountedRoutes(mountedApp()).filter(
      (route) => !PAGES.test(route) && !REFUSED.test(route) && !undescribed.includes(route),
    );
    assert.deepEqual(operations.map(({ name }) => name).sort(), mounted);
  });

  it('gives the payment intent of an error the client secret that a failed creation has', () => {
    const { schemas } = document.components;
    const name = schemas.ErrorDetails.properties.paymentIntent.$ref.split('/').at(-1);
    const { properties, required } = schemas[name];
    assert.deepEqual(properties, schemas.CreatedPaymentIntent.properties);
    assert.ok(!required.includes('clientSecret'));
  });

  it('is not served, nor the page that shows it, where the settings say so', () => {
    const page = { path: '/docs', type: 'text/html', isImmutable: false, content: Buffer.alloc(0) };
    const ofDocument = (docsSite: readonly (typeof page)[] | null) =>
      mountedRoutes(mountedApp({ docsSite })).filter((route) => /^GET \/(docs|openapi)/.test(route));
    assert.deepEqual(ofDocument([page]).sort(), ['GET /docs', 'GET /openapi.json']);
    assert.deepEqual(ofDocument(null), []);
  });

  it('gives each operation a unique id', () => {
    const names = operations.map(({ operation }) => operation.operationId);
    assert.equal(new Set(names).size, names.length);
  });

  it('has every code of the catalogue', () => {
    assert.deepEqual([...document.components.schemas.ErrorCode.enum].sort(), Object.keys(ERROR_CATALOGUE).sort());
  });

  it('lists each code under its own status only', () => {
    for (const { name, operation } of operations) {
      for (const [status, response] of Object.entries<Json>(operation.responses)) {
        for (const code of codesOf(response)) {
          assert.equal(String(Reflect.get(ERROR_CATALOGUE, code).status), status, `${name}: ${code}`);
        }
      }
    }
  });

  it('lists the codes that the operations declare', () => {
    for (const { method, path, errors } of describeOperations()) {
      const { responses } = document.paths[`/api/v1${path}`][method];
      const documented = Object.values<Json>(responses).flatMap(codesOf);
      assert.deepEqual(
        errors.filter((code) => !documented.includes(code)),
        [],
        `${method} ${path}`,
      );
    }
  });

  it('has valid examples of requests and responses, which were recorded', () => {
    for (const { name, operation } of operations) {
      const success = Object.entries<Json>(operation.responses).find(([status]) => status.startsWith('2'))?.[1];
      for (const content of [operation.requestBody?.content['application/json'], success.content['application/json']]) {
        if (content !== undefined) assertValidExamples(content, name);
      }
    }
  });

  it('has a webhook for each type of event, with a valid example', () => {
    assert.deepEqual(Object.keys(document.webhooks), EVENT_TYPES);
    for (const [type, { post }] of Object.entries<Json>(document.webhooks)) {
      assertValidExamples(post.requestBody.content['application/json'], type);
    }
  });

  it('has the request headers of each operation', () => {
    for (const { name, operation } of operations.filter(isSigned)) {
      assert.ok(hasParameter(operation, 'X-Merchant-ID'), name);
      assert.equal(hasParameter(operation, 'X-Idempotency-Key'), name.startsWith('POST '), name);
    }
    const waiting = describeOperations().filter(({ waits }) => waits);
    assert.deepEqual(
      operations.filter(({ operation }) => hasParameter(operation, 'Prefer')).map(nameOf),
      waiting.map(({ operationId }) => operationId),
    );
  });

  it('has request id and rate limit on every response, and the retry time where it is known', () => {
    for (const { name, operation } of operations) {
      for (const [status, response] of Object.entries<Json>(operation.responses)) {
        const headers = Object.keys(resolve(response).headers);
        const expected = [
          'X-Request-Id',
          'X-Engine-Request-Id',
          'X-RateLimit-Limit',
          'X-RateLimit-Remaining',
          'X-RateLimit-Reset',
        ];
        if (status === '429' || status === '503') expected.push('Retry-After');
        for (const header of expected) assert.ok(headers.includes(header), `${name} ${status}: ${header}`);
      }
    }
  });

  it('has a valid example of every error', () => {
    for (const { name, operation } of operations) {
      for (const [status, response] of Object.entries<Json>(operation.responses)) {
        if (status < '400') continue;
        const { schema, examples = {} } = resolve(response).content['application/json'];
        for (const example of Object.values<Json>(examples)) {
          if (example.$ref === undefined) assert.deepEqual(problemsOf(schema, example.value), [], `${name} ${status}`);
        }
        const shown = Object.values<Json>(examples).map((example) => resolve(example).value.error.code);
        assert.deepEqual([...new Set(shown)].sort(), codesOf(response).sort(), `${name}: ${RECORD}`);
      }
    }
    assert.deepEqual(
      Object.keys(document.components.examples).sort(),
      Object.keys(ERROR_CATALOGUE)
        .filter((code) => !OF_NO_OPERATION.includes(code))
        .sort(),
      RECORD,
    );
    for (const example of Object.values<Json>(document.components.examples)) {
      assert.deepEqual(problemsOf({ $ref: '#/components/schemas/ErrorResponse' }, example.value), []);
    }
  });

  it('requires all four parts of a signature below /api/v1, except for provider webhooks', () => {
    for (const { name, operation } of operations) {
      const isOurs = name.includes(' /api/v1/') && !name.includes('/providers/');
      assert.equal(isSigned({ operation }), isOurs, name);
    }
  });
});

function assertValidExamples({ schema, examples }: Json, name: string): void {
  assert.notDeepEqual(Object.keys(examples), [], `${name}: add it to test/examples, and ${RECORD}`);
  for (const [title, { value }] of Object.entries<Json>(examples)) {
    assert.deepEqual(problemsOf(schema, value), [], `${name}: ${title}; ${RECORD}`);
  }
}

function isSigned({ operation }: { readonly operation: Json }): boolean {
  return operation.security.some((needed: object) => Object.keys(needed).length === 4);
}

function hasParameter(operation: Json, name: string): boolean {
  return (operation.parameters ?? []).some((parameter: Json) => resolve(parameter).name === name);
}

function nameOf({ operation }: { readonly operation: Json }): string {
  return operation.operationId;
}

function resolve(value: Json): Json {
  if (typeof value?.$ref !== 'string') return value;
  return value.$ref
    .slice(2)
    .split('/')
    .reduce((part: Json, key: string) => part[key], document);
}

function codesOf(response: Json): string[] {
  return resolve(response)['x-error-codes'] ?? [];
}
