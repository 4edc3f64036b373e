import { sleep } from '@temporalio/workflow';
import type { RefundAtProvider } from '../../activities/refund-activities.ts';
import { formatMoney } from '../../domain/money.ts';
import { isFinalRefund, type FinalRefundOutcome, type RefundInquiryOutcome } from '../../domain/provider-outcome.ts';
import { FIRST_INQUIRY_AFTER_MS } from '../../domain/retry-plan.ts';
import type { RefundInput } from '../messages.ts';
import { doubtOf, triesOf, type Doubt } from '../shared/doubt.ts';
import { interruptible } from '../shared/interruptible.ts';
import { persistently } from '../shared/persistently.ts';
import { inquiries, refunds } from './activity-proxies.ts';

/** What a refund's course works with. */
export interface RefundContext {
  readonly input: RefundInput;
  /** The end of the refund as the provider reported it by itself; null before. */
  readonly reported: () => FinalRefundOutcome | null;
  /** Shows support staff what the refund is waiting for. */
  readonly tell: (words: string) => void;
}

/** The end of a refund at its provider, with what led to it. */
export interface RefundEnd {
  readonly outcome: FinalRefundOutcome;
  readonly doubt: Doubt | null;
  /** Calls made to the provider. */
  readonly tries: number;
}

type Standing = Omit<RefundEnd, 'outcome'> & { readonly outcome: RefundInquiryOutcome };

/**
 * Asks the provider to give the money back, asks what became of that where the answer is not known, and waits where the
 * provider takes time. Returns only when it is certain whether the money went back.
 */
export async function settleRefund(context: RefundContext): Promise<RefundEnd> {
  const restarted = context.input.restartedAfter !== undefined;
  const first = restarted ? inquire(context, { kind: 'restarted' }, 1) : askForRefund(context);
  const { outcome, doubt, tries } = await first;
  return { outcome: isFinalRefund(outcome) ? outcome : await waitForEnd(context), doubt, tries };
}

async function askForRefund(context: RefundContext): Promise<Standing> {
  const { input, reported, tell } = context;
  const { provider, attemptId, providerPaymentId, amountMinor, currency } = input;
  tell(`Waits for ${provider} to give the money back`);
  const result = await interruptible(
    () =>
      refunds.refundPayment.executeWithOptions({ summary: `Give ${formatMoney(amountMinor, currency)} back` }, [
        { ...atProvider(input), attemptId, providerPaymentId, amountMinor, currency },
      ]),
    () => reported() !== null,
  );
  if (result.kind === 'interrupted') return { outcome: endReported(context), doubt: null, tries: 1 };
  if (result.kind === 'failed') return inquire(context, doubtOf(result.error), triesOf(result.error));
  const { outcome, tries } = result.value;
  if (outcome.kind !== 'unrecognised') return { outcome, doubt: null, tries };
  return inquire(context, { kind: 'unrecognised', providerResponse: outcome.providerResponse }, tries);
}

/** The answer is certain: "not refunded" also closes the key at the provider. */
async function inquire(context: RefundContext, doubt: Doubt, tries: number): Promise<Standing> {
  const { input, tell } = context;
  tell(`Waits for ${input.provider} to say what became of the refund`);
  const outcome = await ask(context, () =>
    inquiries.inquireRefund.executeWithOptions({ summary: `Ask ${input.provider} what became of the refund` }, [
      atProvider(input),
    ]),
  );
  return { outcome, doubt, tries };
}

/** The provider's own event ends the wait; beside it the provider is asked, with growing pauses. */
async function waitForEnd(context: RefundContext): Promise<FinalRefundOutcome> {
  const { input, tell } = context;
  const { provider } = input;
  tell(`${provider} has accepted the refund; waits for its end`);
  return ask(context, async () => {
    await sleep(FIRST_INQUIRY_AFTER_MS, { summary: `Ask ${provider} if it has reported nothing by then` });
    return inquiries.awaitRefund.executeWithOptions({ summary: `Wait for the end of the refund at ${provider}` }, [
      atProvider(input),
    ]);
  });
}

/** A question that is repeated until it is answered, or until the provider has reported the end by itself. */
async function ask<Outcome>(
  context: RefundContext,
  question: () => Promise<Outcome>,
): Promise<Outcome | FinalRefundOutcome> {
  const result = await interruptible(
    () => persistently(question),
    () => context.reported() !== null,
  );
  if (result.kind === 'failed') throw result.error;
  return result.kind === 'done' ? result.value : endReported(context);
}

function endReported({ reported }: RefundContext): FinalRefundOutcome {
  const outcome = reported();
  if (outcome === null) throw new Error('interrupted without a reported end');
  return outcome;
}

function atProvider({ refundId, provider, environment }: RefundInput): RefundAtProvider {
  return { refundId, provider, environment };
}
