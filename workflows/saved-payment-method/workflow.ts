import { CancellationScope, proxyActivities, setCurrentDetails, upsertSearchAttributes } from '@temporalio/workflow';
import type { SavedMethodInput } from '../../protocol/messages.ts';
import type { MaintainedCredentials, SavedMethodActivities } from '../../protocol/saved-method-activities.ts';
import { endedSavedMethodSearchAttributes } from '../../protocol/search-attributes.ts';
import { INQUIRY_OPTIONS } from '../shared/activity-options.ts';
import { repeatUntilAnswered } from '../shared/ask-until.ts';

const calls = proxyActivities<SavedMethodActivities>(INQUIRY_OPTIONS);

/**
 * Reads the tokens that providers have issued for a saved card, or removes them once the saved payment method is detached. It ends
 * when all have answered; a later save or a removal starts another run. A cancellation has no effect: a removal must be known to have
 * happened.
 */
export function savedPaymentMethodWorkflow(input: SavedMethodInput): Promise<MaintainedCredentials> {
  return CancellationScope.nonCancellable(async () => {
    const summary = "Read or remove the providers' tokens";
    const done = await repeatUntilAnswered(() => calls.maintainCredentials.executeWithOptions({ summary }, [input]));
    setCurrentDetails(`The tokens are ${done.kind} (${done.providers.join(', ') || 'none'}).`);
    upsertSearchAttributes(endedSavedMethodSearchAttributes(done.kind));
    return done;
  });
}
