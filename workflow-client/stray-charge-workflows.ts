import type { Client } from '@temporalio/client';
import { formatMoney } from '../domain/money.ts';
import { STRAY_CHARGE_WORKFLOW, type StrayChargeInput } from '../protocol/messages.ts';
import { strayChargeSearchAttributes } from '../protocol/search-attributes.ts';
import { startAgain, startOnce, type WorkflowStart } from './start-once.ts';

/** Starts the workflows of stray charges. Every call has a deadline. */
export interface StrayChargeWorkflows {
  /** Starts a stray charge's workflow; a repeat changes nothing. @throws TemporalUnavailableError */
  start(input: StrayChargeInput): Promise<void>;
  /**
   * Starts another run, which repeats the reversal under its key; false where one runs already.
   * @param endedAs how the previous run ended
   * @throws TemporalUnavailableError
   */
  takeOver(input: StrayChargeInput, endedAs: string): Promise<boolean>;
}

export function createStrayChargeWorkflows(client: Client): StrayChargeWorkflows {
  return {
    start: (input) => startOnce(client, STRAY_CHARGE_WORKFLOW, startOf(input)),
    takeOver: (input, endedAs) =>
      startAgain(client, STRAY_CHARGE_WORKFLOW, startOf({ ...input, takeOverAfter: endedAs })),
  };
}

function startOf(input: StrayChargeInput): WorkflowStart {
  const { strayChargeId, merchantAccountId, amountMinor, currency, attemptNumber, paymentIntentId } = input;
  return {
    workflowId: strayChargeId,
    input,
    merchantAccountId,
    searchAttributes: strayChargeSearchAttributes(input),
    summary: `Stray charge of attempt ${attemptNumber} (${formatMoney(amountMinor, currency)}) of ${paymentIntentId}`,
  };
}
