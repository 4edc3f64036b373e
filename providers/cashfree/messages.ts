import type {
  AuthorizationInPaymentsEntity,
  ErrorDetailsInPaymentsEntity,
  InstrumentEntity,
  OrderEntity,
  OrderPayData,
  PaymentEntity,
  PaymentWebhookDataEntity,
  PaymentWebhookOrderEntity,
  PayOrderEntity,
  RefundEntity,
  SettlementReconEntityDataInner,
  SettlementReconEntityDataInnerEventDetails,
  SettlementReconEntityDataInnerOrderDetails,
  SettlementReconEntityDataInnerPaymentDetails,
  SettlementReconEntityDataInnerRefundDetails,
} from 'cashfree-pg';
import { z } from 'zod';
import { openEnum, reportedText } from '../reported-values.ts';

/** Fields that Cashfree's own types have: the compiler refuses any other. */
type FieldsOf<Entity> = { readonly [Field in keyof Entity]?: z.ZodType };

/** Webhooks have some ids as numbers. */
const idSchema = z.union([z.string().min(1), z.number()]).transform(String);

/** ISO 8601 with a zone, as ISO 8601 UTC; null where it is anything else. */
const timeSchema = z.iso
  .datetime({ offset: true })
  .transform((text) => new Date(text).toISOString())
  .nullish()
  .catch(null);

export const orderSchema = z.object({
  cf_order_id: idSchema,
  order_id: z.string(),
  order_status: openEnum('cashfree order_status', ['ACTIVE', 'PAID', 'EXPIRED', 'TERMINATED', 'TERMINATION_REQUESTED']),
  order_amount: z.number().nullish(),
  order_currency: z.string().nullish(),
  created_at: timeSchema,
  payment_session_id: z.string().nullish(),
} satisfies FieldsOf<OrderEntity>);
export type CashfreeOrder = z.output<typeof orderSchema>;

const text = reportedText(500);

const errorDetailsSchema = z.object({
  error_code: text.nullish(),
  error_description: text.nullish(),
  error_reason: text.nullish(),
} satisfies FieldsOf<ErrorDetailsInPaymentsEntity>);
export type FailureDetails = z.output<typeof errorDetailsSchema>;

const authorizationSchema = z.object({
  action: openEnum('cashfree authorization.action', ['CAPTURE', 'VOID']).nullish(),
  status: openEnum('cashfree authorization.status', ['SUCCESS', 'PENDING']).nullish(),
  captured_amount: z.number().nullish(),
} satisfies FieldsOf<AuthorizationInPaymentsEntity>);

const paymentFields = {
  cf_payment_id: idSchema,
  // FLAGGED, a payment that is checked for risk, is in the guides only.
  payment_status: openEnum('cashfree payment_status', [
    'SUCCESS',
    'NOT_ATTEMPTED',
    'FAILED',
    'USER_DROPPED',
    'VOID',
    'CANCELLED',
    'PENDING',
    'FLAGGED',
  ]),
  order_amount: z.number().nullish(),
  payment_amount: z.number(),
  payment_currency: z.string(),
  payment_group: z.string().nullish(),
  payment_time: timeSchema,
  payment_completion_time: timeSchema,
  is_captured: z.boolean().nullish(),
  error_details: errorDetailsSchema.nullish(),
  authorization: authorizationSchema.nullish(),
} satisfies FieldsOf<PaymentEntity>;

export const paymentSchema = z.object({
  ...paymentFields,
  order_id: z.string(),
} satisfies FieldsOf<PaymentEntity>);
export type CashfreePayment = Omit<z.output<typeof paymentSchema>, 'order_id'>;

export const paymentsSchema = z.array(paymentSchema);

export const sessionSchema = z.object({
  cf_payment_id: idSchema,
  action: z.string(),
  data: z.object({
    url: z.string().nullish(),
    payload: z.record(z.string(), z.unknown()).nullish(),
  } satisfies FieldsOf<OrderPayData>),
} satisfies FieldsOf<PayOrderEntity>);
export type CashfreeSession = z.output<typeof sessionSchema>;

/** A card that Cashfree keeps for a customer. */
const instrumentSchema = z.object({
  instrument_id: idSchema,
  /** The payment that saved it. */
  afa_reference: idSchema.nullish().catch(null),
  /** The number, masked but for its last digits. */
  instrument_display: text.nullish().catch(null),
  instrument_status: openEnum('cashfree instrument_status', ['ACTIVE', 'INACTIVE']).nullish(),
} satisfies FieldsOf<InstrumentEntity>);
export type CashfreeInstrument = z.output<typeof instrumentSchema>;

export const instrumentsSchema = z.array(instrumentSchema);

export const refundSchema = z.object({
  cf_refund_id: idSchema,
  refund_id: z.string(),
  refund_amount: z.number(),
  refund_currency: z.string(),
  refund_status: openEnum('cashfree refund_status', ['SUCCESS', 'PENDING', 'CANCELLED', 'ONHOLD', 'FAILED']),
  status_description: text.nullish(),
  created_at: timeSchema,
  processed_at: timeSchema,
} satisfies FieldsOf<RefundEntity>);
export type CashfreeRefund = z.output<typeof refundSchema>;

