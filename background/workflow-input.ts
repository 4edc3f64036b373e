import { z } from 'zod';
import { CAPTURE_METHODS, ENVIRONMENTS } from '../domain/payment.ts';
import type { PaymentIntent } from '../prisma/generated/client.ts';
import type { PaymentIntentInput } from '../workflows/messages.ts';

/** The columns of an intent that its workflow is started with. */
export const WORKFLOW_INPUT_COLUMNS = {
  id: true,
  merchantAccountId: true,
  environment: true,
  amountMinor: true,
  currency: true,
  country: true,
  captureMethod: true,
  expiresAt: true,
  attemptBudget: true,
} as const;

export type WorkflowInputRow = Pick<PaymentIntent, keyof typeof WORKFLOW_INPUT_COLUMNS>;

const environmentSchema = z.enum(ENVIRONMENTS);
const captureMethodSchema = z.enum(CAPTURE_METHODS);

/**
 * What the workflow of an intent is started with, from the intent's row.
 * @throws ZodError when the row holds a word this version does not know
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
