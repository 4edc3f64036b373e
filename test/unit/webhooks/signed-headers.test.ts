import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { Webhook as SvixWebhook } from 'svix';
import { MINUTE_MS } from '../../../domain/time.ts';
import { SealBrokenError } from '../../../vault/envelope.ts';
import { parseKeyring } from '../../../vault/keyring.ts';
import { newWebhookSecret, openWebhookSecret, sealWebhookSecret } from '../../../vault/webhook-secret.ts';
import { signedHeaders } from '../../../webhooks/signed-headers.ts';

const MESSAGE = { id: 'evt_0192f0c1a2b37c4d8e5f60718293a4b5', body: '{"type":"payment_intent.succeeded","note":"ü"}' };

describe('signatures of webhooks', () => {
  for (const [name, Webhook] of [
    ['standardwebhooks', StandardWebhook],
    ['svix', SvixWebhook],
  ] as const) {
    describe(`verified by ${name}`, () => {
      const secret = newWebhookSecret();
      const verify = (headers: Record<string, string>, body = MESSAGE.body, by = secret) =>
        new Webhook(by).verify(body, headers);

      it('are accepted', () => {
        assert.deepEqual(verify(signedHeaders(MESSAGE, [secret], new Date())), JSON.parse(MESSAGE.body));
      });

      it('are rejected if one byte was changed', () => {
        const headers = signedHeaders(MESSAGE, [secret], new Date());
        assert.throws(() => verify(headers, MESSAGE.body.replace('succeeded', 'Succeeded')), /No matching signature/);
        assert.throws(() => verify({ ...headers, 'webhook-id': 'evt_other' }), /No matching signature/);
      });

      it('are rejected if they are six minutes old', () => {
        const headers = signedHeaders(MESSAGE, [secret], new Date(Date.now() - 6 * MINUTE_MS));
        assert.throws(() => verify(headers), /too old/);
      });

      it('are rejected for another secret', () => {
        const headers = signedHeaders(MESSAGE, [secret], new Date());
        assert.throws(() => verify(headers, MESSAGE.body, newWebhookSecret()), /No matching signature/);
      });

      it('are accepted for either secret during a rotation', () => {
        const newer = newWebhookSecret();
        const headers = signedHeaders(MESSAGE, [newer, secret], new Date());
        for (const by of [newer, secret]) assert.deepEqual(verify(headers, MESSAGE.body, by), JSON.parse(MESSAGE.body));
      });
    });
  }
});

describe('webhook secrets', () => {
  const keyring = parseKeyring(`test:${Buffer.alloc(32, 7).toString('base64')}`);
  const owner = { webhookEndpointId: 'whe_1', merchantAccountId: 'mer_1', environment: 'sandbox' } as const;

  it('have 32 random bytes', () => {
    const secret = newWebhookSecret();
    assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
    assert.notEqual(secret, newWebhookSecret());
  });

  it('can be decrypted for their own endpoint only', () => {
    const secret = newWebhookSecret();
    const sealed = sealWebhookSecret(keyring, owner, secret);
    assert.ok(!Buffer.from(sealed.ciphertext).toString('latin1').includes(secret));
    assert.equal(openWebhookSecret(keyring, owner, sealed), secret);
    const others = [
      { webhookEndpointId: 'whe_2' },
      { merchantAccountId: 'mer_2' },
      { environment: 'production' },
    ] as const;
    for (const other of others) {
      assert.throws(() => openWebhookSecret(keyring, { ...owner, ...other }, sealed), SealBrokenError);
    }
  });
});
