import { CancellationScope, setHandler, upsertSearchAttributes } from '@temporalio/workflow';
import { formatMoney } from '../../domain/money.ts';
import type { FinalRefundOutcome } from '../../domain/provider-outcome.ts';
import { ACCEPTED_REFUND_WAITING_AFTER_MS, WAITING_AFTER_MS } from '../../domain/time-limits.ts';
import {
  type ManualResolutionAnswer,
  REFUND_RESOLUTIONS,
  type RefundInput,
  type ResolveRefundRequest,
  resolveRefundUpdate,
  showAdvisorySignal,
} from '../../protocol/messages.ts';
import { isFailureOf } from '../shared/activity-failure.ts';
import {
  ASKS_FOR_SECOND_PERSON,
  isAmount,
  isManualResolution,
  isName,
  OneResolution,
  requireShape,
  unresolvable,
} from '../shared/manual-resolution.ts';
import { type ReportedMoney, reportedMoneyOf } from '../shared/reported-money.ts';
import { waitingSearchAttributes } from '../../protocol/search-attributes.ts';
import { records, singleInquiries } from './activity-proxies.ts';
import { atProvider } from './complete.ts';

/** What support staff may read and end. */
interface RefundWait {
  /** The final outcome that ends the wait; null before. */
  readonly reported: () => FinalRefundOutcome | null;
  /** Ends the wait with an outcome. */
  readonly resolve: (outcome: FinalRefundOutcome) => void;
}

/** Sets the handlers of what support staff send to a refund, and of the signal that it waits for long. */
export function handleRefundSupport(input: RefundInput, wait: RefundWait): void {
  const sinceMs = Date.now();
  const waitedMs = (): number => Date.now() - sinceMs;
  const resolution = new OneResolution();
  setHandler(showAdvisorySignal, () => {
    if (wait.reported() === null) upsertSearchAttributes(waitingSearchAttributes());
  });
  setHandler(
    resolveRefundUpdate,
    (request) =>
      CancellationScope.nonCancellable(() =>
        resolution.run(() => resolveByHand({ input, wait, waitedMs, resolution }, request)),
      ),
    {
      validator: (request: unknown) => {
        requireShape(isResolution(request), SHAPE);
        resolution.refuseWhileAtWork();
        if (wait.reported() !== null) throw unresolvable('The refund has ended.');
        if (waitedMs() < WAITING_AFTER_MS)
          throw unresolvable('Only a refund that has waited for minutes is resolved by hand.');
      },
      description: `Ends a refund whose provider does not answer, once two people have sent the same. ${SHAPE}`,
    },
  );
}

const SHAPE =
  'Input: {"by": "your name", "note": "what you checked", "outcome": "not_refunded"}, or "outcome": "refunded" with ' +
  '"providerRefundId", and with "amountMinor" where the provider reports another amount. No card numbers.';

function isResolution(message: unknown): message is ResolveRefundRequest {
  if (!isManualResolution(message)) return false;
  const { outcome, providerRefundId, amountMinor } = message;
  if (outcome === 'refunded') return isName(providerRefundId) && (amountMinor === undefined || isAmount(amountMinor));
  const isKnown = REFUND_RESOLUTIONS.some((known) => known === outcome);
  return isKnown && providerRefundId === undefined && amountMinor === undefined;
}

interface ResolutionContext {
  readonly input: RefundInput;
  readonly wait: RefundWait;
  readonly waitedMs: () => number;
  readonly resolution: OneResolution;
}

async function resolveByHand(
  { input, wait, waitedMs, resolution }: ResolutionContext,
  request: ResolveRefundRequest,
): Promise<ManualResolutionAnswer> {
  const answer = await inquireOnce(input);
  if (answer.kind === 'answered') wait.resolve(answer.outcome);
  const objection = objectionTo(input, answer, request, waitedMs());
  if (objection !== null) throw unresolvable(objection);
  if (wait.reported() !== null) throw unresolvable('Not resolved: the refund has ended.');
  const { by, note, outcome, providerRefundId, amountMinor } = request;
  const agreedOn = [outcome, providerRefundId ?? null, amountMinor ?? null];
  const isConfirmed = resolution.confirms(request, agreedOn);
  const change = {
    outcome,
    note,
    ...(providerRefundId === undefined ? {} : { providerRefundId }),
    ...(amountMinor === undefined ? {} : { amountMinor }),
  };
  const summary = isConfirmed ? `Resolve the refund by hand as ${outcome}` : `${by} asks to resolve it as ${outcome}`;
  await records.noteRefundResolution.executeWithOptions({ summary }, [
    { ...atProvider(input), paymentIntentId: input.paymentIntentId, by, change, isConfirmed },
  ]);
  if (wait.reported() !== null) throw unresolvable('Not resolved: the refund has ended.');
  if (!isConfirmed) return { answer: ASKS_FOR_SECOND_PERSON, isResolved: false };
  wait.resolve(outcomeOf(input, request));
  return { answer: `Resolved by hand as ${outcome}`, isResolved: true };
}

/** What one inquiry brought; `open` where the provider has accepted the refund and not ended it. */
type Answer =
  | { readonly kind: 'none' | 'open' }
  | { readonly kind: 'another_amount'; readonly reported: ReportedMoney }
  | { readonly kind: 'answered'; readonly outcome: FinalRefundOutcome };

async function inquireOnce(input: RefundInput): Promise<Answer> {
  const summary = `Ask ${input.provider} at once what became of the refund`;
  try {
    return {
      kind: 'answered',
      outcome: await singleInquiries.awaitRefund.executeWithOptions({ summary }, [atProvider(input)]),
    };
  } catch (error) {
    if (isFailureOf(error, 'OUTCOME_OPEN')) return { kind: 'open' };
    const reported = reportedMoneyOf(error);
    return reported === null ? { kind: 'none' } : { kind: 'another_amount', reported };
  }
}

/** Why a resolution is refused; null where it contradicts nothing that the provider says. */
function objectionTo(
  { provider, currency }: RefundInput,
  answer: Answer,
  { outcome, amountMinor }: ResolveRefundRequest,
  waitedMs: number,
): string | null {
  if (answer.kind === 'answered')
    return `Not resolved: ${provider} answers: ${answer.outcome.kind.replaceAll('_', ' ')}.`;
  if (answer.kind === 'another_amount') {
    const { reported } = answer;
    if (outcome === 'refunded' && reported.currency === currency && amountMinor === reported.amountMinor) return null;
    const amount = formatMoney(reported.amountMinor, reported.currency);
    return reported.currency === currency
      ? `Not resolved: ${provider} reports ${amount}. Send "refunded" with "amountMinor": ${reported.amountMinor}.`
      : `Not resolved: ${provider} reports ${amount}, in another currency. Ask it to correct its report.`;
  }
  if (amountMinor !== undefined) return `Not resolved: ${provider} reports no other amount.`;
  const isTooEarly = answer.kind === 'open' && waitedMs < ACCEPTED_REFUND_WAITING_AFTER_MS;
  return isTooEarly ? `Not resolved: ${provider} has accepted the refund, and banks take days.` : null;
}

function outcomeOf(input: RefundInput, request: ResolveRefundRequest): FinalRefundOutcome {
  const { providerRefundId, amountMinor = input.amountMinor } = request;
  if (providerRefundId === undefined) {
    return { kind: 'refused', providerRefundId: null, details: { reason: 'resolved_by_hand' } };
  }
  return { kind: 'refunded', providerRefundId, amountMinor, currency: input.currency };
}
