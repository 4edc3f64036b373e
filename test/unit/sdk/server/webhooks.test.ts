import assert from 'node:assert/strict';
import { Webhook } from 'standardwebhooks';
import { verifyWebhook, WebhookVerificationError } from '../../../../sdk/server/index.ts';

const SECRET = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;
const OTHER = `whsec_${Buffer.alloc(24, 8).toString('base64')}`;
const PAYLOAD = JSON.stringify({ id: 'evt_1', type: 'payment_intent.succeeded', data: { name: 'Zoë' } });

function headersAt(time: Date, secret = SECRET): Record<string, string> {
  return {
    'Webhook-Id': 'msg_1',
    'Webhook-Timestamp': String(Math.floor(time.getTime() / 1_000)),
    'Webhook-Signature': new Webhook(secret).sign('msg_1', time, PAYLOAD),
  };
}

function refuses(received: Parameters<typeof verifyWebhook>[0]): void {
  assert.throws(() => verifyWebhook(received), WebhookVerificationError);
}

describe('the verification of webhooks', () => {
  it('returns the event of an authentic webhook, with headers in any form', () => {
    const headers = headersAt(new Date());
    for (const given of [headers, new Headers(headers)]) {
      assert.equal(verifyWebhook({ payload: Buffer.from(PAYLOAD), headers: given, secret: SECRET }).id, 'evt_1');
    }
  });

  it('accepts either secret during a rotation', () => {
    const headers = headersAt(new Date(), OTHER);
    assert.equal(verifyWebhook({ payload: PAYLOAD, headers, secret: [SECRET, OTHER] }).id, 'evt_1');
    refuses({ payload: PAYLOAD, headers, secret: SECRET });
  });

  it('rejects a body that was changed', () => {
    refuses({ payload: PAYLOAD.replace('evt_1', 'evt_2'), headers: headersAt(new Date()), secret: SECRET });
  });

  it('rejects a timestamp more than 5 minutes off', () => {
    for (const offsetMs of [-301_000, 302_000]) {
      refuses({ payload: PAYLOAD, headers: headersAt(new Date(Date.now() + offsetMs)), secret: SECRET });
    }
  });

  it('rejects a missing header, and a missing secret', () => {
    const headers = headersAt(new Date());
    for (const name of Object.keys(headers)) {
      refuses({ payload: PAYLOAD, headers: { ...headers, [name]: undefined }, secret: SECRET });
    }
    refuses({ payload: PAYLOAD, headers, secret: [] });
  });

  for (const [mistake, says, change] of [
    ['a body that was written again', /^No signature is .*byte for byte/, { payload: PAYLOAD.replace(':', ': ') }],
    ['the secret of another endpoint', /^No signature is .*secret of the endpoint/, { secret: OTHER }],
    ['a secret that was not copied whole', /begins with whsec_\. Copy all/, { secret: 'whsec_…' }],
    ['the API key as secret', /begins with whsec_/, { secret: 'svc_test_1' }],
    ['no headers', /^Expected the header webhook-id; got none/, { headers: {} }],
    ['an old webhook', /at most 5 minutes .* Set its clock/, { headers: headersAt(new Date(0)) }],
    ['a time that is none', /at most 5 minutes/, { headers: { ...headersAt(new Date()), 'Webhook-Timestamp': 'now' } }],
  ] satisfies [string, RegExp, Partial<Parameters<typeof verifyWebhook>[0]>][]) {
    it(`explains ${mistake}`, () => {
      const received = { payload: PAYLOAD, headers: headersAt(new Date()), secret: SECRET, ...change };
      assert.throws(() => verifyWebhook(received), { name: 'WebhookVerificationError', message: says });
    });
  }

  it('explains a body that was parsed', () => {
    const parsed: { payload: string } = { payload: PAYLOAD };
    Object.assign(parsed, { payload: JSON.parse(PAYLOAD) });
    assert.throws(() => verifyWebhook({ ...parsed, headers: headersAt(new Date()), secret: SECRET }), {
      name: 'TypeError',
      message: /Read the raw body, before anything parses it/,
    });
  });
});
