import { CancellationScope, setHandler, upsertSearchAttributes } from '@temporalio/workflow';
import type { StrayCharge, StrayChargeEnd, StrayMoney } from '../../domain/stray-charge.ts';
import { describeStrayCharge } from '../../domain/stray-charge.ts';
import { WAITING_AFTER_MS } from '../../domain/time-limits.ts';
import {
  type ManualResolutionAnswer,
  type ResolveStrayChargeRequest,
  resolveStrayChargeUpdate,
  showAdvisorySignal,
  STRAY_CHARGE_RESOLUTIONS,
  type StrayChargeInput,
} from '../../protocol/messages.ts';
import { waitingSearchAttributes } from '../../protocol/search-attributes.ts';
import {
  ASKS_FOR_SECOND_PERSON,
  isManualResolution,
  OneResolution,
  requireShape,
  unresolvable,
} from '../shared/manual-resolution.ts';
import { records, singleInquiries } from './activity-proxies.ts';

/** How far the reversal is, and how two people end it. */
export interface ReversalWait {
  /** The end that two people have recorded; null before. */
  resolved: StrayChargeEnd | null;
  /** The money that the provider refuses to refund; null while the reversal is under way. */
  refused: StrayMoney | null;
}

/** Sets the handlers of what support staff send to a stray charge, and of the signal that it waits for long. */
export function handleStrayChargeSupport(input: StrayChargeInput, wait: ReversalWait): void {
  const sinceMs = Date.now();
  const resolution = new OneResolution();
  setHandler(showAdvisorySignal, () => {
    if (wait.resolved === null && wait.refused === null) upsertSearchAttributes(waitingSearchAttributes());
  });
  setHandler(
    resolveStrayChargeUpdate,
    (request) =>
      CancellationScope.nonCancellable(() => resolution.run(() => resolveByHand(input, wait, resolution, request))),
    {
      validator: (request: unknown) => {
        requireShape(isResolution(request), SHAPE);
        resolution.refuseWhileAtWork();
        if (wait.resolved !== null) throw unresolvable('The stray charge has ended.');
        if (wait.refused === null && Date.now() - sinceMs < WAITING_AFTER_MS) {
          throw unresolvable('The engine is reversing the stray charge. Wait for some minutes.');
        }
      },
      description: `Ends a stray charge that the provider does not refund, once two people have sent the same. ${SHAPE}`,
    },
  );
}

const SHAPE =
  'Input: {"by": "your name", "note": "how the money was returned", "outcome": "returned"}, or "outcome": "not_charged". ' +
  'No card numbers.';

function isResolution(message: unknown): message is ResolveStrayChargeRequest {
  return isManualResolution(message) && STRAY_CHARGE_RESOLUTIONS.some((known) => known === message.outcome);
}

async function resolveByHand(
  input: StrayChargeInput,
  wait: ReversalWait,
  resolution: OneResolution,
  request: ResolveStrayChargeRequest,
): Promise<ManualResolutionAnswer> {
  const { by, note, outcome } = request;
  const found = await inquireOnce(input);
  if (outcome === 'not_charged' && found !== null && found.kind !== 'nothing') {
    throw unresolvable(`Not resolved: ${input.provider} answers: ${describeStrayCharge(found)}.`);
  }
  const isConfirmed = resolution.confirms(request, [outcome]);
  const summary = isConfirmed ? `Resolve it by hand as ${outcome}` : `${by} asks to resolve it as ${outcome}`;
  await records.noteStrayChargeResolution.executeWithOptions({ summary }, [
    { ...input, by, change: { outcome, note }, isConfirmed },
  ]);
  if (!isConfirmed) return { answer: ASKS_FOR_SECOND_PERSON, isResolved: false };
  wait.resolved =
    outcome === 'not_charged' ? { kind: 'unfounded' } : { kind: 'returned', money: moneyOf(input, wait, found) };
  return { answer: `Resolved by hand as ${outcome}`, isResolved: true };
}

/** What the provider holds or has captured; null where it gives no answer. */
async function inquireOnce(input: StrayChargeInput): Promise<StrayCharge | null> {
  const summary = `Ask ${input.provider} at once what became of attempt ${input.attemptNumber}`;
  return singleInquiries.inquireStrayCharge.executeWithOptions({ summary }, [input]).catch(() => null);
}

function moneyOf(
  { attemptId, amountMinor, currency }: StrayChargeInput,
  { refused }: ReversalWait,
  found: StrayCharge | null,
): StrayMoney {
  if (refused !== null) return refused;
  if (found !== null && 'providerPaymentId' in found) {
    const { providerPaymentId, amountMinor: foundMinor, currency: foundCurrency } = found;
    return { providerPaymentId, amountMinor: foundMinor, currency: foundCurrency };
  }
  return { providerPaymentId: attemptId, amountMinor, currency };
}
