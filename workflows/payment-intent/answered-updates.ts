import { currentUpdateInfo } from '@temporalio/workflow';
import type { OperationResult } from '../../domain/payment.ts';
import type { AnsweredUpdate } from '../messages.ts';

/** A client repeats within seconds; this is far more than one client has under way. */
const REMEMBERED = 10;

/**
 * The latest answers by update id. The server knows the ids of one run only: a repeat that comes just after the workflow
 * has continued as new gets its first answer from here.
 */
export class AnsweredUpdates {
  #answers: readonly AnsweredUpdate[];

  constructor(answers: readonly AnsweredUpdate[] = []) {
    this.#answers = answers;
  }

  get all(): readonly AnsweredUpdate[] {
    return this.#answers;
  }

  /** The answer that the current update has got before, or null. */
  ofCurrentUpdate(): OperationResult | null {
    const updateId = currentUpdateInfo()?.id;
    return this.#answers.find((answer) => answer.updateId === updateId)?.result ?? null;
  }

  /** Keeps the current update's answer. */
  keep(result: OperationResult): void {
    const updateId = currentUpdateInfo()?.id;
    if (updateId !== undefined) this.#answers = [...this.#answers, { updateId, result }].slice(-REMEMBERED);
  }
}
