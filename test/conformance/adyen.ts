import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { z } from 'zod';
import { newId } from '../../domain/new-id.ts';
import { UserError } from '../../domain/user-error.ts';
import { ADYEN } from '../../providers/adyen/adyen-provider.ts';
import { paymentReplySchema } from '../../providers/adyen/messages.ts';
import type { PaymentProvider } from '../../providers/payment-provider.ts';
import { type FakeAdyen, startFakeAdyen } from '../../sandbox/fakes/adyen/fake-adyen.ts';
import { cardOf, newSignal, requestWith } from '../support/provider-contract/requests.ts';

const CREDENTIALS = { apiKey: 'adyen-test-key', merchantAccount: 'TestMerchant', hmacKey: 'A7'.repeat(32) };
const CARD = cardOf('4111111111111111');
const USAGE = "Name Adyen's document of Checkout v72: npm run conformance -- adyen --spec FILE";

const documentSchema = z.looseObject({
  info: z.looseObject({ version: z.literal('72') }),
  paths: z.record(z.string(), z.unknown()),
  components: z.looseObject({ examples: z.record(z.string(), z.object({ value: z.unknown() })) }),
});

type Exchange = Parameters<NonNullable<Parameters<typeof startFakeAdyen>[0]['observe']>>[0];

/** Holds the adapter's requests, and the replies of the fake that it is tested with, to Adyen's own OpenAPI document. */
export async function checkAdyen(args: readonly string[]): Promise<number> {
  const { spec } = parseArgs({ args: [...args], options: { spec: { type: 'string' } } }).values;
  if (spec === undefined) throw new UserError(USAGE);
  const document = documentSchema.parse(JSON.parse(await readFile(spec, 'utf8')));
  const exchanges = await recordExchanges();
  const validatorFor = createValidators(document);
  const faults = exchanges.flatMap(({ method, path, request, reply }) => {
    const operation = `${templateOf(path)}/${method}`;
    // A request without a body is known by its path; Adyen's document has no errors of such requests.
    const asked = method === 'post' ? faultsOf(`request to ${path}`, request, validatorFor(operation, 'request')) : [];
    if (method === 'delete') return isDocumented(document, operation) ? asked : [`${path} is not in the document`];
    return [
      ...asked,
      ...faultsOf(`reply ${reply.status} of ${path}`, reply.body, validatorFor(operation, reply.status)),
    ];
  });
  const examples = Object.entries(document.components.examples).filter(([name]) => /^post-payments-.*-200$/.test(name));
  const unreadable = examples.filter(([, { value }]) => !paymentReplySchema.safeParse(value).success);
  faults.push(...unreadable.map(([name]) => `the adapter cannot read the example ${name}`));
  for (const fault of faults) console.error(fault);
  console.log(`${exchanges.length} exchanges and ${examples.length} examples, ${faults.length} faults`);
  return faults.length === 0 && exchanges.length > 0 && examples.length > 0 ? 0 : 1;
}

/** Has the adapter send every kind of request, and meet every kind of reply. */
async function recordExchanges(): Promise<readonly Exchange[]> {
  const exchanges: Exchange[] = [];
  const fake = await startFakeAdyen({ ...CREDENTIALS, observe: (exchange) => exchanges.push(exchange) });
  const settings = { name: 'adyen', environment: 'sandbox', apiUrl: fake.url, timeoutMs: 5_000 } as const;
  const provider = ADYEN.create({ ...settings, credentials: CREDENTIALS });
  try {
    await ADYEN.check({ ...settings, credentials: CREDENTIALS }, newSignal());
    await ADYEN.check({ ...settings, credentials: { ...CREDENTIALS, apiKey: 'wrong' } }, newSignal());
    await ADYEN.check({ ...settings, credentials: { ...CREDENTIALS, merchantAccount: 'Other' } }, newSignal());
    for (const resultCode of ['Refused', 'Error', 'Cancelled', 'Pending', 'Received', 'RedirectShopper'] as const) {
      const request = requestWith(CARD);
      fake.setBehaviour(request.attemptId, { resultCode });
      await provider.authorize(request, newSignal());
    }
    await provider.authorize({ ...requestWith(CARD), engineReturnUrl: null }, newSignal());
    await provider.authorize(requestWith(cardOf('42')), newSignal());
    for (const decision of ['approve', 'refuse'] as const) await authenticate(fake, provider, decision);
    await payAndRefund(provider);
    await captureAndCancel(provider);
    await saveAndChargeAgain(provider);
  } finally {
    await fake.close();
  }
  return exchanges;
}

