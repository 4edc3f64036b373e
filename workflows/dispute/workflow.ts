import {
  CancellationScope,
  condition,
  continueAsNew,
  setCurrentDetails,
  setHandler,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import { type DisputeProgress, type DisputeState, type DisputeWork, nextWork } from '../../domain/dispute-plan.ts';
import { type DisputeInput, type DisputeResult, readAgainSignal } from '../../protocol/messages.ts';
import { disputeStateSearchAttributes } from '../../protocol/search-attributes.ts';
import { repeatUntilAnswered } from '../shared/ask-until.ts';
import { answers, inquiries, records } from './activity-proxies.ts';
import { describeDispute, describeWork } from './details.ts';

/**
 * Follows one dispute until it has ended: sends the merchant's answer, reminds the merchant before the time to answer ends, and asks
 * the provider afterwards. What the provider reports is recorded before this run is told to read again. It ends with the dispute; a
 * later stage starts another run. A cancellation has no effect: an answer cannot be withdrawn, and its outcome must be known.
 */
export function disputeWorkflow(input: DisputeInput): Promise<DisputeResult> {
  let changes = 0;
  setHandler(readAgainSignal, () => {
    changes += 1;
  });
  return CancellationScope.nonCancellable(async () => {
    let progress: DisputeProgress = { reminded: null, askedAtMs: null };
    for (;;) {
      const seen = changes;
      const dispute = await read(input);
      if (dispute === null) return { status: 'deleted' };
      const work = nextWork(dispute, progress, Date.now());
      show(input, dispute, work);
      if (work.kind === 'end') {
        if (changes === seen) return { status: dispute.status };
        continue;
      }
      if (work.kind === 'wait') await wait(work, input.provider, () => changes !== seen);
      else progress = await carryOut(input, work, progress);
      if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof disputeWorkflow>(input);
    }
  });
}

function read({ disputeId }: DisputeInput): Promise<DisputeState | null> {
  return records.readDispute.executeWithOptions({ summary: 'Read how the dispute stands' }, [disputeId]);
}

function show(input: DisputeInput, dispute: DisputeState, work: DisputeWork): void {
  setCurrentDetails(describeDispute(input, dispute, work));
  upsertSearchAttributes(disputeStateSearchAttributes(dispute));
}

async function wait(
  { untilMs, nextKind }: Extract<DisputeWork, { readonly kind: 'wait' }>,
  provider: string,
  isChanged: () => boolean,
): Promise<void> {
  if (untilMs === null) return condition(isChanged);
  const summary = nextKind === 'remind' ? 'Remind the merchant of the dispute' : `Ask ${provider} about the dispute`;
  await condition(isChanged, Math.max(1, untilMs - Date.now()), { summary });
}

type Action = Exclude<DisputeWork, { readonly kind: 'end' | 'wait' }>;

async function carryOut(
  { disputeId, provider }: DisputeInput,
  work: Action,
  progress: DisputeProgress,
): Promise<DisputeProgress> {
  const summary = describeWork(provider, work);
  switch (work.kind) {
    case 'operate': {
      const { operationId } = work;
      await repeatUntilAnswered(() =>
        answers.answerDispute.executeWithOptions({ summary }, [{ disputeId, operationId }]),
      );
      return progress;
    }
    case 'remind': {
      const { respondBy, hours } = work;
      await records.remindOfDispute.executeWithOptions({ summary }, [{ disputeId, respondBy, hours }]);
      return { ...progress, reminded: { respondBy, hours } };
    }
    case 'inquire': {
      const askedAtMs = Date.now();
      await inquire(disputeId, summary);
      return { ...progress, askedAtMs };
    }
  }
}

/** Without an answer within the hour, the next inquiry comes a day later. */
async function inquire(disputeId: string, summary: string): Promise<void> {
  try {
    await inquiries.inquireDispute.executeWithOptions({ summary }, [disputeId]);
  } catch {
    setCurrentDetails(`${summary}; it gave no answer`);
  }
}
