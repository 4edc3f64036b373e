import { z } from 'zod';
import { ADVISORY_CODES, ADVISORY_REASONS, WAITING_OPERATIONS } from '../../domain/payment.ts';
import { described, withValues } from './descriptions.ts';

const MEMBERS = {
  code: withValues('What the notice says. More codes may be added.', {
    PAYMENT_STUCK: 'the payment has been in `processing` for more than 90 seconds',
    WAITING_FOR_PROVIDER: 'an operation has waited for the answer of its provider for minutes',
  }),
  since: 'Since when the payment is in its state, or the operation waits; ISO 8601 in UTC.',
  operation: withValues('What waits for the provider. Present only with `WAITING_FOR_PROVIDER`.', {
    close: 'an attempt is to be closed, because the payment expired or was canceled',
    capture: 'held money is to be captured',
    void: 'a hold is to be voided',
    refund: 'captured money is to be refunded',
    reversal: 'a stray charge is to be returned',
  }),
  reason: withValues('Why the provider does not answer. Absent where that is not known; more reasons may be added.', {
    credentials_refused:
      'it refuses the credentials of its account, so that nobody can say how the payment ended; the engine goes on by itself ' +
      'once they work again',
  }),
};

/** The notice that something takes unusually long, of payment intents and refunds. */
export const advisory = z
  .object(
    described(MEMBERS, {
      code: z.enum(ADVISORY_CODES),
      since: z.iso.datetime({ precision: 3 }),
      operation: z.enum(WAITING_OPERATIONS).optional(),
      reason: z.enum(ADVISORY_REASONS).optional(),
    }),
  )
  .meta({ id: 'Advisory', description: 'A notice that does not change the state: the engine continues.' });
