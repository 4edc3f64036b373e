import type { RefundAtProvider, RefundPaymentResult } from '../../protocol/refund-activities.ts';
import type { JsonObject } from '../../domain/json.ts';
import { formatMoney } from '../../domain/money.ts';
import { isFinalRefund, type FinalRefundOutcome, type RefundPending } from '../../domain/provider-outcome.ts';
import type { RefundInput } from '../../protocol/messages.ts';
import { askUntil, waitThenAskUntil } from '../shared/ask-until.ts';
import { inquiries, refunds } from './activity-proxies.ts';

/** The input, reports and status display of a refund's workflow. */
export interface RefundContext {
  readonly input: RefundInput;
  /** The final outcome that the provider's webhook reported, or two people recorded; null before. */
  readonly reported: () => FinalRefundOutcome | null;
  /** Shows support staff what the refund is waiting for, and the provider's id of it once it is known. */
  readonly waitsFor: (what: string, providerRefundId?: string | null) => void;
}

/** The final outcome of a refund, and how it became known. */
export interface RefundEnd {
  readonly outcome: FinalRefundOutcome;
  /** The provider's response where its adapter does not know the shape; null otherwise. */
  readonly unrecognised: JsonObject | null;
  /** Calls made to the provider. */
  readonly tries: number;
}

/**
 * Requests the refund, repeatedly under its key until the provider answers, and waits while it is pending. Returns only when it
 * is known whether the money was refunded.
 */
export async function completeRefund(context: RefundContext): Promise<RefundEnd> {
  const { outcome, unrecognised, tries } = await askForRefund(context);
  if (isFinalRefund(outcome)) return { outcome, unrecognised, tries };
  return { outcome: await waitForEnd(context, outcome), unrecognised, tries };
}

async function askForRefund(context: RefundContext): Promise<RefundPaymentResult> {
  const { input, reported, waitsFor } = context;
  const { provider, amountMinor, currency, reference } = input;
  waitsFor(`Waits for ${provider} to refund the money`);
  const summary = `Refund ${formatMoney(amountMinor, currency)}`;
  const request = { ...atProvider(input), ...(reference === undefined ? {} : { reference }) };
  const work = await askUntil(
    () => refunds.refundPayment.executeWithOptions({ summary }, [request]),
    () => reported() !== null,
  );
  return work.kind === 'done' ? work.value : { outcome: endReported(context), unrecognised: null, tries: 1 };
}

/** Waits for the provider's webhook, and makes inquiries with growing pauses meanwhile. */
async function waitForEnd(context: RefundContext, { providerRefundId }: RefundPending): Promise<FinalRefundOutcome> {
  const { input, reported, waitsFor } = context;
  const { provider } = input;
  waitsFor(`${provider} has accepted the refund; waits for its end`, providerRefundId);
  const summary = `Wait for the end of the refund at ${provider}`;
  const work = await waitThenAskUntil(
    provider,
    () => inquiries.awaitRefund.executeWithOptions({ summary }, [atProvider(input)]),
    () => reported() !== null,
  );
  return work.kind === 'done' ? work.value : endReported(context);
}

function endReported({ reported }: RefundContext): FinalRefundOutcome {
  const outcome = reported();
  if (outcome === null) throw new Error('interrupted without a reported end');
  return outcome;
}

/** The refund as calls to its provider name it. */
export function atProvider(input: RefundInput): RefundAtProvider {
  const { refundId, provider, environment, amountMinor, currency, attemptId, providerPaymentId } = input;
  return { refundId, provider, environment, amountMinor, currency, attemptId, providerPaymentId };
}
