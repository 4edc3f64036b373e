import { ApplicationFailure } from '@temporalio/activity';
import { strayChargeIdOf } from '../domain/ids.ts';
import type { TimelineEntry } from '../domain/payment-step.ts';
import type { InquiryOutcome } from '../domain/provider-outcome.ts';
import {
  type ClosedStrayCharge,
  describeStrayCharge,
  STRAY_CHARGE_STATUSES,
  type StrayCharge,
  type StrayChargeEnd,
  type StrayChargeStatus,
  strayChargeOf,
} from '../domain/stray-charge.ts';
import { reportedEntry, resolveStrayCharge, takeoverEntry } from '../domain/stray-charge-resolution.ts';
import type { Database } from '../prisma/connection/client.ts';
import { recordOutsideWorkflow } from '../prisma/stores/payment-store.ts';
import type { InquiryRequest, PaymentProvider } from '../providers/payment-provider.ts';
import type { ProviderRegistry } from '../providers/provider-registry.ts';
import { type InquiryDependencies, inquiryOf } from './inquiry-request.ts';
import {
  describeNoAnswer,
  notingFailures,
  outcomeOpen,
  providerOf,
  tryNumber,
  retryWhileDatabaseIsUnavailable,
  withHeartbeat,
} from './provider-calls.ts';
import { stepIdentity, timeNow } from './record-step.ts';
import type { RecordStrayChargeRequest, StrayChargeAtProvider } from '../protocol/stray-charge-activities.ts';

export interface StrayChargeDependencies extends InquiryDependencies {
  readonly registry: ProviderRegistry;
  /** Throws where the stray charge is not recorded. */
  readonly requireRow: (charge: StrayChargeAtProvider) => Promise<void>;
  /** The recorded state of an attempt's stray charge; null where there is none. */
  readonly statusOf: (attemptId: string) => Promise<StrayChargeStatus | null>;
}

/**
 * Requires the row of a stray charge, because anybody who reaches Temporal can start a workflow with a made-up input.
 * @throws ApplicationFailure of the type `STRAY_CHARGE_UNKNOWN` where there is no such row
 */
export async function requireStrayChargeRow(
  { strayCharge }: Pick<Database, 'strayCharge'>,
  { attemptId, paymentIntentId, environment, provider }: StrayChargeAtProvider,
): Promise<void> {
  const rows = await strayCharge.count({ where: { attemptId, paymentIntentId, environment, provider } });
  if (rows > 0) return;
  throw ApplicationFailure.nonRetryable(`${attemptId}: there is no such stray charge`, 'STRAY_CHARGE_UNKNOWN');
}

/** The recorded state of an attempt's stray charge; null where there is none. */
export async function readStrayChargeStatus(
  { strayCharge }: Pick<Database, 'strayCharge'>,
  attemptId: string,
): Promise<StrayChargeStatus | null> {
  const row = await strayCharge.findUnique({ where: { attemptId }, select: { status: true } });
  return STRAY_CHARGE_STATUSES.find((status) => status === row?.status) ?? null;
}

/** The number of unanswered inquiries in the timeline; inquiries are repeated without limit. */
const NOTED_TRIES = 3;

/**
 * Inquires whether the provider holds or captured money. First adds the report, once for all runs, and the takeover to the
 * timeline.
 */
export function inquireStrayCharge(
  dependencies: StrayChargeDependencies,
  charge: StrayChargeAtProvider,
): Promise<StrayCharge> {
  return withHeartbeat(async (signal) => {
    await dependencies.requireRow(charge);
    await note(dependencies, charge, reportedEntry(charge), `${strayChargeIdOf(charge.attemptId)}:report`);
    if (charge.takeOverAfter !== undefined) {
      await note(dependencies, charge, takeoverEntry(charge.takeOverAfter), stepIdentity('takeover').stepId);
    }
    return ask(dependencies, charge, {
      call: (provider, request) => provider.inquire(request, signal),
      answer: strayChargeOf,
      description: 'asked what became of',
    });
  });
}

/** Has the provider void its hold; fails, so that it is retried, while something is held. */
export function voidStrayCharge(
  dependencies: StrayChargeDependencies,
  charge: StrayChargeAtProvider,
): Promise<ClosedStrayCharge> {
  return withHeartbeat(async (signal) => {
    await dependencies.requireRow(charge);
    return ask(dependencies, charge, {
      call: (provider, request) => provider.close(request, signal),
      answer: (outcome) => {
        const found = strayChargeOf(outcome);
        if (found.kind === 'held' || found.kind === 'open') throw outcomeOpen(charge, describeStrayCharge(found));
        return found;
      },
      description: 'told to void',
    });
  });
}

/** Writes the end of a stray charge, exactly once: its row, the payment's timeline and the event are one step. */
export async function recordStrayCharge(
  { payments, statusOf }: Pick<StrayChargeDependencies, 'payments' | 'statusOf'>,
  { end, at, ...charge }: RecordStrayChargeRequest,
): Promise<void> {
  const { attemptId, paymentIntentId } = charge;
  const { stepId } = stepIdentity('end');
  const step = resolveStrayCharge(charge, end);
  // An earlier run that was terminated may have ended it already.
  await recordOutsideWorkflow(payments, { paymentIntentId, step, stepId, at }, async () =>
    mayEnd(await statusOf(attemptId), end),
  );
}

/** Whether an end is news: a charge that the provider has refused to refund may still be returned. */
function mayEnd(status: StrayChargeStatus | null, end: StrayChargeEnd): boolean {
  return status === 'pending' || (status === 'failed' && end.kind !== 'refused');
}

interface ProviderRequest<Answer extends StrayCharge> {
  readonly call: (provider: PaymentProvider, request: InquiryRequest) => Promise<InquiryOutcome>;
  /** Checks the outcome. @throws ApplicationFailure if the call must be repeated */
  readonly answer: (outcome: InquiryOutcome) => Answer;
  /** The request as the timeline shows it: `alpha, asked … attempt 1`. */
  readonly description: string;
}

async function ask<Answer extends StrayCharge>(
  dependencies: StrayChargeDependencies,
  charge: StrayChargeAtProvider,
  { call, answer, description }: ProviderRequest<Answer>,
): Promise<Answer> {
  const { attemptNumber, provider } = charge;
  const asked = `${provider}, ${description} attempt ${attemptNumber}`;
  const noteAnswer = (said: string, noteId = String(tryNumber())): Promise<void> =>
    note(dependencies, charge, { kind: 'inquiry', summary: `${asked}${said}` }, stepIdentity(`try ${noteId}`).stepId);
  const adapter = await providerOf(dependencies.registry, charge);
  const request = await retryWhileDatabaseIsUnavailable(() => inquiryOf(dependencies, charge));
  const outcome = await notingFailures(
    NOTED_TRIES,
    () => call(adapter, request),
    (error, noteId) => noteAnswer(`, ${describeNoAnswer(error)}`, noteId),
  );
  const found = answer(outcome);
  await noteAnswer(`: ${describeStrayCharge(found)}`);
  return found;
}

function note(
  { payments }: Pick<StrayChargeDependencies, 'payments'>,
  { paymentIntentId }: StrayChargeAtProvider,
  entry: TimelineEntry,
  stepId: string,
): Promise<void> {
  const step = { timeline: [entry] } as const;
  return retryWhileDatabaseIsUnavailable(() =>
    recordOutsideWorkflow(payments, { paymentIntentId, step, stepId, at: timeNow() }),
  );
}
