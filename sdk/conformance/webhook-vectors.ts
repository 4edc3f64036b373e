import { createHmac } from 'node:crypto';

/** What a driver is asked about one webhook. */
export interface ReceivedWebhook {
  readonly headers: Readonly<Record<string, string>>;
  /** Base64. */
  readonly body: string;
  readonly secrets: readonly string[];
}

export interface WebhookVector {
  readonly title: string;
  readonly isAuthentic: boolean;
  /** Signs it now: the engine's webhooks are valid for 5 minutes. */
  readonly sign: () => ReceivedWebhook;
}

const SECRET = `whsec_${Buffer.from('a secret of 24 bytes or so').toString('base64')}`;
const OTHER_SECRET = `whsec_${Buffer.from('another secret of 24 bytes').toString('base64')}`;
export const EVENT_ID = 'evt_0197f3c29a4b7d1e8c5f60718293a4b5';
const BODY = JSON.stringify({
  id: EVENT_ID,
  type: 'payment_succeeded',
  data: { paymentIntent: { description: 'Lampe für draußen 🪔', amount: 99_999_999_999 } },
});
const TOO_OLD_S = 301;
const STILL_VALID_S = 270;
/** So that it is still too far ahead when the client checks it. */
const STILL_AHEAD_S = 30;

/** How a webhook differs from an authentic one. */
interface Changes {
  readonly sentBody?: string;
  readonly signedWith?: readonly string[];
  readonly secrets?: readonly string[];
  readonly ageSeconds?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

export const WEBHOOK_VECTORS: readonly WebhookVector[] = [
  authentic('an authentic webhook'),
  authentic('the new secret while one is replaced', { signedWith: [OTHER_SECRET, SECRET] }),
  authentic('either secret of the receiver', { secrets: [OTHER_SECRET, SECRET] }),
  authentic('one of 4 and a half minutes ago', { ageSeconds: STILL_VALID_S }),
  authentic('header names in other case', { headers: { 'Webhook-Id': EVENT_ID } }),
  refused('a changed body', { sentBody: BODY.replace('99999999999', '1') }),
  refused('the same JSON, written in another way', { sentBody: JSON.stringify(JSON.parse(BODY), null, 1) }),
  refused('another secret', { secrets: [OTHER_SECRET] }),
  refused('one of more than 5 minutes ago', { ageSeconds: TOO_OLD_S }),
  refused('one of more than 5 minutes ahead', { ageSeconds: -TOO_OLD_S - STILL_AHEAD_S }),
  refused('a signature of another version only', { headers: { 'webhook-signature': 'v2,c2lnbmF0dXJl' } }),
  refused('no signature', { headers: { 'webhook-signature': '' } }),
  refused('another id than was signed', { headers: { 'webhook-id': 'evt_other' } }),
  refused('a signature beyond ASCII', { headers: { 'webhook-signature': 'v1,é' } }),
  refused('an empty secret, with which anybody can sign', { signedWith: ['whsec_'], secrets: ['whsec_'] }),
  refused('no secret', { secrets: [] }),
  refused('a time of 5,000 digits', { headers: { 'webhook-timestamp': '9'.repeat(5_000) } }),
  refused('a time that is no number', { headers: { 'webhook-timestamp': 'now' } }),
];

function authentic(title: string, changes: Changes = {}): WebhookVector {
  return { title, isAuthentic: true, sign: () => webhookOf(changes) };
}

function refused(title: string, changes: Changes): WebhookVector {
  return { title, isAuthentic: false, sign: () => webhookOf(changes) };
}

function webhookOf(changes: Changes): ReceivedWebhook {
  const { sentBody = BODY, signedWith = [SECRET], secrets = [SECRET], ageSeconds = 0, headers = {} } = changes;
  const timestamp = String(Math.floor(Date.now() / 1_000) - ageSeconds);
  const signatures = signedWith.map((secret) => signatureOf(secret, timestamp)).join(' ');
  const own = { 'webhook-id': EVENT_ID, 'webhook-timestamp': timestamp, 'webhook-signature': signatures };
  const replaced = new Set(Object.keys(headers).map((name) => name.toLowerCase()));
  const kept = Object.entries(own).filter(([name]) => !replaced.has(name));
  return {
    headers: { ...Object.fromEntries(kept), ...headers },
    body: Buffer.from(sentBody).toString('base64'),
    secrets,
  };
}

function signatureOf(secret: string, timestamp: string): string {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  return `v1,${createHmac('sha256', key).update(`${EVENT_ID}.${timestamp}.${BODY}`).digest('base64')}`;
}
