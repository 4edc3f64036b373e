import {
  allHandlersFinished,
  CancellationScope,
  condition,
  log,
  setCurrentDetails,
  upsertSearchAttributes,
} from '@temporalio/workflow';
import { STRAY_CHARGE_ALERT, type StrayChargeEnd, type StrayChargeResult } from '../../domain/stray-charge.ts';
import { describeEnd, strayChargeResult } from '../../domain/stray-charge-resolution.ts';
import type { StrayChargeInput } from '../../protocol/messages.ts';
import { endedStrayChargeSearchAttributes } from '../../protocol/search-attributes.ts';
import { now } from '../shared/clock.ts';
import { interruptible } from '../shared/interruptible.ts';
import { records } from './activity-proxies.ts';
import { describeReversal } from './details.ts';
import { reverse } from './reverse.ts';
import { handleStrayChargeSupport, type ReversalWait } from './support.ts';

/**
 * Reverses one stray charge: a charge for an attempt that had ended without one. If the provider refuses, the workflow waits until
 * two people have returned the money by hand. A cancellation of the workflow has no effect: the money must be returned, and the
 * outcome must be known.
 */
export function strayChargeWorkflow(input: StrayChargeInput): Promise<StrayChargeResult> {
  return CancellationScope.nonCancellable(() => reverseAndRecord(input));
}

async function reverseAndRecord(input: StrayChargeInput): Promise<StrayChargeResult> {
  const wait: ReversalWait = { resolved: null, refused: null };
  handleStrayChargeSupport(input, wait);
  const waitsFor = (what: string): void => setCurrentDetails(describeReversal(input, what));
  const work = await interruptible(
    () => reverse({ input, waitsFor }),
    () => wait.resolved !== null,
  );
  const end = work.kind === 'done' ? work.value : resolvedEnd(wait);
  const result = await recordEnd(input, end);
  if (end.kind === 'refused') {
    wait.refused = end.money;
    await condition(() => wait.resolved !== null);
  }
  await condition(allHandlersFinished);
  return end.kind === 'refused' ? recordEnd(input, resolvedEnd(wait)) : result;
}

function resolvedEnd({ resolved }: ReversalWait): StrayChargeEnd {
  if (resolved === null) throw new Error('interrupted without a resolution');
  return resolved;
}

async function recordEnd(input: StrayChargeInput, end: StrayChargeEnd): Promise<StrayChargeResult> {
  const summary = describeEnd(input, end);
  if (end.kind === 'refused') alertStaff(input, end, summary);
  await records.recordStrayCharge.executeWithOptions({ summary }, [{ ...input, end, at: now() }]);
  setCurrentDetails(describeReversal(input, summary, end.kind === 'refused' ? end.details : undefined));
  const result = strayChargeResult(end);
  upsertSearchAttributes(endedStrayChargeSearchAttributes(result));
  return result;
}

function alertStaff(
  { paymentIntentId, attemptId, provider }: StrayChargeInput,
  { money, details }: Extract<StrayChargeEnd, { readonly kind: 'refused' }>,
  message: string,
): void {
  const { amountMinor, currency } = money;
  log.error(message, {
    alert: STRAY_CHARGE_ALERT,
    paymentIntentId,
    attemptId,
    provider,
    amountMinor,
    currency,
    details,
  });
}
