import { z } from 'zod';
import { strayChargeIdOf } from '../../domain/ids.ts';
import { ENVIRONMENTS } from '../../domain/payment.ts';
import type { StrayCharge } from '../../prisma/generated/client.ts';
import type { StrayChargeInput } from '../../workflows/messages.ts';

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
