import { allHandlersFinished, workflowInfo } from '@temporalio/workflow';
import type { PaymentIntentInput } from '../messages.ts';
import type { PaymentContext } from './context.ts';

/** Between two requests nothing is in flight, so a long history can be left behind. */
export function mayContinueAsNew(): boolean {
  return workflowInfo().continueAsNewSuggested && allHandlersFinished();
}

/** What the next run of the workflow goes on from. */
export function continued({ input, recorder, answered }: PaymentContext): PaymentIntentInput {
  const { progress } = recorder;
  const { restartedAfter: _, ...lasting } = input;
  return { ...lasting, terms: progress.terms, resumeFrom: progress, answered: answered.all };
}