/** Has a customer go to the issuer and come back, and sends the result. */
async function authenticate(fake: FakeAdyen, provider: PaymentProvider, decision: 'approve' | 'refuse'): Promise<void> {
  const request = { ...requestWith(CARD), metadata: { customer_email: 'a.customer@example.com' } };
  fake.setBehaviour(request.attemptId, { resultCode: 'RedirectShopper' });
  const outcome = await provider.authorize(request, newSignal());
  if (outcome.kind !== 'requires_action' || outcome.nextAction.type !== 'redirect') {
    throw new Error(`the customer was not sent to the issuer: ${outcome.kind}`);
  }
  const { headers } = await fetch(`${outcome.nextAction.url}?decision=${decision}`, { redirect: 'manual' });
  request.customerReturn.comeBack(new URL(headers.get('location') ?? '').searchParams.get('redirectResult') ?? '');
  await provider.inquire(request, newSignal());
  const forged = requestWith(CARD);
  forged.customerReturn.comeBack('made up');
  await provider.inquire(forged, newSignal());
}

async function payAndRefund(provider: PaymentProvider): Promise<void> {
  const request = { ...requestWith(CARD), returnUrl: 'https://shop.example/done' };
  const providerPaymentId = await paymentIdOf(provider, request);
  await provider.refund({ ...request, refundId: newId('refund'), providerPaymentId }, newSignal());
}

/** Every way to keep a card and to charge it again; the removal has neither a body nor a reply. */
async function saveAndChargeAgain(provider: PaymentProvider): Promise<void> {
  const customerId = newId('customer');
  const card = { type: 'card', brand: 'visa', last4: '1111', expiryMonth: 12, expiryYear: 2039 } as const;
  if (CARD.type !== 'card') throw new Error('a card is saved');
  for (const usage of ['on_session', 'off_session'] as const) {
    const request = requestWith({ ...CARD, saving: { customerId, usage } });
    const providerPaymentId = await paymentIdOf(provider, request);
    const credential = await provider.readCredential?.(
      { ...request, providerPaymentId, customerId, card },
      newSignal(),
    );
    if (credential?.token == null) throw new Error('no token was issued');
    const { token, providerCustomerId } = credential;
    for (const use of ['on_session', 'recurring', 'unscheduled'] as const) {
      const saved = { customerId, usage, use, networkTransaction: { id: '777718270854480', linkId: null } };
      const cvc = use === 'on_session' ? '737' : null;
      await paymentIdOf(provider, requestWith({ type: 'saved_card_token', token, providerCustomerId, cvc, saved }));
      await paymentIdOf(provider, requestWith({ ...CARD, cvc, saved }));
    }
    await provider.removeCredential?.({ environment: 'sandbox', customerId, token, providerCustomerId }, newSignal());
    await provider.removeCredential?.({ environment: 'sandbox', customerId, token, providerCustomerId }, newSignal());
  }
}

async function captureAndCancel(provider: PaymentProvider): Promise<void> {
  const request = requestWith(CARD, 'manual');
  const providerPaymentId = await paymentIdOf(provider, request);
  await provider.capture({ ...request, providerPaymentId, amountMinor: 1000 }, newSignal());
  await provider.close({ ...request, providerPaymentId }, newSignal());
  await provider.close(request, newSignal());
}

async function paymentIdOf(provider: PaymentProvider, request: ReturnType<typeof requestWith>): Promise<string> {
  const outcome = await provider.authorize(request, newSignal());
  if (outcome.kind !== 'approved') throw new Error(`the payment was not approved: ${outcome.kind}`);
  return outcome.providerPaymentId;
}

/** The path as the document names it. */
function templateOf(path: string): string {
  return path
    .replace(/^\/v72/, '')
    .replace(/\?.*$/, '')
    .replace(/^\/payments\/[^/]+\//, '/payments/{paymentPspReference}/')
    .replace(/^\/storedPaymentMethods\/[^/]+$/, '/storedPaymentMethods/{storedPaymentMethodId}');
}

function isDocumented({ paths }: z.infer<typeof documentSchema>, operation: string): boolean {
  const at = operation.lastIndexOf('/');
  return (
    z.record(z.string(), z.unknown()).safeParse(paths[operation.slice(0, at)]).data?.[operation.slice(at + 1)] !==
    undefined
  );
}

/** @param operation the path and the method, such as `/payments/post` */
type ValidatorFor = (operation: string, part: 'request' | number) => ValidateFunction;

/** Validators by JSON pointers into the document. */
function createValidators(document: z.infer<typeof documentSchema>): ValidatorFor {
  const ajv = new Ajv2020({ strict: false, allErrors: true, formats: { int32: true, int64: true } });
  addFormats.default(ajv);
  ajv.addSchema(document, 'adyen');
  return (named, part) => {
    const at = named.lastIndexOf('/');
    const operation = `/paths/${named.slice(0, at).replaceAll('/', '~1')}/${named.slice(at + 1)}`;
    const message = part === 'request' ? 'requestBody' : `responses/${part}`;
    const pointer = encodeURI(`${operation}/${message}/content/application~1json/schema`);
    return ajv.compile({ $ref: `adyen#${pointer}` });
  };
}

function faultsOf(what: string, value: unknown, validate: ValidateFunction): readonly string[] {
  if (validate(value)) return [];
  return (validate.errors ?? []).map(({ instancePath, message }) => `${what}: ${instancePath} ${message ?? ''}`);
}