/** Cashfree returns by itself what a customer has paid twice: such a refund has no id of the merchant. */
const listedRefundSchema = refundSchema.extend({
  refund_id: z.string().nullish(),
  cf_payment_id: idSchema.nullish().catch(null),
});
export type CashfreeListedRefund = z.output<typeof listedRefundSchema>;

export const refundsSchema = z.array(listedRefundSchema);

export const errorSchema = z.object({ code: text.nullish().catch(null), type: text.nullish().catch(null) });

export const eventSchema = z.object({ type: z.string(), data: z.unknown() });

export const paymentEventSchema = z.object({
  order: z.object({
    order_id: z.string(),
    order_amount: z.number().nullish(),
  } satisfies FieldsOf<PaymentWebhookOrderEntity>),
  payment: z.object(paymentFields),
} satisfies FieldsOf<PaymentWebhookDataEntity>);

export const refundEventSchema = z.object({ refund: refundSchema });

/** A refund that somebody has made without this engine: it has the id of the order, which is the attempt's. */
const madeRefundSchema = z.object({
  cf_refund_id: idSchema,
  cf_payment_id: idSchema.nullish().catch(null),
  refund_id: z.string().nullish().catch(null),
  order_id: z.string(),
  refund_amount: z.number(),
  refund_currency: z.string(),
  refund_status: z.string().max(200),
});

/** In the dashboard, or by Cashfree itself: then there is no id of the merchant. */
export const unrequestedRefundEventSchema = z.union([
  z.object({ refund: madeRefundSchema }).transform(({ refund }) => refund),
  z.object({ auto_refund: madeRefundSchema }).transform(({ auto_refund: refund }) => refund),
]);

/** A dispute, in answers and in events. */
export const disputeSchema = z.object({
  dispute_id: idSchema,
  dispute_type: z.string().max(200).nullish(),
  dispute_amount: z.number().nullish().catch(null),
  dispute_amount_currency: z.string().nullish().catch(null),
  dispute_status: z.string().max(200).nullish(),
  reason_code: reportedText(200).nullish().catch(null),
  respond_by: z.string().max(100).nullish().catch(null),
  updated_at: z.string().max(100).nullish().catch(null),
  resolved_at: z.string().max(100).nullish().catch(null),
});
export type CashfreeDispute = z.infer<typeof disputeSchema>;

export const disputesSchema = z.array(disputeSchema);

export const disputeEventSchema = z.object({
  dispute: disputeSchema,
  order_details: z.object({ order_id: z.string() }),
});

/** The order that an event of any kind names. */
export const namedOrderSchema = z.object({
  order: z.object({ order_id: z.string() }).optional().catch(undefined),
  order_details: z.object({ order_id: z.string() }).optional().catch(undefined),
  refund: z.object({ order_id: z.string() }).optional().catch(undefined),
  auto_refund: z.object({ order_id: z.string() }).optional().catch(undefined),
  payment: z.object({ order_id: z.string() }).optional().catch(undefined),
});

const shortText = reportedText(200).nullish();
const rupees = z.number().nullish();

/**
 * A settlement. Cashfree's document describes the part of one order in a settlement (`transfer_…`, `settlement_amount`), its guides a
 * whole one (`amount_settled`, `settlement_utr`, `status`).
 */
const settlementSchema = z.object({
  cf_settlement_id: shortText,
  settlement_id: shortText,
  settlement_currency: shortText,
  settlement_amount: rupees,
  amount_settled: rupees,
  transfer_utr: shortText,
  settlement_utr: shortText,
  utr: shortText,
  transfer_time: shortText,
  settled_on: shortText,
  settlement_date: shortText,
  status: shortText,
});

export const settlementsSchema = z.object({
  cursor: z.string().nullish(),
  data: z.array(settlementSchema).nullish(),
});
export type CashfreeSettlements = z.output<typeof settlementsSchema>;

/** An event of a settlement. What it says of the customer (telephone, e-mail, bank account) is not read. */
const settlementEventSchema = z.object({
  event_details: z.object({
    event_id: reportedText(150),
    event_type: reportedText(50),
    event_amount: rupees,
    event_settlement_amount: rupees,
    event_service_charge: rupees,
    event_service_tax: rupees,
    event_currency: shortText,
    event_time: shortText,
    sale_type: shortText,
  } satisfies FieldsOf<SettlementReconEntityDataInnerEventDetails>),
  order_details: z
    .object({ order_id: shortText } satisfies FieldsOf<SettlementReconEntityDataInnerOrderDetails>)
    .nullish(),
  payment_details: z
    .object({ cf_payment_id: shortText } satisfies FieldsOf<SettlementReconEntityDataInnerPaymentDetails>)
    .nullish(),
  refund_details: z
    .object({ refund_id: shortText } satisfies FieldsOf<SettlementReconEntityDataInnerRefundDetails>)
    .nullish(),
} satisfies FieldsOf<SettlementReconEntityDataInner>);

export const settlementEventsSchema = z.object({
  cursor: z.string().nullish(),
  data: z.array(settlementEventSchema).nullish(),
});
export type CashfreeSettlementEvents = z.output<typeof settlementEventsSchema>;
