import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import { LARGEST_PAGE, readAll, RequestError, send } from '../../../../dashboard/app/core/request.ts';

const { fetch: realFetch } = globalThis;

/** Answers requests with these responses, one after the other. @returns how many there were */
function answerWith(...responses: readonly Response[]): () => number {
  let asked = 0;
  globalThis.fetch = () => {
    const response = responses[asked];
    asked += 1;
    return response === undefined ? Promise.reject(new Error('one request too many')) : Promise.resolve(response);
  };
  return () => asked;
}

const refusal = (retryAfter: string) =>
  new Response(JSON.stringify({ error: { code: 'RATE_LIMIT_EXCEEDED', message: 'Too many requests.' } }), {
    status: 429,
    headers: { 'Retry-After': retryAfter },
  });
const success = () => new Response('{"data":1}');
const isLimited = (error: unknown) => error instanceof RequestError && error.code === 'RATE_LIMIT_EXCEEDED';

describe('a page that is refused because of its limit', () => {
  afterEach(() => {
    globalThis.fetch = realFetch;
  });

  it('waits as long as it is told to, and goes on', async () => {
    const asked = answerWith(refusal('0'), refusal('0'), success());
    assert.deepEqual(await send('/api/v1/me'), { data: 1 });
    assert.equal(asked(), 3);
  });

  it('tells the person of a long wait, and of the refusal of a change, at once', async () => {
    const asked = answerWith(refusal('900'));
    await assert.rejects(send('/auth/options'), isLimited);
    assert.equal(asked(), 1);
    answerWith(refusal('0'));
    await assert.rejects(send('/auth/sign-in/email', { method: 'POST' }), isLimited);
  });

  it('stops waiting when it is left', async () => {
    answerWith(refusal('60'));
    const leaving = new AbortController();
    const sent = send('/api/v1/me', { signal: leaving.signal });
    setImmediate(() => leaving.abort());
    await assert.rejects(sent, { name: 'AbortError' });
  });
});

describe('a list that is read as a whole', () => {
  for (const total of [0, 3, LARGEST_PAGE, 2 * LARGEST_PAGE + 1]) {
    it(`has all of ${total} rows, page after page`, async () => {
      const all = Array.from({ length: total }, (_each, index) => ({ id: String(index) }));
      const call = (_path: string, options: { query?: Readonly<Record<string, unknown>> } = {}) => {
        const from = Number(options.query?.['startingAfter'] ?? -1) + 1;
        return Promise.resolve({ data: all.slice(from, from + LARGEST_PAGE), pagination: { total } });
      };
      assert.deepEqual(await readAll('team-members', call), all);
    });
  }
});
