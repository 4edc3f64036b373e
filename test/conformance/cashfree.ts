import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { Ajv, type ValidateFunction } from 'ajv';
import { parse } from 'yaml';
import { z } from 'zod';
import { UserError } from '../../domain/user-error.ts';
import { CASHFREE } from '../../providers/cashfree/cashfree-provider.ts';
import type { PaymentMethodDetails, PaymentProvider } from '../../providers/payment-provider.ts';
import { CredentialsRefusedError } from '../../providers/provider-errors.ts';
import {
  type FakeCashfree,
  type RecordedExchange,
  startFakeCashfree,
} from '../../sandbox/fakes/cashfree/fake-cashfree.ts';
import { cardOf, newSignal, requestWith } from '../support/provider-contract.ts';
import { newUnique } from '../support/provider-contract/requests.ts';

const CREDENTIALS = { clientId: 'conformance', clientSecret: 'conformance', fallbackPhone: '9999999999' };
const TIMEOUT_MS = 5_000;

const contentSchema = z.record(z.string(), z.object({ schema: z.unknown() }));
const JSON_TYPE = 'application/json';
const operationSchema = z.object({
  parameters: z.array(z.object({ name: z.string(), in: z.string(), required: z.boolean().optional() })),
  requestBody: z.object({ $ref: z.string() }).optional(),
  responses: z.record(z.string(), z.object({ content: contentSchema.optional() })),
});
const documentSchema = z.object({
  paths: z.record(z.string(), z.record(z.string(), z.unknown())),
  components: z.object({
    schemas: z.record(z.string(), z.unknown()),
    requestBodies: z.record(z.string(), z.object({ content: contentSchema })),
  }),
});
type Document = z.output<typeof documentSchema>;

/**
 * Has the adapter make every call to the fake, and checks requests, answers and webhooks against Cashfree's own document:
 * `npm run conformance -- cashfree --spec FILE`.
 * @returns the exit code
 * @throws UserError where no document is named
 */
export async function checkWithCashfree(args: readonly string[]): Promise<number> {
  const file = args[args.indexOf('--spec') + 1];
  if (!args.includes('--spec') || file === undefined) {
    throw new UserError("Name Cashfree's document of the API version 2025-01-01: --spec FILE");
  }
  const check = createCheck(documentSchema.parse(closeObjects(parse(await readFile(file, 'utf8')))));
  const fakes = [await callEverything(false), await callEverything(true)];
  const exchanges = fakes.flatMap((fake) => fake.exchanges);
  const webhooks = fakes.flatMap((fake) => fake.webhooks);
  const faults = [...exchanges.flatMap(check.exchange), ...webhooks.flatMap(({ body }) => check.webhook(body))];
  for (const fault of new Set(faults)) console.error(fault);
  console.log(`${exchanges.length} exchanges and ${webhooks.length} webhooks, ${faults.length} differences`);
  return faults.length === 0 && exchanges.length > 0 ? 0 : 1;
}

/** Makes each call of the adapter, with the answers and errors that it meets. */
async function callEverything(preauthorization: boolean): Promise<FakeCashfree> {
  const fake = await startFakeCashfree({ ...CREDENTIALS, preauthorization });
  const settings = { name: 'cashfree', environment: 'sandbox', apiUrl: fake.url, timeoutMs: TIMEOUT_MS } as const;
  const adapterWith = (secret: Partial<typeof CREDENTIALS>): PaymentProvider =>
    CASHFREE.create({ ...settings, credentials: { ...CREDENTIALS, ...secret, preauthorization } });
  const provider = adapterWith({});
  const method: PaymentMethodDetails = preauthorization ? cardOf('4111111111111111') : { type: 'upi', vpa: null };
  const newAttempt = () => ({
    ...requestWith(method, preauthorization ? 'manual' : 'automatic'),
    currency: 'INR',
    returnUrl: 'https://shop.example/return',
  });
  const begin = async () => {
    const attempt = newAttempt();
    await provider.authorize(attempt, newSignal());
    return { ...attempt, loadAuthorization: () => Promise.resolve(attempt) };
  };

  const paid = await begin();
  await provider.authorize(paid, newSignal());
  await provider.inquire(paid, newSignal());
  fake.ledger.decide(paid.attemptId, 'SUCCESS');
  await provider.inquire(paid, newSignal());
  if (preauthorization) {
    await provider.capture({ ...paid, amountMinor: paid.amountMinor + 1 }, newSignal());
    await provider.capture(paid, newSignal());
    const held = await begin();
    fake.ledger.decide(held.attemptId, 'SUCCESS');
    await provider.close(held, newSignal());
  }
  if (preauthorization) await saveAndPayAgain(provider, fake, newAttempt);
  const refundId = `re_${paid.attemptId.slice(4, 36)}`;
  const refund = { ...paid, refundId, providerPaymentId: '1', loadReported: () => Promise.resolve(null) };
  await provider.inquireRefund(refund, newSignal());
  await provider.refund(refund, newSignal());
  await provider.refund({ ...refund, refundId: `${refundId}_2` }, newSignal());
  await provider.findPayment?.(paid, newSignal());
  const refused = await begin();
  fake.ledger.decide(refused.attemptId, 'FAILED');
  await provider.inquire(refused, newSignal());
  await provider.close(await begin(), newSignal());
  await provider.inquire(newAttempt(), newSignal());
  await assert.rejects(
    adapterWith({ clientSecret: 'wrong' }).authorize(newAttempt(), newSignal()),
    CredentialsRefusedError,
  );
  await fake.close();
  return fake;
}

