import { z } from 'zod';
import { DISPUTE_REASONS, DISPUTE_STAGES } from '../../domain/dispute.ts';
import { UPI_LINK } from '../../domain/payment.ts';
import { noteUnknownValue, openEnum, reportedText } from '../reported-values.ts';

const identifier = z.string().min(1).max(200);
const amountMinor = z.int().nonnegative();
const decimal = z.string().regex(/^\d{1,20}(?:\.\d{1,18})?$/);

const actionSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('redirect'), url: z.url({ protocol: /^https?$/ }).max(2048) }),
  z.object({
    type: z.literal('approve_in_app'),
    app: z.literal('upi'),
    link: z.string().regex(UPI_LINK).optional().catch(undefined),
  }),
  z.object({
    type: z.literal('crypto_deposit'),
    asset: identifier,
    network: identifier,
    address: identifier,
    amount: decimal,
    confirmationsRequired: z.int().nonnegative(),
  }),
]);

/** A deposit that was rejected. */
const depositSchema = z.object({
  reason: identifier,
  transactionHash: identifier,
  asset: identifier,
  network: identifier,
  expectedAmount: decimal,
  receivedAmount: decimal,
});

const paymentBase = {
  id: identifier,
  reference: identifier,
  amount: amountMinor,
  /** Not validated: it is reported as the provider sends it. */
  currency: identifier,
  amountCaptured: amountMinor,
};

/** The status of something that is still open, in place of one that the adapter does not know. */
function pendingInsteadOf(member: string, known: readonly string[]) {
  return reportedText(100)
    .refine((status) => !known.includes(status))
    .transform((status) => {
      noteUnknownValue(member, status);
      return 'pending' as const;
    });
}

const PAYMENT_STATUSES = [
  'authorized',
  'captured',
  'declined',
  'failed',
  'requires_action',
  'pending',
  'voided',
] as const;

const knownPaymentSchema = z.discriminatedUnion('status', [
  z.object({ ...paymentBase, status: z.literal('authorized') }),
  z.object({ ...paymentBase, status: z.literal('captured') }),
  z.object({
    ...paymentBase,
    status: z.literal('declined'),
    declineCode: identifier,
    networkCode: z.string().min(1).max(20).optional().catch(undefined),
    merchantAdviceCode: z.string().min(1).max(20).optional().catch(undefined),
  }),
  z.object({
    ...paymentBase,
    status: z.literal('failed'),
    failureReason: identifier,
    deposit: depositSchema.optional(),
  }),
  z.object({ ...paymentBase, status: z.literal('requires_action'), action: actionSchema }),
  z.object({ ...paymentBase, status: z.literal('pending') }),
  z.object({
    ...paymentBase,
    status: z.literal('voided'),
    /** The amount of the voided hold; 0 where nothing was held. */
    amountVoided: amountMinor.default(0),
  }),
]);

/**
 * A payment in the simulator's answers, with one shape for each status. Unknown fields are ignored, and an unknown status counts as
 * `pending`.
 */
export const simulatorPaymentSchema = z.union([
  knownPaymentSchema,
  z.object({ ...paymentBase, status: pendingInsteadOf('simulator payment status', PAYMENT_STATUSES) }),
]);

export type SimulatorPayment = z.infer<typeof simulatorPaymentSchema>;

/** The answer to an inquiry and to a closure. */
export const lookupSchema = z.discriminatedUnion('result', [
  z.object({ result: z.literal('found'), payment: simulatorPaymentSchema }),
  z.object({ result: z.literal('not_found') }),
]);

/** The answer to a question about a stored card. */
export const credentialLookupSchema = z.discriminatedUnion('result', [
  z.object({
    result: z.literal('found'),
    storedToken: identifier,
    networkTransactionId: identifier.nullable(),
  }),
  z.object({ result: z.literal('not_found') }),
]);

const refundBase = { id: identifier, reference: identifier, amount: amountMinor, currency: identifier };

const knownRefundSchema = z.discriminatedUnion('status', [
  z.object({ ...refundBase, status: z.literal('succeeded') }),
  z.object({ ...refundBase, status: z.literal('pending') }),
  z.object({ ...refundBase, status: z.literal('failed'), failureReason: identifier }),
]);

/** A refund in the simulator's answers, with one shape for each status; an unknown status counts as `pending`. */
export const simulatorRefundSchema = z.union([
  knownRefundSchema,
  z.object({
    ...refundBase,
    status: pendingInsteadOf('simulator refund status', ['succeeded', 'pending', 'failed']),
  }),
]);

export type SimulatorRefund = z.infer<typeof simulatorRefundSchema>;

/** The answer to an inquiry about a refund. */
export const refundLookupSchema = z.discriminatedUnion('result', [
  z.object({ result: z.literal('found'), refund: simulatorRefundSchema }),
  z.object({ result: z.literal('not_found') }),
]);

/** An answer that refuses a request. */
export const refusalSchema = z.object({ error: z.object({ code: z.string().max(200) }) });

/** The members that every kind of event has. */
export const simulatorEventSchema = z.object({ id: identifier, type: z.string().max(200), data: z.unknown() });

/** A dispute in the simulator's events. A value that the adapter does not know stays open. */
export const simulatorDisputeSchema = z.object({
  id: identifier,
  reference: identifier,
  stage: openEnum('simulator dispute stage', DISPUTE_STAGES),
  status: reportedText(100),
  step: identifier,
  reason: openEnum('simulator dispute reason', DISPUTE_REASONS),
  amount: amountMinor,
  currency: identifier,
  funds: z.enum(['withdrawn', 'reinstated']).nullable(),
  respondBy: z.iso.datetime().nullable(),
  updatedAt: z.iso.datetime(),
});
export type SimulatorDispute = z.infer<typeof simulatorDisputeSchema>;

/** All steps of a dispute, the oldest first. */
export const disputeStepsSchema = z.object({ steps: z.array(simulatorDisputeSchema).max(100) });

/** One page of the simulator's list of disputes. */
export const disputeListSchema = z.object({
  disputes: z.array(disputeStepsSchema),
  nextCursor: z.string().max(500).nullable(),
});

/** The warning of a card's issuer. */
export const simulatorWarningSchema = z.object({ id: identifier, reference: identifier });

const time = z.iso.datetime();

/** One page of the simulator's list of payments. */
export const paymentListSchema = z.object({
  payments: z.array(
    z.object({
      ...paymentBase,
      status: openEnum('simulator listed status', PAYMENT_STATUSES),
      refunds: z.array(simulatorRefundSchema),
      createdAt: time,
      updatedAt: time,
    }),
  ),
  nextCursor: z.string().max(500).nullable(),
});

export type SimulatorListedPayment = z.infer<typeof paymentListSchema>['payments'][number];
