import { ApplicationFailure } from '@temporalio/workflow';
import { containsCardNumber } from '../../domain/card-number.ts';
import type { AskProviderRequest, ManualResolution } from '../../protocol/messages.ts';
import { isRecord, isText } from './message-shape.ts';

/** The maximum length of a name or an id, in characters. */
const MAXIMUM_NAME = 100;
const MAXIMUM_NOTE = 500;

/** @throws ApplicationFailure of the type `INVALID_REQUEST` where a message has another shape */
export function requireShape(isValid: boolean, message: string): void {
  if (!isValid) throw ApplicationFailure.nonRetryable(message, 'INVALID_REQUEST');
}

/** Whether a message of support staff says who sends it. */
export function isAsk(message: unknown): message is AskProviderRequest {
  return isRecord(message) && isName(message.by);
}

/** Whether a message of support staff says who sends it, and what they checked. */
export function isManualResolution(message: unknown): message is ManualResolution & Readonly<Record<string, unknown>> {
  return isAsk(message) && 'note' in message && isPlain(message.note, MAXIMUM_NOTE);
}

/** Whether a value is a name or an id without a card number. */
export function isName(value: unknown): value is string {
  return isPlain(value, MAXIMUM_NAME);
}

/** Whether a value is a positive amount in minor units. */
export function isAmount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) > 0;
}

/** Whether the history, the timeline and the audit log may keep a text. */
function isPlain(value: unknown, maximumLength: number): boolean {
  return isText(value) && value.trim() !== '' && value.length <= maximumLength && !containsCardNumber(value);
}

/**
 * The guard of manual resolutions: one takes effect when another person asks for the same. A run that takes over knows of no
 * earlier request, so the first person asks again.
 */
export class SecondPerson {
  #first: { readonly by: string; readonly what: string } | null = null;

  /**
   * @param what all that both people have to agree on
   * @returns whether another person has asked for the same before; otherwise the request is kept as the first one
   */
  confirms({ by }: ManualResolution, what: readonly unknown[]): boolean {
    const request = { by: by.trim().toLowerCase(), what: JSON.stringify(what) };
    const first = this.#first;
    const isConfirmed = first !== null && first.what === request.what && first.by !== request.by;
    this.#first = isConfirmed ? null : request;
    return isConfirmed;
  }
}

/** The answer to the first of the two people. */
export const ASKS_FOR_SECOND_PERSON = 'It takes effect when another person sends the same';

/** The manual resolution of a refund or a stray charge: one request at a time, and two people. */
export class OneResolution extends SecondPerson {
  #isAtWork = false;

  /** @throws ApplicationFailure while a request of support staff is worked on */
  refuseWhileAtWork(): void {
    if (this.#isAtWork) throw unresolvable('Try again in a moment.');
  }

  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#isAtWork = true;
    try {
      return await work();
    } finally {
      this.#isAtWork = false;
    }
  }
}

/** The refusal of a manual resolution. */
export function unresolvable(message: string): ApplicationFailure {
  return ApplicationFailure.nonRetryable(message, 'STATE_CONFLICT');
}
