import { randomUUID } from 'node:crypto';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { readStartConfig } from '../config.ts';
import { formatMoney } from '../domain/money.ts';
import { isSupportedCurrency } from '../domain/currencies.ts';
import { readSandbox, type Sandbox } from './data-folder.ts';
import { SentenceError } from '../domain/sentence-error.ts';
import { runScript } from './sentence-error.ts';
import { sendSigned, type SignedRequest } from './signed-request.ts';

const USAGE = `npm run pay -- [--card NUMBER | --vpa NAME@BANK] [--amount MINOR_UNITS] [--currency CODE] [--country CODE]`;

const intentSchema = z.looseObject({
  id: z.string(),
  status: z.string(),
  amount: z.number(),
  currency: z.string(),
  provider: z.string().nullish(),
  nextAction: z.looseObject({ url: z.string().optional() }).nullish(),
});
type Intent = z.infer<typeof intentSchema>;

const errorSchema = z.object({
  error: z.looseObject({
    code: z.string(),
    message: z.string(),
    details: z
      .looseObject({
        paymentIntent: intentSchema.optional(),
        fields: z.array(z.looseObject({ field: z.string(), message: z.string() })).optional(),
      })
      .optional(),
  }),
});
const successSchema = z.object({ data: intentSchema });

/** `npm run pay`: one payment through the running sandbox, from creation to outcome. */
await runScript(async () => {
  const { amount, currency, country, method } = readOptions();
  const sandbox = await readSandbox(readStartConfig().dataDir);
  const created = await ask(sandbox, {
    method: 'POST',
    path: '/api/v1/payment-intents',
    headers: { 'X-Idempotency-Key': randomUUID() },
    body: { amount, currency, description: 'A first payment', ...(country === undefined ? {} : { country }) },
  });
  if (created.intent === undefined) throw new SentenceError(`The payment was not created: ${created.failure ?? ''}`);
  console.log(`Created    ${created.intent.id}, ${formatMoney(created.intent.amount, created.intent.currency)}`);

  const confirmed = await ask(sandbox, {
    method: 'POST',
    path: `/api/v1/payment-intents/${created.intent.id}/confirm`,
    headers: { 'X-Idempotency-Key': randomUUID() },
    body: { paymentMethod: method },
  });
  const intent = confirmed.intent ?? created.intent;
  console.log(`Confirmed  ${intent.status}${intent.provider == null ? '' : `, by ${intent.provider}`}`);
  if (intent.nextAction?.url !== undefined) console.log(`To do      open ${intent.nextAction.url}`);
  if (intent.status === 'processing') console.log('To do      wait: its workflow goes on, and shows the outcome');
  if (confirmed.failure !== undefined) console.log(`Reason     ${confirmed.failure}`);
  console.log(`Workflow   ${sandbox.temporalUi}/namespaces/${namespaceOf()}/workflows/${intent.id}`);
  // A terminal's text is copied into tickets and chats.
  console.log(`\n${JSON.stringify({ ...intent, clientSecret: undefined }, null, 2)}`);
  if (confirmed.failure !== undefined) process.exitCode = 1;
});

function namespaceOf(): string {
  return readStartConfig().temporalNamespace;
}

function readOptions() {
  const values = parse();
  const amount = Number(values.amount ?? '1999');
  const currency = values.currency ?? (values.vpa === undefined ? 'USD' : 'INR');
  if (!Number.isSafeInteger(amount)) throw new SentenceError(`--amount is a whole number of minor units. ${USAGE}`);
  if (!isSupportedCurrency(currency)) throw new SentenceError(`--currency ${currency} is not supported. ${USAGE}`);
  const method =
    values.vpa === undefined
      ? { type: 'card', card: { ...testCard(), number: values.card ?? '4242424242424242' } }
      : { type: 'upi', upi: { vpa: values.vpa } };
  return { amount, currency, country: values.country ?? (values.vpa === undefined ? undefined : 'IN'), method };
}

function parse() {
  const text = { type: 'string' } as const;
  try {
    return parseArgs({ options: { card: text, vpa: text, amount: text, currency: text, country: text } }).values;
  } catch (error) {
    throw new SentenceError(`${error instanceof Error ? error.message : String(error)}\nUse: ${USAGE}`);
  }
}

function testCard() {
  return { expiryMonth: 12, expiryYear: new Date().getUTCFullYear() + 2, cvc: '123' };
}

/** The intent the API answers with, also when the payment failed; and the failure in words. */
async function ask(sandbox: Sandbox, request: SignedRequest): Promise<{ intent?: Intent; failure?: string }> {
  const answer = await send(sandbox, request);
  const success = successSchema.safeParse(answer);
  if (success.success) return { intent: success.data.data };
  const { error } = errorSchema.parse(answer);
  const intent = error.details?.paymentIntent;
  const fields = (error.details?.fields ?? []).map(({ field, message }) => ` ${field}: ${message}`);
  return { ...(intent === undefined ? {} : { intent }), failure: `${error.code}, ${error.message}${fields.join('')}` };
}

async function send(sandbox: Sandbox, request: SignedRequest): Promise<unknown> {
  try {
    const response = await sendSigned(sandbox, request);
    return await response.json();
  } catch (error) {
    const isRefused = error instanceof TypeError;
    throw new SentenceError(
      isRefused
        ? `The API does not answer at ${sandbox.baseUrl}. Is "npm start" running in another terminal?`
        : `The API gave no understandable answer: ${String(error)}`,
    );
  }
}
