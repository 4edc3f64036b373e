import { z } from 'zod';
import { strayChargeIdOf } from '../../domain/ids.ts';
import { ENVIRONMENTS } from '../../domain/payment.ts';
import { Prisma, type StrayCharge } from '../../prisma/generated/client.ts';
import type { StrayChargeInput } from '../../workflows/messages.ts';

/** The columns of a stray charge that its workflow is started with; amount and currency are those of the attempt. */
export const STRAY_CHARGE_INPUT_COLUMNS = Prisma.sql`
  attempt_id AS "attemptId", payment_intent_id AS "paymentIntentId", merchant_account_id AS "merchantAccountId",
  environment, provider, (
    SELECT jsonb_build_object('number', a.number, 'amountMinor', a.amount_minor, 'currency', a.currency)
    FROM payment_attempt a WHERE a.id = attempt_id
  ) AS attempt`;

export type StrayChargeInputRow = Pick<
  StrayCharge,
  'attemptId' | 'paymentIntentId' | 'merchantAccountId' | 'environment' | 'provider'
> & {
  readonly attempt: { readonly number: number; readonly amountMinor: number; readonly currency: string };
};

const environmentSchema = z.enum(ENVIRONMENTS);

/**
 * The input of a stray charge's workflow, from its row.
 * @throws ZodError when the row holds an enum value that this version does not know
 */
export function toStrayChargeInput(row: StrayChargeInputRow): StrayChargeInput {
  const { attemptId, paymentIntentId, merchantAccountId, provider, attempt } = row;
  const { number: attemptNumber, amountMinor, currency } = attempt;
  return {
    strayChargeId: strayChargeIdOf(attemptId),
    attemptId,
    attemptNumber,
    paymentIntentId,
    merchantAccountId,
    environment: environmentSchema.parse(row.environment),
    provider,
    amountMinor,
    currency,
  };
}
