import type { Attempt } from '../../domain/payment.ts';
import { now } from '../shared/clock.ts';
import { settleAfterRestart } from './attempt.ts';
import { conclude } from './conclusion.ts';
import type { PaymentContext } from './context.ts';
import { askAboutHold } from './hold.ts';

/**
 * Takes a payment over whose workflow was ended by hand or failed: the provider is asked what became of an attempt that is
 * open, or of money that is held, and what it says is concluded. Nothing is asked for a second time.
 */
export async function goOnAfterRestart(context: PaymentContext, endedAs: string): Promise<void> {
  const { recorder, requests, input } = context;
  const { attempts, columns } = recorder.progress;
  const { status } = columns;
  const open = attempts.find(({ outcome }) => outcome === null);
  recorder.watchAgain();
  await recorder.record({
    timeline: [
      {
        kind: 'decision',
        summary: `The workflow had ended (${endedAs}) in ${status}; a new one goes on${nextOf(open ?? heldOf(context))}`,
      },
    ],
  });
  if (status === 'requires_capture') return askAboutHold(context);
  if (open === undefined) return;
  const end = await settleAfterRestart(context, open);
  const { attemptBudget } = input;
  const { cancellation } = requests;
  await recorder.record(conclude(end, { progress: recorder.progress, attemptBudget, cancellation, now: now() }).step);
}

function heldOf({ recorder }: PaymentContext): Attempt | undefined {
  const { columns, attempts } = recorder.progress;
  return columns.status === 'requires_capture' ? attempts.at(-1) : undefined;
}

function nextOf(asked: Attempt | undefined): string {
  return asked === undefined ? '' : ` and asks ${asked.provider} first what became of attempt ${asked.number}`;
}
