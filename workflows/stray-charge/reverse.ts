import { formatMoney } from '../../domain/money.ts';
import {
  type ClosedStrayCharge,
  endOfRefund,
  endWithoutRefund,
  type StrayCharge,
  type StrayChargeEnd,
  type StrayMoney,
} from '../../domain/stray-charge.ts';
import type { RefundInput, StrayChargeInput } from '../../protocol/messages.ts';
import { completeRefund } from '../refund/complete.ts';
import { repeatUntilAnswered } from '../shared/ask-until.ts';
import { inquiries, voids } from './activity-proxies.ts';

/** The input and status display of a stray charge's workflow. */
export interface ReversalContext {
  readonly input: StrayChargeInput;
  /** Shows support staff what the reversal is waiting for. */
  readonly waitsFor: (what: string) => void;
}

/**
 * Reverses a stray charge at its provider: voids a hold, refunds a capture in full. Returns only when it is known that the money
 * was returned, or why not.
 */
export async function reverse(context: ReversalContext): Promise<StrayChargeEnd> {
  const found = await inquire(context);
  const toVoid = found.kind === 'held' || found.kind === 'open';
  const charge = toVoid ? await voidHold(context) : found;
  if (charge.kind === 'captured') return refund(context, charge);
  if (found.kind === 'held') return { kind: 'voided', money: charge.kind === 'voided' ? charge : found };
  return endWithoutRefund(charge, toVoid || context.input.takeOverAfter !== undefined);
}

function inquire({ input, waitsFor }: ReversalContext): Promise<StrayCharge> {
  const { provider, attemptNumber } = input;
  waitsFor(`Waits for ${provider} to report what it holds or captured`);
  const summary = `Ask ${provider} what became of attempt ${attemptNumber}`;
  return repeatUntilAnswered(() => inquiries.inquireStrayCharge.executeWithOptions({ summary }, [input]));
}

function voidHold({ input, waitsFor }: ReversalContext): Promise<ClosedStrayCharge> {
  const { provider, attemptNumber } = input;
  waitsFor(`Waits for ${provider} to void its hold`);
  const summary = `Void attempt ${attemptNumber} at ${provider}`;
  return repeatUntilAnswered(() => voids.voidStrayCharge.executeWithOptions({ summary }, [input]));
}

/** Refunds all that was captured, under the stray charge's own key. */
async function refund({ input, waitsFor }: ReversalContext, captured: StrayMoney): Promise<StrayChargeEnd> {
  const amount = formatMoney(captured.amountMinor, captured.currency);
  const { outcome, unrecognised } = await completeRefund({
    input: refundInputOf(input, captured),
    reported: () => null,
    waitsFor: (what) => waitsFor(`${what} (refund of ${amount})`),
  });
  return endOfRefund(captured, outcome, unrecognised);
}

function refundInputOf(input: StrayChargeInput, money: StrayMoney): RefundInput {
  const { strayChargeId, paymentIntentId, merchantAccountId, environment, provider, attemptId } = input;
  const { providerPaymentId, amountMinor, currency } = money;
  return {
    refundId: strayChargeId,
    paymentIntentId,
    merchantAccountId,
    environment,
    provider,
    attemptId,
    providerPaymentId,
    amountMinor,
    currency,
  };
}
