import { z } from 'zod';
import { ENVIRONMENTS } from '../../domain/payment.ts';
import type { Refund } from '../../prisma/generated/client.ts';
import type { RefundInput } from '../../workflows/messages.ts';

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
