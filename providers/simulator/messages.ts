import { z } from 'zod';
import { UPI_LINK } from '../../domain/payment.ts';

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

/** A payment in the simulator's answers, with one shape for each status. Unknown fields are ignored. */
export const simulatorPaymentSchema = z.discriminatedUnion('status', [
  z.object({ ...paymentBase, status: z.literal('authorized') }),
  z.object({ ...paymentBase, status: z.literal('captured') }),
  z.object({ ...paymentBase, status: z.literal('declined'), declineCode: identifier }),
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

export type SimulatorPayment = z.infer<typeof simulatorPaymentSchema>;

/** The answer to an inquiry and to a closure. */
export const lookupSchema = z.discriminatedUnion('result', [
  z.object({ result: z.literal('found'), payment: simulatorPaymentSchema }),
  z.object({ result: z.literal('not_found') }),
]);

const refundBase = { id: identifier, reference: identifier, amount: amountMinor, currency: identifier };

/** A refund in the simulator's answers, with one shape for each status. */
export const simulatorRefundSchema = z.discriminatedUnion('status', [
  z.object({ ...refundBase, status: z.literal('succeeded') }),
  z.object({ ...refundBase, status: z.literal('pending') }),
  z.object({ ...refundBase, status: z.literal('failed'), failureReason: identifier }),
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

const time = z.iso.datetime();

/** One page of the simulator's list of payments. */
export const paymentListSchema = z.object({
  payments: z.array(
    z.object({
      ...paymentBase,
      status: z.enum(['authorized', 'captured', 'declined', 'failed', 'requires_action', 'pending', 'voided']),
      refunds: z.array(simulatorRefundSchema),
      createdAt: time,
      updatedAt: time,
    }),
  ),
  nextCursor: z.string().max(500).nullable(),
});

export type SimulatorListedPayment = z.infer<typeof paymentListSchema>['payments'][number];
