import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { hashSecret } from '../../../../vault/key-secret.ts';
import { sign, signV2 } from '../../../../http/authentication/signature.ts';
import { signatureOfV2 } from '../../../../sdk/server/sign.ts';
import { isSignedBy } from '../../../support/signed-by.ts';

const text = fc.stringMatching(/^[\x21-\x7e]{1,60}$/);
const body = fc.uint8Array({ minLength: 1, maxLength: 200 }).map((bytes) => Buffer.from(bytes));

function signed(salt: string, timestamp: string, rawBody: Buffer) {
  return { timestamp, rawBody, salt, signature: sign(salt, timestamp, rawBody).toString('hex') };
}

/** The bytes with one bit flipped. */
function flipped(bytes: Buffer, position: number): Buffer {
  const copy = Buffer.from(bytes);
  const bit = position % (copy.length * 8);
  copy.set([(copy.at(bit >> 3) ?? 0) ^ (1 << (bit & 7))], bit >> 3);
  return copy;
}

describe('signature', () => {
  it('is HMAC-SHA256 over timestamp and body, keyed with the salt', () => {
    const expected = createHmac('sha256', 'salt').update('2026-01-01T00:00:00Z{"amount":1}').digest('hex');
    assert.equal(sign('salt', '2026-01-01T00:00:00Z', Buffer.from('{"amount":1}')).toString('hex'), expected);
  });

  it('is accepted over any bytes, in lower and upper case', () => {
    fc.assert(
      fc.property(text, text, body, (salt, timestamp, rawBody) => {
        const request = signed(salt, timestamp, rawBody);
        assert.ok(isSignedBy(request, hashSecret(salt)));
        assert.ok(isSignedBy({ ...request, signature: request.signature.toUpperCase() }, hashSecret(salt)));
      }),
    );
  });

  it('is rejected when one bit of the body, the timestamp, the salt or the signature differs', () => {
    fc.assert(
      fc.property(text, text, body, fc.nat(), (salt, timestamp, rawBody, position) => {
        const request = signed(salt, timestamp, rawBody);
        const otherText = (value: string) => flipped(Buffer.from(value, 'latin1'), position).toString('latin1');
        const otherSignature = flipped(Buffer.from(request.signature, 'hex'), position).toString('hex');
        for (const changed of [
          { ...request, rawBody: flipped(rawBody, position) },
          { ...request, timestamp: otherText(timestamp) },
          { ...request, salt: otherText(salt) },
          { ...request, signature: otherSignature },
        ]) {
          assert.ok(!isSignedBy(changed, hashSecret(salt)));
        }
      }),
    );
  });

  it('covers "{}" or an empty text if there is no body, and only then', () => {
    const [salt, timestamp, none] = ['salt', '2026-01-01T00:00:00Z', Buffer.alloc(0)];
    for (const signedBody of ['{}', '']) {
      const signature = sign(salt, timestamp, Buffer.from(signedBody)).toString('hex');
      assert.ok(isSignedBy({ timestamp, rawBody: none, salt, signature }, hashSecret(salt)));
    }
    const ofNothing = sign(salt, timestamp, none).toString('hex');
    assert.ok(!isSignedBy({ timestamp, rawBody: Buffer.from('{}'), salt, signature: ofNothing }, hashSecret(salt)));
  });

  it('is rejected for another salt than the stored one', () => {
    assert.ok(!isSignedBy(signed('mine', 'now', Buffer.from('{}')), hashSecret('theirs')));
  });

  it('is rejected when it or the salt is missing or malformed', () => {
    const request = signed('salt', 'now', Buffer.from('{}'));
    for (const signature of [undefined, '', request.signature.slice(1), `${request.signature}0`, 'g'.repeat(64)]) {
      assert.ok(!isSignedBy({ ...request, signature }, hashSecret('salt')));
    }
    for (const salt of [undefined, '']) assert.ok(!isSignedBy({ ...request, salt }, hashSecret(salt ?? '')));
  });
});

describe('signature version 2', () => {
  it('is what the example in docs/api.md shows, for the server and for the client', () => {
    const page = readFileSync('docs/api.md', 'utf8');
    const [, salt = ''] = /with the salt `(.+?)`, signs these lines/.exec(page) ?? [];
    const [, text = ''] = /signs these lines:\n\n```text\n(.+?)\n```/s.exec(page) ?? [];
    const [, bodyText = ''] = /here of `(.+?)`/.exec(page) ?? [];
    const [, signature] = /The signature is `([0-9a-f]{64})`/.exec(page) ?? [];
    const [version, method = '', target = '', timestamp = '', nonce = '', account = '', idempotencyKey = '', digest] =
      text.split('\n');
    const parts = { method, target, timestamp, nonce, idempotencyKey };
    assert.deepEqual([version, digest], ['v2', hashSecret(bodyText)]);
    assert.equal(signV2(salt, { ...parts, account, rawBody: Buffer.from(bodyText) }).toString('hex'), signature);
    assert.equal(signatureOfV2(salt, { ...parts, merchantId: account, body: bodyText }), signature);
  });
});
