import { createHash } from 'node:crypto';
import type { KnownDispute } from '../domain/dispute-step.ts';
import { disputeIdOf } from '../domain/ids.ts';
import type { PaymentStep } from '../domain/payment-step.ts';
import type { Database } from '../prisma/connection/client.ts';
import { selectDisputesOfPayment } from '../prisma/queries/dispute.ts';
import { createPaymentStore, recordOutsideWorkflow } from '../prisma/stores/payment-store.ts';

/** The id of a dispute, the same for each report of it. */
export function disputeIdFor(provider: string, providerReference: string): string {
  return disputeIdOf(digest(`${provider} ${providerReference}`));
}

export interface DisputeStepRequest {
  readonly disputeId: string;
  readonly paymentIntentId: string;
  readonly attemptId: string;
  readonly provider: string;
  /** Identifies the step, so that a repeat is recognised. */
  readonly stepId: string;
  /** The step, from the dispute as it is known; null records nothing. */
  readonly step: (known: KnownDispute) => PaymentStep | null;
}

/**
 * Records one step of a dispute over the version of its payment that was read, once.
 * @returns whether the payment has the attempt at that provider
 */
export async function recordDispute(
  database: Pick<Database, 'direct'>,
  { disputeId: id, paymentIntentId, attemptId, provider, stepId, step }: DisputeStepRequest,
): Promise<boolean> {
  let isAttemptKnown = true;
  await recordOutsideWorkflow(createPaymentStore(database), {
    paymentIntentId,
    step: async ({ attempts }) => {
      const attempt = attempts.find((each) => each.id === attemptId && each.provider === provider);
      isAttemptKnown = attempt !== undefined;
      if (attempt === undefined) return null;
      const disputes = await database.direct.rows(selectDisputesOfPayment(paymentIntentId));
      const earlier = disputes.find((dispute) => dispute.id === id)?.reports ?? [];
      return step({ id, attempt, earlier, digest });
    },
    stepId,
    at: new Date().toISOString(),
  });
  return isAttemptKnown;
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}
