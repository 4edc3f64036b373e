import assert from 'node:assert/strict';
import { createHmac, randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { clientKeyOf } from '../../../../http/authentication/client-credentials.ts';
import { hashSecret } from '../../../../vault/key-secret.ts';
import { clientSecretsOf, splitClientSecret as splitByApi } from '../../../../vault/client-secret.ts';
import { splitClientSecret } from '../../../../sdk/checkout/client-secret.ts';
import { sign } from '../../../../sdk/checkout/sign.ts';
import { parseKeyring } from '../../../../vault/keyring.ts';
import { isSignedBy } from '../../../support/signed-by.ts';

const INTENT = `pi_${'1a'.repeat(16)}`;
const TIMESTAMP = '2026-06-01T12:00:00.000Z';
const [CLIENT_SECRET = ''] = clientSecretsOf(parseKeyring(`k:${randomBytes(32).toString('base64')}`), INTENT);

describe('the checkout SDK', () => {
  it('splits a client secret into the key and the salt that the API expects', () => {
    const credentials = splitClientSecret(CLIENT_SECRET);
    assert.deepEqual(credentials, { ...splitByApi(CLIENT_SECRET), paymentIntentId: INTENT });
    assert.deepEqual(clientKeyOf(`Bearer ${credentials?.key}`), { key: credentials?.key, paymentIntentId: INTENT });
  });

  it('rejects anything else as a client secret', () => {
    for (const text of [
      '',
      INTENT,
      'svc_test_0123456789',
      CLIENT_SECRET.slice(1),
      `${CLIENT_SECRET}x`,
      ` ${CLIENT_SECRET}`,
    ]) {
      assert.equal(splitClientSecret(text), null);
    }
  });

  it('signs any body as the API documentation says', async () => {
    const bodies = fc.string({ unit: 'grapheme' });
    await fc.assert(
      fc.asyncProperty(fc.stringMatching(/^[0-9A-Za-z]{24}$/), bodies, async (salt, body) => {
        const expected = createHmac('sha256', salt).update(`${TIMESTAMP}${body}`).digest('hex');
        assert.equal(await sign(salt, TIMESTAMP, body), expected);
      }),
      { numRuns: 50 },
    );
  });

  it('signs a request without a body as the API accepts it', async () => {
    const { salt } = splitByApi(CLIENT_SECRET);
    const signature = await sign(salt, TIMESTAMP, null);
    const request = { timestamp: TIMESTAMP, rawBody: Buffer.alloc(0), salt, signature };
    assert.equal(isSignedBy(request, hashSecret(salt)), true);
  });
});
