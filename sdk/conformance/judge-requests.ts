import assert from 'node:assert/strict';
import { createHash, createHmac } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { ClientSettings, ReceivedRequest } from './scenario.ts';

const CLOCK_TOLERANCE_MS = 5 * 60_000;

/**
 * What holds for every request of every client: it is signed as the documentation says, and all tries of a POST have one
 * idempotency key.
 * @throws AssertionError
 */
export function judgeRequests(received: readonly ReceivedRequest[], settings: ClientSettings): void {
  for (const request of received) {
    judgeHeaders(request, settings);
    judgeSignature(request, settings);
  }
  const nonces = received.flatMap(({ headers }) => headers['x-nonce'] ?? []);
  assert.equal(new Set(nonces).size, nonces.length, 'a nonce is sent twice');
  const keys = received.filter(({ method }) => method === 'POST').map(({ headers }) => headers['x-idempotency-key']);
  assert.ok(new Set(keys).size <= 1, `the tries have the idempotency keys ${keys.join(', ')}`);
}

function judgeHeaders({ method, headers, body }: ReceivedRequest, { apiKey }: ClientSettings): void {
  assert.equal(headers.authorization, `Bearer ${apiKey}`);
  assert.match(textOf(headers, 'user-agent'), /\S/);
  const sentAt = Date.parse(textOf(headers, 'x-timestamp'));
  assert.ok(Math.abs(Date.now() - sentAt) < CLOCK_TOLERANCE_MS, `X-Timestamp is ${textOf(headers, 'x-timestamp')}`);
  if (body.length > 0) assert.match(textOf(headers, 'content-type'), /^application\/json\b/);
  const key = headers['x-idempotency-key'];
  if (method === 'POST')
    assert.match(textOf(headers, 'x-idempotency-key'), /^\S{1,255}$/, 'a POST needs an idempotency key');
  else assert.equal(key, undefined, `a ${method} has no idempotency key`);
}

function judgeSignature({ method, target, headers, body }: ReceivedRequest, settings: ClientSettings): void {
  const { secretSalt, signatureVersion = 2 } = settings;
  const hmac = createHmac('sha256', secretSalt);
  const timestamp = textOf(headers, 'x-timestamp');
  if (signatureVersion === 1) {
    assert.equal(headers['x-secret-salt'], secretSalt);
    hmac.update(timestamp).update(body.length === 0 ? '{}' : body);
  } else {
    assert.equal(headers['x-secret-salt'], undefined, 'version 2 never sends the secret salt');
    const nonce = textOf(headers, 'x-nonce');
    assert.match(nonce, /^\S{16,}$/);
    const context = [textOf(headers, 'x-merchant-id'), textOf(headers, 'x-idempotency-key')];
    const bodyHash = createHash('sha256').update(body).digest('hex');
    hmac.update(['v2', method, target, timestamp, nonce, ...context, bodyHash].join('\n'));
  }
  assert.equal(headers['x-signature'], hmac.digest('hex'), 'X-Signature');
}

/** The value of a header; empty without it, or where it is sent more than once. */
function textOf(headers: IncomingHttpHeaders, name: string): string {
  const value = headers[name];
  return typeof value === 'string' ? value : '';
}