/** Has a card kept, pays with it, and has it deleted. */
async function saveAndPayAgain(
  provider: PaymentProvider,
  { ledger }: FakeCashfree,
  newAttempt: () => ReturnType<typeof requestWith>,
): Promise<void> {
  const customerId = `cus_${newUnique()}`;
  const number = cardOf('4111111111111111');
  if (number.type !== 'card') throw new Error('a card is saved');
  const saving = { ...newAttempt(), method: { ...number, saving: { customerId, usage: 'on_session' as const } } };
  await provider.authorize(saving, newSignal());
  ledger.decide(saving.attemptId, 'SUCCESS');
  const card = { type: 'card', brand: 'visa', last4: '1111', expiryMonth: 12, expiryYear: 2039 } as const;
  const credential = await provider.readCredential?.({ ...saving, customerId, card }, newSignal());
  if (credential?.token == null) throw new Error('no token was issued');
  const { token, providerCustomerId } = credential;
  const saved = { customerId, usage: 'on_session', use: 'on_session', networkTransaction: null } as const;
  for (const cvc of ['123', null]) {
    const method = { type: 'saved_card_token', token, providerCustomerId, cvc, saved } as const;
    await provider.authorize({ ...newAttempt(), method }, newSignal());
  }
  await provider.removeCredential?.({ environment: 'sandbox', customerId, token, providerCustomerId }, newSignal());
}

interface Check {
  /** What differs from the document; nothing where all is well. */
  exchange(exchange: RecordedExchange): readonly string[];
  webhook(body: Buffer): readonly string[];
}

function createCheck(document: Document): Check {
  const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: false, logger: false });
  ajv.addSchema(document, 'cashfree');
  const compiled = new Map<string, ValidateFunction>();
  const validate = (schema: unknown, value: unknown, description: string): readonly string[] => {
    // References lead into the document.
    const key = JSON.stringify(schema).replaceAll('"#/', '"cashfree#/');
    const isValid = compiled.get(key) ?? ajv.compile(z.record(z.string(), z.unknown()).parse(JSON.parse(key)));
    compiled.set(key, isValid);
    if (isValid(value)) return [];
    return [`${description}: ${ajv.errorsText(isValid.errors, { dataVar: 'value' })}`];
  };

  return {
    exchange({ method, path, headers, request, status, response }) {
      const template = templateOf(document, path);
      const found = template === undefined ? undefined : document.paths[template]?.[method.toLowerCase()];
      const description = `${method} ${template ?? path}`;
      if (found === undefined) return [`${description}: the document has no such operation`];
      const operation = operationSchema.parse(found);
      const missing = operation.parameters.flatMap(({ name, in: place, required = false }) =>
        place === 'header' && required && headers[name.toLowerCase()] === undefined
          ? [`${description}: the header ${name} is missing`]
          : [],
      );
      const asked = document.components.requestBodies[nameIn(operation.requestBody?.$ref ?? '')]?.content[JSON_TYPE];
      const answered = operation.responses[String(status)]?.content?.[JSON_TYPE];
      return [
        ...missing,
        ...(asked === undefined && request === null
          ? []
          : validate(asked?.schema ?? false, request, `${description}, request`)),
        ...(answered === undefined
          ? [`${description}: the document has no answer with status ${status}`]
          : validate(answered.schema, response, `${description}, answer ${status}`)),
      ];
    },
    webhook(body) {
      const event = z
        .object({ type: z.string() })
        .loose()
        .parse(JSON.parse(body.toString('utf8')));
      const name = event.type.startsWith('REFUND') ? 'RefundWebhook' : 'PaymentWebhook';
      return validate({ $ref: `#/components/schemas/${name}` }, event, event.type);
    },
  };
}

/** The path of the document that a request has; one without parameters goes before one with them. */
function templateOf({ paths }: Document, path: string): string | undefined {
  const matches = Object.keys(paths).filter((template) =>
    new RegExp(`^${template.replaceAll(/\{\w+\}/g, '[^/]+')}(?:\\?.*)?$`).test(path),
  );
  return matches.find((template) => template === path) ?? matches[0];
}

function nameIn(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1);
}

/**
 * Cashfree's document allows any further member; here a member that it does not describe is a difference. It requires some
 * members that it describes one level deeper (`channel` of a UPI payment), which nothing could meet.
 */
function closeObjects(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closeObjects);
  if (typeof value !== 'object' || value === null) return value;
  const closed = Object.fromEntries(Object.entries(value).map(([key, member]) => [key, closeObjects(member)]));
  const { type, properties, required, additionalProperties = false } = closed;
  if (type !== 'object' || typeof properties !== 'object' || properties === null) return closed;
  const possible = Array.isArray(required) ? required.filter((name) => String(name) in properties) : [];
  return { ...closed, required: possible, additionalProperties };
}
