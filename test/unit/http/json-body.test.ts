import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { ApiError } from '../../../domain/api-error.ts';
import { parseJsonBody } from '../../../http/json-body.ts';

const JSON_TYPE = 'application/json';

describe('JSON body', () => {
  it('is {} for a request without a body, whatever its type', () => {
    assert.deepEqual(parseJsonBody(Buffer.alloc(0), undefined), {});
  });

  for (const type of [
    JSON_TYPE,
    'Application/JSON',
    'application/json; charset=utf-8',
    'application/json;charset="UTF-8"',
  ]) {
    it(`is read as ${type}`, () => assert.deepEqual(parseJsonBody(Buffer.from('{"a":"ü"}'), type), { a: 'ü' }));
  }

  for (const [reason, bytes, type] of [
    ['content_type', Buffer.from('{}'), undefined],
    ['content_type', Buffer.from('{}'), 'text/plain'],
    ['content_type', Buffer.from('{}'), 'application/jsonp'],
    ['content_type', Buffer.from('{}'), 'application/json; charset=utf-16'],
    ['encoding', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), JSON_TYPE],
    ['malformed_json', Buffer.from('{"a":'), JSON_TYPE],
    ['malformed_json', Buffer.from('{}{}'), JSON_TYPE],
    ['not_an_object', Buffer.from('[]'), JSON_TYPE],
    ['not_an_object', Buffer.from('null'), JSON_TYPE],
    ['not_an_object', Buffer.from('"text"'), JSON_TYPE],
    ['too_deep', Buffer.from(`{"a":${'['.repeat(200_000)}${']'.repeat(200_000)}}`), JSON_TYPE],
    [
      'too_many_values',
      Buffer.from(`{${Array.from({ length: 10_001 }, (_, index) => `"k${index}":1`).join()}}`),
      JSON_TYPE,
    ],
    ['duplicate_member', Buffer.from('{"amount":1,"amount":2}'), JSON_TYPE],
    ['duplicate_member', Buffer.from('{"amount":1,"\\u0061mount":1}'), JSON_TYPE],
    ['duplicate_member', Buffer.from('{"a":[{"b":[1,2,{}],"c":",","b":[]}]}'), JSON_TYPE],
    ['duplicate_member', Buffer.from('{"__proto__":1,"__proto__":2}'), JSON_TYPE],
    ['too_many_values', Buffer.from(`{"a":[${'[1],'.repeat(10_000)}1]}`), JSON_TYPE],
  ] as const) {
    it(`is rejected as ${reason}: ${bytes.subarray(0, 12).toString('latin1')} ${type ?? 'no type'}`, () => {
      assert.throws(
        () => parseJsonBody(bytes, type),
        (error) => error instanceof ApiError && error.code === 'INVALID_REQUEST' && error.details?.reason === reason,
      );
    });
  }

  for (const [text, fault] of [
    ['{"amount":', 'ends too soon'],
    ['{"name":"A', 'ends too soon'],
    ['{"amount":1,}', 'is not JSON from character 12 on'],
    ['{"amount":None}', 'is not JSON'],
    [`{"name":'A'}`, 'is not JSON'],
  ] as const) {
    it(`is said to be a text that ${fault}: ${text}`, () =>
      assert.throws(() => parseJsonBody(Buffer.from(text), JSON_TYPE), {
        message: new RegExp(`^Expected valid JSON; got a text that ${fault}\\. `),
      }));
  }

  it('may have any number of commas in its strings', () => {
    const text = `${','.repeat(20_000)}\\",`;
    assert.deepEqual(parseJsonBody(Buffer.from(JSON.stringify({ text })), JSON_TYPE), { text });
  });

  it('is what the text says, whatever object it is of', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 5 })), (body) => {
        const text = JSON.stringify(body);
        assert.deepEqual(parseJsonBody(Buffer.from(text), JSON_TYPE), JSON.parse(text));
      }),
    );
  });

  it('is parsed or rejected, and never anything else, for any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 100 }), (bytes) => {
        try {
          assert.equal(typeof parseJsonBody(Buffer.from(bytes), JSON_TYPE), 'object');
        } catch (error) {
          assert.ok(error instanceof ApiError);
        }
      }),
    );
  });
});
