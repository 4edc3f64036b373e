import { newNonce, sign, signedHeaders, timestampNow } from '../../../../docs/site/page/sign.ts';

/** An API key of the sandbox as it is shown once. It is kept in the page's memory alone. */
export interface SandboxKey {
  readonly apiKey: string;
  readonly secretSalt: string;
  readonly signatureVersion: 1 | 2;
}

/** A request that makes a payment, signed: it can be sent once, within five minutes. */
export interface SignedPayment {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly idempotencyKey: string;
}

const TARGET = '/api/v1/payment-intents';

/** The test card that every simulator approves. */
const PAYMENT = {
  amount: 1999,
  currency: 'EUR',
  confirm: true,
  paymentMethod: {
    type: 'card',
    card: { number: '4242424242424242', expiryMonth: 12, expiryYear: 2030, cvc: '123' },
  },
};

/** Signs the payment as a merchant's server does. */
export async function signPayment(key: SandboxKey, merchantId: string, idempotencyKey: string): Promise<SignedPayment> {
  const body = JSON.stringify(PAYMENT);
  const parts = {
    version: key.signatureVersion,
    method: 'POST',
    target: TARGET,
    timestamp: timestampNow(),
    nonce: newNonce(),
    account: merchantId,
    idempotencyKey,
    body,
    salt: key.secretSalt,
  };
  const { signature } = await sign(parts);
  const headers = { ...signedHeaders(parts, key.apiKey, signature), 'Content-Type': 'application/json' };
  return { headers, body, idempotencyKey };
}

export const LANGUAGES = ['curl', 'TypeScript', 'Python'] as const;
export type Language = (typeof LANGUAGES)[number];

interface Snippet {
  /** Where the API is. */
  readonly apiUrl: string;
  readonly key: SandboxKey;
  readonly merchantId: string;
  readonly signed: SignedPayment;
}

/** The request as a program: as it was signed for curl, and with a client that signs by itself. */
export function snippetOf(language: Language, snippet: Snippet): string {
  return { curl: curlOf, TypeScript: typescriptOf, Python: pythonOf }[language](snippet);
}

function curlOf({ apiUrl, signed: { headers, body } }: Snippet): string {
  const lines = Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`);
  return [`curl -sS -X POST ${quoted(apiUrl + TARGET)}`, ...lines, `--data-binary ${quoted(body)}`].join(' \\\n  ');
}

function typescriptOf({ apiUrl, key, merchantId, signed: { idempotencyKey } }: Snippet): string {
  return `import { createClient } from '@payment-engine/server';

// Keep key and salt in your server's settings, not in its source.
const client = createClient({
  baseUrl: ${JSON.stringify(apiUrl)},
  apiKey: ${JSON.stringify(key.apiKey)},
  secretSalt: ${JSON.stringify(key.secretSalt)},
  signatureVersion: ${key.signatureVersion},
  merchantId: ${JSON.stringify(merchantId)},
});

const payment = await client.paymentIntents.create(
  ${JSON.stringify(PAYMENT, null, 2).replaceAll('\n', '\n  ')},
  { idempotencyKey: ${JSON.stringify(idempotencyKey)} },
);
console.log(payment.id, payment.status);`;
}

function pythonOf({ apiUrl, key, merchantId, signed: { idempotencyKey } }: Snippet): string {
  const payment = JSON.stringify(PAYMENT, null, 4).replaceAll('true', 'True').replaceAll('\n', '\n    ');
  return `from payment_engine import Client

# Keep key and salt in your server's settings, not in its source.
client = Client(
    base_url=${JSON.stringify(apiUrl)},
    api_key=${JSON.stringify(key.apiKey)},
    secret_salt=${JSON.stringify(key.secretSalt)},
    signature_version=${key.signatureVersion},
    merchant_id=${JSON.stringify(merchantId)},
)

payment = client.payment_intents.create(
    ${payment},
    idempotency_key=${JSON.stringify(idempotencyKey)},
)
print(payment["id"], payment["status"])`;
}

/** As one word of a POSIX shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
