import { activityInfo, ApplicationFailure, cancellationSignal, sleep } from '@temporalio/activity';
import { z } from 'zod';
import { SECOND_MS } from '../domain/time.ts';
import { isFinal, isNews, NOT_CALLED, type FinalOutcome, type InquiryOutcome } from '../domain/provider-outcome.ts';
import type { Database } from '../prisma/client.ts';
import type { ProviderRegistry } from '../providers/provider-registry.ts';
import { type Keyring, SealBrokenError } from '../vault/keyring.ts';
import { loadPaymentMethod, PaymentMethodUnavailableError } from '../vault/payment-method-vault.ts';
import type { CallSlots } from './call-slots.ts';
import type {
  AttemptAtProvider,
  AuthorizePaymentRequest,
  AuthorizePaymentResult,
  AwaitPaymentRequest,
  CapturePaymentRequest,
  CapturePaymentResult,
} from './payment-activities.ts';
import { namingOutages, outcomeOpen, providerOf, withHeartbeat } from './with-heartbeat.ts';

const DATABASE_PATIENCE_MS = 40 * SECOND_MS;
const DATABASE_PAUSE_MS = 500;

export interface ProviderCallDependencies {
  readonly database: Database;
  readonly registry: ProviderRegistry;
  readonly keyring: Keyring;
}

/** Decrypts the payment method and asks the provider for the money. */
export async function authorizePayment(
  { database, registry, keyring }: ProviderCallDependencies,
  request: AuthorizePaymentRequest,
): Promise<AuthorizePaymentResult> {
  const provider = providerOf(registry, request);
  const outcome = await withHeartbeat(async (signal) => {
    const parcel = await patiently(signal, () => loadParcel(database, keyring, request));
    return provider.authorize({ ...atProvider(request), ...parcel }, signal);
  });
  return { outcome, tries: (request.triesBefore ?? 0) + activityInfo().attempt };
}

/** The same within a workflow task: one call, without patience. @throws ApplicationFailure of type `NOT_CALLED` */
export async function authorizeAtOnce(
  { database, registry, keyring }: ProviderCallDependencies,
  slots: CallSlots,
  request: AuthorizePaymentRequest,
): Promise<AuthorizePaymentResult> {
  const provider = providerOf(registry, request);
  const giveBack = slots.take(request.provider);
  if (giveBack === null) throw notCalled(`${request.provider} has as many calls open as it may`);
  try {
    const parcel = await loadParcel(database, keyring, request).catch((error: unknown) => {
      throw unusableParcel(error) ?? notCalled(`the payment could not be read: ${String(error)}`);
    });
    const outcome = await namingOutages(() =>
      provider.authorize({ ...atProvider(request), ...parcel }, cancellationSignal()),
    );
    return { outcome, tries: 1 };
  } finally {
    giveBack();
  }
}

function notCalled(message: string): ApplicationFailure {
  return ApplicationFailure.create({ type: NOT_CALLED, message });
}

function atProvider({ attemptId, environment, paymentIntentId, terms }: AuthorizePaymentRequest) {
  const { amountMinor, currency, captureMethod } = terms;
  return { attemptId, environment, paymentIntentId, amountMinor, currency, captureMethod };
}

/** What the provider gets that stays out of histories. */
async function loadParcel(
  database: Database,
  keyring: Keyring,
  { paymentMethodId, paymentIntentId }: AuthorizePaymentRequest,
) {
  const [method, notes] = await Promise.all([
    loadPaymentMethod(database, keyring, paymentMethodId),
    loadNotes(database, paymentIntentId),
  ]);
  return { method, ...notes };
}

const metadataSchema = z.record(z.string(), z.string());

/** What providers get of the merchant's notes, which stay out of histories. */
async function loadNotes(
  database: Database,
  paymentIntentId: string,
): Promise<{ readonly returnUrl: string | null; readonly metadata: Readonly<Record<string, string>> }> {
  const [row] = await database.direct.query<{ readonly returnUrl: string | null; readonly metadata: unknown }[]>`
    SELECT return_url AS "returnUrl", metadata FROM payment_intent WHERE id = ${paymentIntentId}`;
  if (row === undefined) throw new Error(`there is no payment intent ${paymentIntentId}`);
  return { returnUrl: row.returnUrl, metadata: metadataSchema.parse(row.metadata) };
}

/** Repeats reads while the database is away, which must not use up the tries that are meant for the provider. */
async function patiently<T>(signal: AbortSignal, read: () => Promise<T>): Promise<T> {
  const deadline = Date.now() + DATABASE_PATIENCE_MS;
  for (;;) {
    try {
      return await read();
    } catch (error) {
      const unusable = unusableParcel(error);
      if (unusable !== undefined) throw unusable;
      if (signal.aborted || Date.now() > deadline) throw error;
      await sleep(DATABASE_PAUSE_MS);
    }
  }
}

/** The failure for good where the payment method cannot be had any more. */
function unusableParcel(error: unknown): ApplicationFailure | undefined {
  const isGone = error instanceof PaymentMethodUnavailableError || error instanceof SealBrokenError;
  return isGone
    ? ApplicationFailure.create({ type: error.name, message: error.message, nonRetryable: true })
    : undefined;
}

/** Asks the provider once what became of an attempt. */
export async function inquirePayment(registry: ProviderRegistry, attempt: AttemptAtProvider): Promise<InquiryOutcome> {
  const provider = providerOf(registry, attempt);
  return withHeartbeat((signal) => provider.inquire(attempt, signal));
}

/** Asks for news of an attempt; fails, so as to be retried, while there are none. */
export async function awaitPayment(registry: ProviderRegistry, request: AwaitPaymentRequest): Promise<InquiryOutcome> {
  const outcome = await inquirePayment(registry, request);
  return isNews(request.known, outcome) ? outcome : finalOrRetry(request, outcome);
}

/** Asks the provider to take money that it holds. */
export async function capturePayment(
  registry: ProviderRegistry,
  request: CapturePaymentRequest,
): Promise<CapturePaymentResult> {
  const provider = providerOf(registry, request);
  const outcome = await withHeartbeat((signal) => provider.capture(request, signal));
  return { outcome, tries: activityInfo().attempt };
}

/** Calls an attempt off; fails, so as to be retried, while the provider cannot say what holds or still holds the money. */
export async function closePayment(registry: ProviderRegistry, attempt: AttemptAtProvider): Promise<FinalOutcome> {
  const provider = providerOf(registry, attempt);
  const outcome = finalOrRetry(attempt, await withHeartbeat((signal) => provider.close(attempt, signal)));
  if (outcome.kind === 'approved' && !outcome.captured) throw outcomeOpen(attempt, 'the money is still held');
  return outcome;
}

function finalOrRetry(attempt: AttemptAtProvider, outcome: InquiryOutcome): FinalOutcome {
  if (isFinal(outcome)) return outcome;
  throw outcomeOpen(attempt, outcome.kind);
}
