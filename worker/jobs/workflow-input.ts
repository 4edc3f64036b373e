import { z } from 'zod';
import { CAPTURE_METHODS, ENVIRONMENTS } from '../../domain/payment.ts';
import type { PaymentIntent } from '../../prisma/generated/client.ts';
import type { PaymentIntentInput } from '../../workflows/messages.ts';

export type WorkflowInputRow = Pick<
  PaymentIntent,
  | 'id'
  | 'merchantAccountId'
  | 'environment'
  | 'amountMinor'
  | 'currency'
  | 'country'
  | 'captureMethod'
  | 'expiresAt'
  | 'attemptBudget'
>;

const environmentSchema = z.enum(ENVIRONMENTS);
const captureMethodSchema = z.enum(CAPTURE_METHODS);

/**
 * The input of an intent's workflow, from the intent's row.
 * @throws ZodError when the row holds an enum value that this version does not know
 */
export function toWorkflowInput(row: WorkflowInputRow): PaymentIntentInput {
  return {
    paymentIntentId: row.id,
    merchantAccountId: row.merchantAccountId,
    environment: environmentSchema.parse(row.environment),
    terms: {
      amountMinor: Number(row.amountMinor),
      currency: row.currency,
      country: row.country,
      captureMethod: captureMethodSchema.parse(row.captureMethod),
    },
    expiresAt: row.expiresAt.toISOString(),
    attemptBudget: row.attemptBudget,
  };
}
