import { ApplicationFailure } from '@temporalio/activity';
import type { ActivityInterceptorsFactory } from '@temporalio/worker';
import { containsCardNumber } from '../domain/card-number.ts';
import { redactText } from '../domain/redaction.ts';

/** An error of a library may quote its input, and the workflow's history keeps what an activity throws. */
export const redactErrors: ActivityInterceptorsFactory = () => ({
  inbound: {
    async execute(input, next) {
      try {
        return await next(input);
      } catch (error) {
        throw redactError(error);
      }
    },
  },
});

/** The error itself, or a retryable failure of its name with a redacted message where a text in it may be a card number. */
export function redactError(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof ApplicationFailure || !textsOf(error).some(containsCardNumber)) {
    return error;
  }
  return ApplicationFailure.retryable(redactText(error.message), error.name);
}

const MAXIMUM_CAUSES = 10;

/** The texts of an error and its causes, all of which would be in the history. */
function textsOf(error: unknown): readonly string[] {
  const texts: string[] = [];
  let current = error;
  for (let depth = 0; depth < MAXIMUM_CAUSES && current instanceof Error; depth += 1) {
    texts.push(current.message, current.stack ?? '');
    current = current.cause;
  }
  return texts;
}
