import type {
  AuthorizationInPaymentsEntity,
  ErrorDetailsInPaymentsEntity,
  OrderEntity,
  OrderPayData,
  PaymentEntity,
  PaymentWebhookDataEntity,
  PaymentWebhookOrderEntity,
  PayOrderEntity,
  RefundEntity,
} from 'cashfree-pg';
import { z } from 'zod';

/** Fields that Cashfree's own types have: the compiler refuses any other. */
type FieldsOf<Entity> = { readonly [Field in keyof Entity]?: z.ZodType };

/** Webhooks have some ids as numbers. */
const idSchema = z.union([z.string().min(1), z.number()]).transform(String);

export const orderSchema = z.object({
  cf_order_id: idSchema,
  order_id: z.string(),
  order_status: z.enum(['ACTIVE', 'PAID', 'EXPIRED', 'TERMINATED', 'TERMINATION_REQUESTED']),
  payment_session_id: z.string().nullish(),
} satisfies FieldsOf<OrderEntity>);
export type CashfreeOrder = z.output<typeof orderSchema>;

const errorDetailsSchema = z.object({
  error_code: z.string().nullish(),
  error_description: z.string().nullish(),
  error_reason: z.string().nullish(),
} satisfies FieldsOf<ErrorDetailsInPaymentsEntity>);
export type FailureDetails = z.output<typeof errorDetailsSchema>;

const authorizationSchema = z.object({
  action: z.enum(['CAPTURE', 'VOID']).nullish(),
  status: z.enum(['SUCCESS', 'PENDING']).nullish(),
  captured_amount: z.number().nullish(),
} satisfies FieldsOf<AuthorizationInPaymentsEntity>);

const paymentFields = {
  cf_payment_id: idSchema,
  // FLAGGED, a payment that is checked for risk, is in the guides only.
  payment_status: z.enum([
    'SUCCESS',
    'NOT_ATTEMPTED',
    'FAILED',
    'USER_DROPPED',
    'VOID',
    'CANCELLED',
    'PENDING',
    'FLAGGED',
  ]),
  payment_amount: z.number(),
  payment_currency: z.string(),
  payment_group: z.string().nullish(),
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

export const refundSchema = z.object({
  cf_refund_id: idSchema,
  refund_id: z.string(),
  refund_amount: z.number(),
  refund_currency: z.string(),
  refund_status: z.enum(['SUCCESS', 'PENDING', 'CANCELLED', 'ONHOLD', 'FAILED']),
  status_description: z.string().nullish(),
} satisfies FieldsOf<RefundEntity>);
export type CashfreeRefund = z.output<typeof refundSchema>;

export const errorSchema = z.object({ code: z.string().nullish(), type: z.string().nullish() });

export const eventSchema = z.object({ type: z.string(), data: z.unknown() });

export const paymentEventSchema = z.object({
  order: z.object({ order_id: z.string() } satisfies FieldsOf<PaymentWebhookOrderEntity>),
  payment: z.object(paymentFields),
  error_details: errorDetailsSchema.nullish(),
} satisfies FieldsOf<PaymentWebhookDataEntity>);

export const refundEventSchema = z.object({ refund: refundSchema });
