import { parseArgs } from 'node:util';
import { readStartConfig } from '../config/sandbox.ts';
import { workflowsUrlOf } from '../domain/workflows-url.ts';
import { formatMoney } from '../domain/money.ts';
import { isSupportedCurrency } from '../domain/currencies.ts';
import {
  createClient,
  PaymentEngineConnectionError,
  PaymentEngineError,
  type PaymentIntent,
  type PaymentMethod,
} from '../sdk/server/index.ts';
import { readSandbox } from '../sandbox/stack/data-folder.ts';
import { UserError } from '../domain/user-error.ts';
import { readArguments } from './command-arguments.ts';
import { runScript } from '../sandbox/stack/explain-error.ts';

const USAGE =
  'Use: npm run pay -- [--card NUMBER | --vpa NAME@BANK] [--amount MINOR_UNITS] [--currency CODE] [--country CODE]';
const text = { type: 'string' } as const;
const OPTIONS = { card: text, vpa: text, amount: text, currency: text, country: text };

/** `npm run pay`: one payment through the running sandbox, from creation to outcome. */
await runScript(async () => {
  const { amount, currency, country, method } = readOptions();
  const { dataDir, temporalNamespace } = readStartConfig();
  const sandbox = await readSandbox(dataDir);
  const client = createClient(sandbox);
  const created = await callApi(sandbox.baseUrl, () =>
    client.paymentIntents.create({
      amount,
      currency,
      description: 'A first payment',
      ...(country === undefined ? {} : { country }),
    }),
  );
  if (created.intent === undefined) throw new UserError(`The payment was not created: ${created.failure ?? ''}`);
  const { id } = created.intent;
  console.log(`Created    ${id}, ${formatMoney(created.intent.amount, created.intent.currency)}`);

  const confirmed = await callApi(sandbox.baseUrl, () => client.paymentIntents.confirm(id, { paymentMethod: method }));
  const intent = confirmed.intent ?? created.intent;
  console.log(`Confirmed  ${intent.status}${intent.provider === null ? '' : `, by ${intent.provider}`}`);
  if (intent.nextAction?.type === 'redirect') console.log(`To do      open ${intent.nextAction.url}`);
  if (intent.status === 'processing' || intent.nextAction?.type === 'approve_in_app')
    console.log('To do      wait: its workflow goes on, and shows the outcome');
  if (confirmed.failure !== undefined) console.log(`Reason     ${confirmed.failure}`);
  console.log(`Workflow   ${workflowsUrlOf(sandbox.temporalUi, temporalNamespace)}/${intent.id}`);
  // A terminal's text is copied into tickets and chats.
  console.log(`\n${JSON.stringify({ ...intent, clientSecret: undefined }, null, 2)}`);
  if (confirmed.failure !== undefined) process.exitCode = 1;
});

function readOptions() {
  const values = readArguments(USAGE, () => parseArgs({ options: OPTIONS }).values);
  const amount = Number(values.amount ?? '1999');
  const currency = values.currency ?? (values.vpa === undefined ? 'USD' : 'INR');
  if (!Number.isSafeInteger(amount)) throw new UserError(`--amount is a whole number of minor units.\n${USAGE}`);
  if (!isSupportedCurrency(currency)) throw new UserError(`--currency ${currency} is not supported.\n${USAGE}`);
  const method: PaymentMethod =
    values.vpa === undefined
      ? { type: 'card', card: { ...testCard(), number: values.card ?? '4242424242424242' } }
      : { type: 'upi', upi: { vpa: values.vpa } };
  return { amount, currency, country: values.country ?? (values.vpa === undefined ? undefined : 'IN'), method };
}

function testCard() {
  return { expiryMonth: 12, expiryYear: new Date().getUTCFullYear() + 2, cvc: '123' };
}

/** Calls the API. Returns the intent of its response, also of an error response, and the error's code and message. */
async function callApi(
  baseUrl: string,
  call: () => Promise<PaymentIntent>,
): Promise<{ intent?: PaymentIntent; failure?: string }> {
  try {
    return { intent: await call() };
  } catch (error) {
    if (error instanceof PaymentEngineConnectionError) {
      throw new UserError(`The API does not answer at ${baseUrl}. Is "npm start" running in another terminal?`);
    }
    if (!(error instanceof PaymentEngineError)) throw error;
    const { code, message, paymentIntent } = error;
    const failure = `${code}, ${message}`;
    return { ...(paymentIntent === undefined ? {} : { intent: paymentIntent }), failure };
  }
}
