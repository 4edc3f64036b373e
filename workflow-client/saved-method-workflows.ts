import type { Client } from '@temporalio/client';
import { SAVED_METHOD_WORKFLOW, type SavedMethodInput } from '../protocol/messages.ts';
import { savedMethodSearchAttributes } from '../protocol/search-attributes.ts';
import { startAgain } from './start-once.ts';

/** Starts the workflows of saved payment methods. Every call has a deadline. */
export interface SavedMethodWorkflows {
  /** Starts a run; false where one runs already. @throws TemporalUnavailableError */
  start(input: SavedMethodInput): Promise<boolean>;
}

export function createSavedMethodWorkflows(client: Client): SavedMethodWorkflows {
  return {
    start: (input) =>
      startAgain(client, SAVED_METHOD_WORKFLOW, {
        workflowId: input.savedPaymentMethodId,
        input,
        merchantAccountId: input.merchantAccountId,
        searchAttributes: savedMethodSearchAttributes(input),
        summary: `Tokens of the saved payment method ${input.savedPaymentMethodId}`,
      }),
  };
}
