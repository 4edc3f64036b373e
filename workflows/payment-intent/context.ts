import type { AttemptAtProvider } from '../../activities/payment-activities.ts';
import type { Attempt } from '../../domain/payment.ts';
import type { PaymentIntentInput } from '../messages.ts';
import type { AnsweredUpdates } from './answered-updates.ts';
import type { PaymentRecorder } from './recorder.ts';
import type { PaymentRequests } from './requests.ts';

/** What every part of a payment's course works with. */
export interface PaymentContext {
  readonly input: PaymentIntentInput;
  readonly recorder: PaymentRecorder;
  readonly requests: PaymentRequests;
  readonly answered: AnsweredUpdates;
}

/** An attempt as calls to its provider name it. */
export function atProvider({ input }: PaymentContext, { id, provider }: Attempt): AttemptAtProvider {
  return { attemptId: id, provider, environment: input.environment };
}
