import { formatMoney } from '../../domain/money.ts';
import {
  type ClosedStrayCharge,
  endOfRefund,
  endWithoutRefund,
  type StrayCharge,
  type StrayChargeEnd,
  type StrayMoney,
} from '../../domain/stray-charge.ts';
import type { RefundInput, StrayChargeInput } from '../messages.ts';
import { settleRefund } from '../refund/settle.ts';
import { persistently } from '../shared/persistently.ts';
import { inquiries, voids } from './activity-proxies.ts';

/** What a stray charge's workflow works with. */
export interface ReversalContext {
  readonly input: StrayChargeInput;
  /** Shows support staff what the reversal is waiting for. */
  readonly waitsFor: (words: string) => void;
}

/**
 * Has the provider return the money of a stray charge: what it holds is voided, what it captured is refunded in full. Returns
 * only when it is certain what became of the money.
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
  waitsFor(`Waits for ${provider} to say what it has of the money`);
  const summary = `Ask ${provider} what became of attempt ${attemptNumber}`;
  return persistently(() => inquiries.inquireStrayCharge.executeWithOptions({ summary }, [input]));
}

function voidHold({ input, waitsFor }: ReversalContext): Promise<ClosedStrayCharge> {
  const { provider, attemptNumber } = input;
  waitsFor(`Waits for ${provider} to void what it holds`);
  const summary = `Void attempt ${attemptNumber} at ${provider}`;
  return persistently(() => voids.voidStrayCharge.executeWithOptions({ summary }, [input]));
}

/** The whole of what was captured goes back, under the stray charge's own key. */
async function refund({ input, waitsFor }: ReversalContext, captured: StrayMoney): Promise<StrayChargeEnd> {
  const amount = formatMoney(captured.amountMinor, captured.currency);
  const { outcome, unrecognised } = await settleRefund({
    input: refundInputOf(input, captured),
    reported: () => null,
    waitsFor: (words) => waitsFor(`${words} (refund of ${amount})`),
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
