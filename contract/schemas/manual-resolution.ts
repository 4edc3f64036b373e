import { z } from 'zod';
import { PAYMENT_RESOLUTIONS, REFUND_RESOLUTIONS, STRAY_CHARGE_RESOLUTIONS } from '../../protocol/messages.ts';
import { amount, text } from './common.ts';
import { described, withValues } from './descriptions.ts';

const note = text(500).min(1);
const providerId = text(100).min(1);

const NOTE = 'What you have checked, and where; for the timeline and the audit log.';
const AMOUNT =
  "The amount that the provider reports, in the currency's minor unit. Only where it reports another one than it was asked for.";

/** POST /payment-intents/{id}/resolve-by-hand */
export const resolvePaymentBody = z
  .strictObject(
    described(
      {
        outcome: withValues('What has become of the payment at the provider.', {
          charged: 'the provider has charged: the payment goes on as if it had said so',
          not_charged:
            'the provider has not charged: the payment is canceled, and what was charged after all is returned',
          reversed: 'the provider reports another amount: the payment is canceled, and that amount is returned',
        }),
        note: NOTE,
        providerPaymentId: "The provider's id of the payment. Required with `charged`.",
        amount: AMOUNT,
      },
      {
        outcome: z.enum(PAYMENT_RESOLUTIONS),
        note,
        providerPaymentId: providerId.optional(),
        amount: amount.optional(),
      },
    ),
  )
  .describe('What you have found about the payment in the ledger of the provider.');

export type ResolvePayment = z.output<typeof resolvePaymentBody>;

/** POST /payment-intents/{id}/resolve-stray-charge-by-hand */
export const resolveStrayChargeBody = z
  .strictObject(
    described(
      {
        attemptId: 'The attempt that was charged.',
        outcome: withValues('What has become of the money.', {
          returned: 'somebody has returned it to the customer',
          not_charged: 'the provider has charged nothing',
        }),
        note: NOTE,
      },
      { attemptId: text(64).min(1), outcome: z.enum(STRAY_CHARGE_RESOLUTIONS), note },
    ),
  )
  .describe('What has become of a stray charge.');

export type ResolveStrayCharge = z.output<typeof resolveStrayChargeBody>;

/** POST /refunds/{id}/resolve-by-hand */
export const resolveRefundBody = z
  .strictObject(
    described(
      {
        outcome: withValues('What has become of the refund at the provider.', {
          refunded: 'the provider has refunded the money',
          not_refunded: 'it has not, and will not: the refund fails, and the amount can be refunded again',
        }),
        note: NOTE,
        providerRefundId: "The provider's id of the refund. Required with `refunded`.",
        amount: AMOUNT,
      },
      {
        outcome: z.enum(REFUND_RESOLUTIONS),
        note,
        providerRefundId: providerId.optional(),
        amount: amount.optional(),
      },
    ),
  )
  .describe('What you have found about the refund in the ledger of the provider.');

export type ResolveRefund = z.output<typeof resolveRefundBody>;

/** The answer to a manual resolution. */
export const manualResolutionResource = z
  .object(
    described(
      {
        object: 'The type of the object; always this value.',
        status: withValues('Whether it has taken effect.', {
          requested: 'you are the first; it takes effect when another person sends the same',
          resolved: 'you are the second person; it has taken effect',
        }),
        answer: 'The same for people, in English.',
      },
      { object: z.literal('manual_resolution'), status: z.enum(['requested', 'resolved']), answer: z.string() },
    ),
  )
  .describe('What has become of a manual resolution.');

/** The answer to an inquiry at once. */
export const providerAnswerResource = z
  .object(
    described(
      {
        object: 'The type of the object; always this value.',
        answer: "What the provider said, for people, in English. It counts as the provider's report.",
      },
      { object: z.literal('provider_answer'), answer: z.string() },
    ),
  )
  .describe('What a provider answered.');
