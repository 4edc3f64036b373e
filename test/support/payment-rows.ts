import { attemptIdOf, transactionIdOf } from '../../domain/ids.ts';
import { newId } from '../../domain/new-id.ts';
import { createDepositStore } from '../../prisma/stores/deposit-store.ts';
import type { Database } from '../../prisma/connection/client.ts';
import type { Prisma } from '../../prisma/generated/client.ts';

/** Puts a merchant and one of its sandbox accounts into the database; `overrides` win. Returns the account's id. */
export async function insertMerchantAccount(
  database: Database,
  overrides: Partial<Pick<Prisma.MerchantAccountUncheckedCreateInput, 'id' | 'environment'>> = {},
): Promise<string> {
  const account = await database.merchantAccount.create({
    data: {
      id: newId('merchantAccount'),
      environment: 'sandbox',
      name: 'Test account',
      merchant: { create: { id: newId('merchant'), name: 'Test merchant' } },
      ...overrides,
    },
  });
  return account.id;
}

/** Puts an API key of an account into the database, with which nobody can sign. Returns its id. */
export async function insertApiKey(database: Database, merchantAccountId: string): Promise<string> {
  const { merchantId, environment } = await database.merchantAccount.findUniqueOrThrow({
    where: { id: merchantAccountId },
  });
  const id = newId('apiKey');
  const secrets = { prefix: 'svc_test_', keyHash: `hash of ${id}`, saltHash: '' };
  await database.apiKey.create({ data: { id, merchantId, merchantAccountId, environment, name: 'Key', ...secrets } });
  return id;
}

/** Puts an intent of 10.00 USD into the database; `overrides` win. */
export async function insertPaymentIntent(
  database: Database,
  merchantAccountId: string,
  overrides: Partial<Prisma.PaymentIntentUncheckedCreateInput> = {},
): Promise<string> {
  const id = newId('paymentIntent');
  await database.paymentIntent.create({
    data: {
      id,
      merchantAccountId,
      environment: 'sandbox',
      amountMinor: 1_000n,
      currency: 'USD',
      status: 'requires_payment_method',
      captureMethod: 'automatic',
      clientSecretHash: `hash of ${id}`,
      attemptBudget: 5,
      expiresAt: new Date(Date.now() + 1_800_000),
      ...overrides,
    },
  });
  return overrides.id ?? id;
}

/** Puts the first attempt of an intent into the database: 10.00 USD at alpha, without an outcome; `overrides` win. Returns its id. */
export async function insertPaymentAttempt(
  database: Database,
  paymentIntentId: string,
  overrides: Partial<Prisma.PaymentAttemptUncheckedCreateInput> = {},
): Promise<string> {
  const id = attemptIdOf(paymentIntentId, 1);
  await database.paymentAttempt.create({
    data: {
      id,
      paymentIntentId,
      number: 1,
      routeId: 'rt_1',
      provider: 'alpha',
      paymentMethodId: 'pm_1',
      amountMinor: 1_000n,
      currency: 'USD',
      tries: 1,
      startedAt: new Date(),
      ...overrides,
    },
  });
  return id;
}

/** Puts an address for the first attempt of a payment into the database, with a deposit that has not ended. */
export async function insertOpenDeposit(database: Database, paymentIntentId: string): Promise<void> {
  const attemptId = attemptIdOf(paymentIntentId, 1);
  const token = { asset: 'USDC', network: 'ethereum', contract: '0x2', decimals: 6, expected: 10_000_000n };
  const terms = { amountMinor: 1_000, currency: 'USD', confirmations: 3, quoteExpiresAt: new Date() };
  const place = { attemptId, paymentIntentId, provider: 'evm', address: attemptId };
  const store = createDepositStore(database);
  await store.open({ ...place, ...token, ...terms, index: await store.nextIndex() }, { number: 1, hash: '0x3' });
}

/** Puts a pending refund of 3.00 USD into the database; `overrides` win. The intent's money is left as it is. */
export async function insertRefund(
  database: Database,
  paymentIntentId: string,
  overrides: Partial<Prisma.RefundUncheckedCreateInput> = {},
): Promise<string> {
  const id = newId('refund');
  const intent = await database.paymentIntent.findUniqueOrThrow({ where: { id: paymentIntentId } });
  await database.refund.create({
    data: {
      id,
      paymentIntentId,
      transactionId: transactionIdOf(paymentIntentId, 1, 'capture'),
      attemptId: attemptIdOf(paymentIntentId, 1),
      merchantAccountId: intent.merchantAccountId,
      environment: intent.environment,
      amountMinor: 300n,
      currency: intent.currency,
      status: 'pending',
      provider: 'alpha',
      providerPaymentId: 'sim_1',
      ...overrides,
    },
  });
  return id;
}

export interface NewEventRow {
  readonly merchantAccountId: string;
  readonly paymentIntentId: string;
  /** What the event is about, where that is not the payment. */
  readonly otherResourceId?: string | undefined;
  readonly type?: string;
  readonly status?: string;
  readonly version?: number;
  readonly failure?: Prisma.InputJsonObject;
  readonly createdAt?: Date;
}

/** Inserts an event without a number; returns its id. */
export async function insertEvent(
  database: Pick<Database, 'event'>,
  { merchantAccountId, paymentIntentId, otherResourceId, type, status, version, failure, createdAt }: NewEventRow,
): Promise<string> {
  const id = newId('event');
  await database.event.create({
    data: {
      id,
      merchantAccountId,
      environment: 'sandbox',
      type: type ?? 'payment_intent.processing',
      resourceId: otherResourceId ?? paymentIntentId,
      paymentIntentId,
      version: version ?? 1,
      ...(failure && { failure }),
      snapshot: { intent: { id: paymentIntentId, status: status ?? 'processing' }, attempts: [] },
      createdAt: createdAt ?? new Date(),
    },
  });
  return id;
}

/** Puts an active route to a provider into the database, by which attempts of the account may begin. */
export async function insertRouteTo(database: Database, account: string, provider: string, id = 'rt_1'): Promise<void> {
  const { merchantId, environment } = await database.merchantAccount.findUniqueOrThrow({ where: { id: account } });
  const data = { id, merchantId, environment, provider, method: 'card' };
  await database.paymentRoute.create({ data: { ...data, currencies: [], countries: [], excludedCountries: [] } });
}
