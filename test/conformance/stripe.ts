import { execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import path from 'node:path';
import { buffer as readBuffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import type { z } from 'zod';
import { parseJson } from '../../domain/json.ts';
import { DISPUTE_EVIDENCE_MEMBERS, DISPUTE_FILE_KINDS } from '../../domain/dispute-evidence.ts';
import { HOUR_MS } from '../../domain/time.ts';
import { UserError } from '../../domain/user-error.ts';
import type { AttemptReference, DisputeAnswer, PaymentProvider } from '../../providers/payment-provider.ts';
import { createProviderHttp } from '../../providers/provider-http.ts';
import {
  customerSchema,
  disputeEventsSchema,
  fileSchema,
  intentListSchema,
  intentSchema,
  listedDisputesSchema,
  listedIntentSchema,
  listedIntentsSchema,
  methodSchema,
  paidWithSchema,
  readDisputeSchema,
  refundListSchema,
  refundSchema,
  storedMethodSchema,
} from '../../providers/stripe/messages.ts';
import { balanceTransactionsSchema, payoutsSchema } from '../../providers/stripe/settlements.ts';
import { STRIPE } from '../../providers/stripe/stripe-provider.ts';
import type { FakeStripe } from '../../sandbox/fakes/stripe/fake-stripe.ts';
import { cardOf, newSignal, requestWith } from '../support/provider-contract.ts';
import { newUnique } from '../support/provider-contract/requests.ts';
import { closeServer, listenLocally } from '../support/local-server.ts';
import { adapterTo, SECRET_KEY, startFake, WEBHOOK_SECRET } from '../support/stripe-harness.ts';
import { runConformanceProgram } from './run-program.ts';

const VERSION = 'v0.203.0';
const MODULE = `github.com/stripe/stripe-mock@${VERSION}`;
const MISSING = `This check needs stripe-mock ${VERSION}, and neither it nor Go to build it is on the PATH. Install Go (https://go.dev/dl) and run this again, or put stripe-mock on the PATH (https://github.com/stripe/stripe-mock/releases).`;
const TIMEOUT_MS = 10_000;

/** What the adapter reads of each answer. */
const ANSWERS: Readonly<Record<string, z.ZodType>> = {
  'POST /v1/payment_methods': methodSchema,
  'GET /v1/payment_methods/:id': storedMethodSchema,
  'POST /v1/payment_methods/:id/detach': storedMethodSchema,
  'POST /v1/customers': customerSchema,
  'POST /v1/tokens': methodSchema,
  'GET /v1/payment_intents/:id with its card': paidWithSchema,
  'POST /v1/payment_intents': intentSchema,
  'GET /v1/payment_intents': intentListSchema,
  'GET /v1/payment_intents/:id': intentSchema,
  'POST /v1/payment_intents/:id/confirm': intentSchema,
  'POST /v1/payment_intents/:id/capture': intentSchema,
  'POST /v1/payment_intents/:id/cancel': intentSchema,
  'GET /v1/payment_intents with refunds': listedIntentsSchema,
  'GET /v1/payment_intents/:id with refunds': listedIntentSchema,
  'POST /v1/refunds': refundSchema,
  'GET /v1/refunds': refundListSchema,
  'POST /v1/files': fileSchema,
  'POST /v1/disputes/:id': readDisputeSchema,
  'POST /v1/disputes/:id/close': readDisputeSchema,
  'GET /v1/disputes/:id': readDisputeSchema,
  'GET /v1/disputes': listedDisputesSchema,
  'GET /v1/events': disputeEventsSchema,
  'GET /v1/payouts': payoutsSchema,
  'GET /v1/balance_transactions': balanceTransactionsSchema,
};

/**
 * Stripe's own mock checks every request that the adapter sends, and its answers must be readable. It keeps no state, so the
 * adapter talks to the fake, and each of its requests goes to the mock as well.
 * @returns the exit code
 * @throws UserError when there is no stripe-mock, and no Go to build it
 */
export async function checkWithStripeMock(folder: string): Promise<number> {
  const mock = await startStripeMock(await provideStripeMock(folder));
  const fake = await startFake();
  const checker = await startChecker(fake.url, mock.url);
  try {
    await requireStrict(mock.url);
    await sendEveryRequest(checker.url, fake);
    return report(checker.verdicts);
  } finally {
    await checker.close();
    await fake.close();
    mock.stop();
  }
}

async function provideStripeMock(folder: string): Promise<string> {
  if (await canRun('stripe-mock', '-version')) return 'stripe-mock';
  const folderOfPrograms = path.join(folder, 'bin');
  const program = path.join(folderOfPrograms, 'stripe-mock');
  if (existsSync(program)) return program;
  if (!(await canRun('go', 'version'))) throw new UserError(MISSING);
  const code = await runConformanceProgram('go', ['install', MODULE], { GOBIN: folderOfPrograms });
  if (code !== 0) throw new UserError(`go install ${MODULE} ended with ${code}.`);
  return program;
}

function canRun(program: string, ...args: readonly string[]): Promise<boolean> {
  return promisify(execFile)(program, args).then(
    () => true,
    () => false,
  );
}

/** Starts it on a free port, which it prints. */
function startStripeMock(program: string): Promise<{ readonly url: string; readonly stop: () => void }> {
  const addresses = ['-http-addr', '127.0.0.1:0', '-https-addr', '127.0.0.1:0'];
  const child = spawn(program, [...addresses, '-strict-version-check'], { stdio: ['ignore', 'pipe', 'inherit'] });
  return new Promise((resolve, reject) => {
    let printed = '';
    child.once('error', reject);
    child.once('exit', (code) => {
      reject(new Error(`stripe-mock ended with ${code}`));
    });
    child.stdout.on('data', (chunk: Buffer) => {
      printed += chunk.toString('utf8');
      const address = /Listening for HTTP at address: (\S+)/.exec(printed)?.[1];
      if (address !== undefined) resolve({ url: `http://${address}`, stop: () => child.kill() });
    });
  });
}

/** An unknown field must be refused, or the check would show nothing. */
async function requireStrict(mockUrl: string): Promise<void> {
  const client = createProviderHttp(mockUrl, TIMEOUT_MS);
  const headers = {
    authorization: `Bearer ${SECRET_KEY}`,
    'content-type': 'application/x-www-form-urlencoded',
  };
  const { status } = await client.post('/v1/payment_intents', headers, 'amount=1&currency=usd&a=1', newSignal());
  if (status !== 400) throw new Error(`stripe-mock answers ${status} to an unknown field`);
}

interface Verdict {
  readonly request: string;
  readonly problem: string | null;
}

/** A server that has the fake answer each request, and the mock checker it. */
async function startChecker(fakeUrl: string, mockUrl: string) {
  const fake = createProviderHttp(fakeUrl, TIMEOUT_MS);
  const mock = createProviderHttp(mockUrl, TIMEOUT_MS);
  const verdicts: Verdict[] = [];

  const handle = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const method = incoming.method === 'GET' ? 'GET' : 'POST';
    const body = await readBuffer(incoming);
    const { url = '' } = incoming;
    const headers = Object.fromEntries(
      ['authorization', 'content-type', 'stripe-version', 'idempotency-key'].flatMap((name) => {
        const value = incoming.headers[name];
        return typeof value === 'string' ? [[name, value]] : [];
      }),
    );
    const request = { method, path: url, headers, ...(method === 'GET' ? {} : { body }) } as const;
    const checked = await mock.send(request, newSignal());
    const { pathname, search } = new URL(url, mockUrl);
    const name = `${method} ${pathname.replace(/\/(?:pi|re|pm|cus|dp|du)_[^/]+/, '/:id')}${expansionOf(search)}`;
    verdicts.push({ request: name, problem: problemOf(name, checked) });
    const { status, text } = await fake.send(request, newSignal());
    response.writeHead(status, { 'content-type': 'application/json' }).end(text);
  };

  const server = http.createServer((request, response) => {
    handle(request, response).catch((error: unknown) => {
      verdicts.push({ request: request.url ?? '', problem: String(error) });
      response.destroy();
    });
  });
  const url = await listenLocally(server);
  return { url, verdicts, close: () => closeServer(server) };
}

/** What a read asks for besides the object. */
function expansionOf(search: string): string {
  if (search.includes('latest_charge.refunds')) return ' with refunds';
  return search.includes('=payment_method') ? ' with its card' : '';
}

function problemOf(name: string, { status, text }: { readonly status: number; readonly text: string }): string | null {
  if (status !== 200) return `${status} ${text}`;
  const schema = ANSWERS[name];
  if (schema === undefined) return 'nothing is known about its answer';
  const read = schema.safeParse(parseJson(text));
  return read.success ? null : `the answer cannot be read: ${read.error.message}`;
}

/** Pays in each way, with and without every optional field, so that each kind of request is sent. */
async function sendEveryRequest(url: string, fake: FakeStripe): Promise<void> {
  const provider = adapterTo(url);
  const card = cardOf('4242424242424242');
  const named = {
    type: 'card',
    number: '4242424242424242',
    expiryMonth: 12,
    expiryYear: 2039,
    cvc: null,
    holderName: 'A. Customer',
  } as const;

  const authorize = async (changes: Partial<ReturnType<typeof requestWith>>) => {
    const request = { ...requestWith(card), ...changes };
    const outcome = await provider.authorize(request, newSignal());
    if (outcome.kind === 'unrecognised') throw new Error(JSON.stringify(outcome));
    return { ...request, providerPaymentId: outcome.providerPaymentId };
  };

  const paid = await authorize({ method: named, returnUrl: 'https://shop.example/return' });
  await authorize({ reference: null, currency: 'JPY' });
  await provider.authorize(paid, newSignal());
  await provider.inquire(paid, newSignal());
  const held = await authorize({ captureMethod: 'manual' });
  await provider.capture({ ...held, amountMinor: 10_00 }, newSignal());
  await provider.close(await authorize({ captureMethod: 'manual' }), newSignal());

  const customerId = `cus_${newUnique()}`;
  for (const usage of ['on_session', 'off_session'] as const) {
    const first = await authorize({ method: { ...named, saving: { customerId, usage } } });
    const masked = { type: 'card', brand: 'visa', last4: '4242', expiryMonth: 12, expiryYear: 2039 } as const;
    const credential = await provider.readCredential?.({ ...first, customerId, card: masked }, newSignal());
    if (credential?.token == null) throw new Error('no token was issued');
    const { token, providerCustomerId, networkTransaction } = credential;
    for (const use of ['on_session', 'recurring', 'unscheduled'] as const) {
      const cvc = use === 'on_session' ? '123' : null;
      const saved = { customerId, usage, use, networkTransaction };
      await authorize({ method: { type: 'saved_card_token', token, providerCustomerId, cvc, saved } });
    }
    const removal = { environment: 'sandbox', customerId, token, providerCustomerId } as const;
    await provider.removeCredential?.(removal, newSignal());
    await provider.removeCredential?.(removal, newSignal());
  }

  // More than a page of payments and of refunds.
  for (let count = 0; count < 101; count += 1) fake.payments.createIntent({ amount: '1', currency: 'usd' });
  await provider.inquire(requestWith(card), newSignal());
  const { attemptId, environment, currency } = paid;
  const providerPaymentId = paid.providerPaymentId ?? '';
  for (let count = 0; count < 101; count += 1) {
    fake.payments.createRefund({ payment_intent: providerPaymentId, amount: '1' });
  }
  const of = { attemptId, environment, currency, providerPaymentId };
  const refund = { ...of, refundId: `re_${newUnique()}`, amountMinor: 100, reference: 'ORDER-1042' };
  await provider.refund(refund, newSignal());
  await provider.inquireRefund({ ...refund, loadReported: () => Promise.resolve(null) }, newSignal());
  await provider.findPayment?.(paid, newSignal());
  const window = { from: new Date(Date.now() - HOUR_MS), to: new Date() };
  const first = await provider.listPayments?.({ window, cursor: null }, newSignal());
  await provider.listPayments?.({ window, cursor: first?.nextCursor ?? null }, newSignal());
  await provider.listSettlements?.({ since: window.from, cursor: null }, newSignal());
  await provider.listSettlementEntries?.({ settlementReference: 'po_1', cursor: null }, newSignal());

  await answerDisputes(provider, fake, await authorize({}));
  await provider.listDisputes?.({ window, cursor: null }, newSignal());
  fake.forbidEvents();
  await provider.listDisputes?.({ window, cursor: null }, newSignal());

  const credentials = { secretKey: SECRET_KEY, webhookSecret: WEBHOOK_SECRET };
  const settings = { name: 'stripe', environment, credentials, apiUrl: url, timeoutMs: TIMEOUT_MS };
  const problem = await STRIPE.check(settings, newSignal());
  if (problem !== null) throw new Error(problem);
}

/** Submits evidence of every kind, and accepts another dispute. */
async function answerDisputes(
  provider: PaymentProvider,
  fake: FakeStripe,
  { attemptId, providerPaymentId }: Pick<AttemptReference, 'attemptId' | 'providerPaymentId'>,
): Promise<void> {
  const answerTo = (): DisputeAnswer => ({
    disputeId: `dp_${newUnique()}`,
    environment: 'sandbox',
    providerReference: fake.disputes.open(providerPaymentId ?? '').id,
    attemptId,
    providerPaymentId,
    operationId: `op_${newUnique()}`,
    stage: 'chargeback',
    reason: 'fraudulent',
    evidence: Object.fromEntries(DISPUTE_EVIDENCE_MEMBERS.map((member) => [member, `The ${member}.`])),
    files: DISPUTE_FILE_KINDS.map((kind) => ({
      kind,
      contentType: 'application/pdf',
      content: Buffer.from('%PDF-1.7'),
    })),
    begin: () => Promise.resolve(),
  });
  for (const answered of [
    await provider.submitEvidence?.(answerTo(), newSignal()),
    await provider.acceptDispute?.(answerTo(), newSignal()),
  ]) {
    if (answered?.kind !== 'answered') throw new Error(`Stripe takes no answer: ${JSON.stringify(answered)}`);
  }
  await provider.inquireDispute?.(answerTo(), newSignal());
}

function report(verdicts: readonly Verdict[]): number {
  const missing = Object.keys(ANSWERS).filter((name) => verdicts.every(({ request }) => request !== name));
  for (const name of Object.keys(ANSWERS)) {
    const ofName = verdicts.filter(({ request }) => request === name);
    console.log(`${ofName.every(({ problem }) => problem === null) ? 'ok  ' : 'FAIL'} ${name} (${ofName.length})`);
  }
  for (const { request, problem } of verdicts) if (problem !== null) console.error(`${request}: ${problem}`);
  for (const name of missing) console.error(`${name}: never sent`);
  return missing.length === 0 && verdicts.every(({ problem }) => problem === null) ? 0 : 1;
}
