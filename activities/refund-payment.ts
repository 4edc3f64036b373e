import { activityInfo, ApplicationFailure } from '@temporalio/activity';
import { attemptIdOfStrayCharge } from '../domain/ids.ts';
import {
  isFinalRefund,
  refundAgrees,
  type FinalRefundOutcome,
  type RefundInquiryOutcome,
} from '../domain/provider-outcome.ts';
import type { RefundStatus } from '../domain/refund.ts';
import type { Database } from '../prisma/connection/client.ts';
import { acceptRefund, beginRefund } from '../prisma/queries/refund.ts';
import { selectRefundEnd } from '../prisma/queries/refund-end.ts';
import type { ProviderRegistry } from '../providers/provider-registry.ts';
import { STRAY_CHARGE_WORKFLOW } from '../protocol/messages.ts';
import { amountDiffers, outcomeOpen, providerOf, tryNumber, withHeartbeat } from './provider-calls.ts';
import type { ProviderReports } from './provider-reports.ts';
import type { RefundAtProvider, RefundPaymentRequest, RefundPaymentResult } from '../protocol/refund-activities.ts';

export interface RefundDependencies {
  readonly registry: ProviderRegistry;
  readonly reports: ProviderReports;
}

/** What the calls of refunds, and of the refunds of stray charges, read and write. */
export interface RefundRows {
  /** @throws ApplicationFailure of the type `REFUND_UNKNOWN` where there is no such row */
  readonly requireRow: (refund: RefundPaymentRequest) => Promise<void>;
  /** The recorded end; null while the refund is pending. */
  readonly recordedOutcome: (refund: RefundAtProvider) => Promise<FinalRefundOutcome | null>;
  /** Notes when the provider is first asked. @returns that time; undefined where no refund is pending */
  readonly begin: (refundId: string) => Promise<Date | undefined>;
  /** Notes that the provider has accepted a refund which it has not ended yet. */
  readonly accept: (refundId: string, providerRefundId: string) => Promise<void>;
}

/** The rows in the database. */
export function createRefundRows(database: Pick<Database, 'refund' | 'strayCharge' | 'direct'>): RefundRows {
  const { direct } = database;
  return {
    requireRow: (refund) => requireRefundRow(database, refund),
    recordedOutcome: (refund) => recordedOutcome(database, refund),
    begin: async (refundId) => (await direct.row(beginRefund(refundId)))?.requestedAt ?? undefined,
    accept: async (refundId, providerRefundId) => {
      await direct.execute(acceptRefund(refundId, providerRefundId));
    },
  };
}

/** A refund at its provider, with the time of the first request for it. */
type Begun<Refund> = Refund & { readonly requestedAt?: string };

/**
 * Notes that the provider is about to be asked, and since when it is: from then on the idempotency key grows older. The refund of a
 * stray charge has no row to note it in.
 */
export async function beginRefundCall<Refund extends RefundAtProvider>(
  { begin }: Pick<RefundRows, 'begin'>,
  refund: Refund,
): Promise<Begun<Refund>> {
  const requestedAt = (await begin(refund.refundId))?.toISOString();
  return requestedAt === undefined ? refund : { ...refund, requestedAt };
}

/**
 * Asks the provider for a refund, repeatedly under the refund's key until the provider has answered: an earlier request may
 * still be on its way. After a response of unknown shape the activity makes an inquiry. Its result also covers the earlier
 * requests, because an inquiry that finds no refund closes the key.
 */
export async function refundPayment(
  dependencies: RefundDependencies,
  request: Begun<RefundPaymentRequest>,
): Promise<RefundPaymentResult> {
  const provider = await providerOf(dependencies.registry, request);
  const { provider: _, ...refund } = request;
  const tries = tryNumber();
  return withHeartbeat(async (signal) => {
    const outcome = await provider.refund(refund, signal);
    if (outcome.kind !== 'unrecognised') {
      return { outcome: requireSameAmount(request, outcome), unrecognised: null, tries };
    }
    const state = await inquire(dependencies, request, signal);
    return { outcome: state, unrecognised: outcome.providerResponse, tries };
  });
}

/**
 * Requires the row of a refund or stray charge, because anybody who reaches Temporal can start a workflow with a made-up input.
 * @throws ApplicationFailure of the type `REFUND_UNKNOWN` where there is no such row
 */
