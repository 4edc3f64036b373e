import { sleep } from '@temporalio/workflow';
import type { RefundAtProvider, RefundPaymentResult } from '../../activities/refund-activities.ts';
import type { JsonObject } from '../../domain/json.ts';
import { formatMoney } from '../../domain/money.ts';
import { isFinalRefund, type FinalRefundOutcome } from '../../domain/provider-outcome.ts';
import { FIRST_INQUIRY_AFTER_MS } from '../../domain/retry-plan.ts';
import type { RefundInput } from '../messages.ts';
import { interruptible } from '../shared/interruptible.ts';
import { persistently } from '../shared/persistently.ts';
import { inquiries, refunds } from './activity-proxies.ts';

/** What a refund's workflow works with. */
export interface RefundContext {
  readonly input: RefundInput;
  /** The end of the refund as the provider reported it by itself; null before. */
  readonly reported: () => FinalRefundOutcome | null;
  /** Shows support staff what the refund is waiting for. */
  readonly waitsFor: (words: string) => void;
}

/** The end of a refund at its provider, with what led to it. */
export interface RefundEnd {
  readonly outcome: FinalRefundOutcome;
  /** What the provider said in a shape that its adapter does not know; null otherwise. */
  readonly unrecognised: JsonObject | null;
  /** Calls made to the provider. */
  readonly tries: number;
}

/**
 * Asks the provider for the refund, repeatedly under its key until the provider answers, and waits where the provider takes
 * time. Returns only when it is certain whether the money was refunded.
 */
export async function settleRefund(context: RefundContext): Promise<RefundEnd> {
  const { outcome, unrecognised, tries } = await askForRefund(context);
  if (isFinalRefund(outcome)) return { outcome, unrecognised, tries };
  return { outcome: await waitForEnd(context), unrecognised, tries };
}

async function askForRefund(context: RefundContext): Promise<RefundPaymentResult> {
  const { input, reported, waitsFor } = context;
  const { provider, attemptId, providerPaymentId, amountMinor, currency } = input;
  waitsFor(`Waits for ${provider} to give the money back`);
  const work = await interruptible(
    () =>
      persistently(() =>
        refunds.refundPayment.executeWithOptions({ summary: `Give ${formatMoney(amountMinor, currency)} back` }, [
          { ...atProvider(input), attemptId, providerPaymentId },
        ]),
      ),
    () => reported() !== null,
  );
  if (work.kind === 'failed') throw work.error;
  return work.kind === 'done' ? work.value : { outcome: endReported(context), unrecognised: null, tries: 1 };
}

/** The provider's own event ends the wait; beside it the provider is asked, with growing pauses. */
async function waitForEnd(context: RefundContext): Promise<FinalRefundOutcome> {
  const { input, reported, waitsFor } = context;
  const { provider } = input;
  waitsFor(`${provider} has accepted the refund; waits for its end`);
  const work = await interruptible(
    async () => {
      await sleep(FIRST_INQUIRY_AFTER_MS, { summary: `Ask ${provider} if it has reported nothing by then` });
      return persistently(() =>
        inquiries.awaitRefund.executeWithOptions({ summary: `Wait for the end of the refund at ${provider}` }, [
          atProvider(input),
        ]),
      );
    },
    () => reported() !== null,
  );
  if (work.kind === 'failed') throw work.error;
  return work.kind === 'done' ? work.value : endReported(context);
}

function endReported({ reported }: RefundContext): FinalRefundOutcome {
  const outcome = reported();
  if (outcome === null) throw new Error('interrupted without a reported end');
  return outcome;
}

function atProvider({ refundId, provider, environment, amountMinor, currency }: RefundInput): RefundAtProvider {
  return { refundId, provider, environment, amountMinor, currency };
}
