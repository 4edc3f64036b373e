import { z } from 'zod';
import { ENVIRONMENTS } from '../../domain/payment.ts';
import { Prisma, type Refund } from '../../prisma/generated/client.ts';
import type { RefundInput } from '../../workflows/messages.ts';

/** The columns of a refund that its workflow is started with. */
export const REFUND_INPUT_COLUMNS = Prisma.sql`
  id, payment_intent_id AS "paymentIntentId", attempt_id AS "attemptId", merchant_account_id AS "merchantAccountId",
  environment, amount_minor AS "amountMinor", currency, provider, provider_payment_id AS "providerPaymentId"`;

export type RefundInputRow = Pick<
  Refund,
  | 'id'
  | 'paymentIntentId'
  | 'attemptId'
  | 'merchantAccountId'
  | 'environment'
  | 'amountMinor'
  | 'currency'
  | 'provider'
  | 'providerPaymentId'
>;

const environmentSchema = z.enum(ENVIRONMENTS);

/**
 * The input of a refund's workflow, from the refund's row.
 * @throws ZodError when the row holds an enum value that this version does not know
 */
export function toRefundInput(row: RefundInputRow): RefundInput {
  const { id: refundId, paymentIntentId, merchantAccountId, currency, provider, attemptId, providerPaymentId } = row;
  return {
    refundId,
    paymentIntentId,
    merchantAccountId,
    environment: environmentSchema.parse(row.environment),
    amountMinor: Number(row.amountMinor),
    currency,
    provider,
    attemptId,
    providerPaymentId,
  };
}