export async function requireRefundRow(
  database: Pick<Database, 'refund' | 'strayCharge'>,
  { refundId, provider, environment, attemptId, providerPaymentId, amountMinor, currency }: RefundPaymentRequest,
): Promise<void> {
  const atProvider = { provider, environment, attemptId };
  const money = { providerPaymentId, amountMinor: BigInt(amountMinor), currency };
  // The row of a stray charge has no amount yet. Only its own workflow takes the amount from the provider's answer.
  const isReversal =
    attemptIdOfStrayCharge(refundId) === attemptId && activityInfo().workflowType === STRAY_CHARGE_WORKFLOW;
  const rows = isReversal
    ? await database.strayCharge.count({ where: atProvider })
    : await database.refund.count({ where: { id: refundId, ...atProvider, ...money } });
  if (rows === 0) throw ApplicationFailure.nonRetryable(`${refundId}: there is no such refund`, 'REFUND_UNKNOWN');
}

/**
 * The recorded end of a refund or of a stray charge's refund; null while it is pending. A workflow that was reset repeats its calls,
 * and so does a further run of a stray charge. After the end the money may have been returned otherwise, so nobody asks the provider
 * again, whose answer may be another one by then.
 */
async function recordedOutcome(
  database: Pick<Database, 'strayCharge' | 'direct'>,
  { refundId, attemptId, amountMinor, currency }: RefundAtProvider,
): Promise<FinalRefundOutcome | null> {
  const isStray = attemptIdOfStrayCharge(refundId) === attemptId;
  const end = isStray ? await reversalEnd(database, attemptId) : await database.direct.row(selectRefundEnd(refundId));
  if (end?.status === 'succeeded') {
    return { kind: 'refunded', providerRefundId: end.providerRefundId ?? '', amountMinor, currency };
  }
  if (end?.status !== 'failed') return null;
  const { provider: _, ...details } = end.failure?.details ?? {};
  return { kind: 'refused', providerRefundId: end.providerRefundId, details };
}

/** An unfounded stray charge that has money after all is still to be returned. */
async function reversalEnd({ strayCharge }: Pick<Database, 'strayCharge'>, attemptId: string) {
  const row = await strayCharge.findUnique({ where: { attemptId }, select: { status: true } });
  const status = STATUS_OF_REVERSAL.get(row?.status ?? '') ?? 'pending';
  return { status, providerRefundId: null, failure: null };
}

const STATUS_OF_REVERSAL: ReadonlyMap<string, RefundStatus> = new Map([
  ['reversed', 'succeeded'],
  ['failed', 'failed'],
]);

/** Inquires about a refund; fails, so that it is retried, while the refund is pending. */
export async function awaitRefund(
  dependencies: RefundDependencies,
  refund: Begun<RefundAtProvider>,
): Promise<FinalRefundOutcome> {
  const outcome = await withHeartbeat((signal) => inquire(dependencies, refund, signal));
  if (isFinalRefund(outcome)) return outcome;
  throw outcomeOpen(refund, outcome.kind);
}

async function inquire(
  { registry, reports }: RefundDependencies,
  refund: Begun<RefundAtProvider>,
  signal: AbortSignal,
): Promise<RefundInquiryOutcome> {
  const provider = await providerOf(registry, refund);
  const { provider: _, ...reference } = refund;
  const loadReported = (): Promise<RefundInquiryOutcome | null> => reports.ofRefund(refund);
  return requireSameAmount(refund, await provider.inquireRefund({ ...reference, loadReported }, signal));
}

/** A reported amount that differs from the requested one is never recorded; the inquiry is repeated. */
function requireSameAmount(refund: RefundAtProvider, outcome: RefundInquiryOutcome): RefundInquiryOutcome {
  if (outcome.kind !== 'refunded' && outcome.kind !== 'pending') return outcome;
  const { amountMinor, currency, provider, refundId } = refund;
  if (refundAgrees(outcome, { amountMinor, currency })) return outcome;
  const reported = { amountMinor: outcome.amountMinor, currency: outcome.currency };
  throw amountDiffers({ provider, key: refundId }, { amountMinor, currency }, reported);
}
