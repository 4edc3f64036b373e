import { z } from 'zod';
import { ENVIRONMENTS } from '../../domain/payment.ts';
import { COMMON_MEMBERS, described, withValues } from './descriptions.ts';

/** What the declines are counted of. */
const CARD_TESTING_LIMITS = ['bin', 'account'] as const;

const MEMBERS = {
  ...COMMON_MEMBERS,
  id: 'The id of the event that reports it.',
  limit: withValues('The limit that was exceeded.', {
    bin: 'that of cards whose numbers begin with the same 8 digits, in this account',
    account: 'that of all cards, in this account',
  }),
  declines: 'How many confirms were declined, or are under way, in the hour.',
  confirms: 'How many confirms there were in the hour.',
  limitPerHour: 'How many declines an hour the limit allows.',
};

/** What looks like card testing, in events alone. */
export const cardTestingResource = z
  .object(
    described(MEMBERS, {
      id: z.string(),
      object: z.literal('card_testing'),
      merchantId: z.string(),
      environment: z.enum(ENVIRONMENTS),
      limit: z.enum(CARD_TESTING_LIMITS),
      declines: z.int(),
      confirms: z.int(),
      limitPerHour: z.int(),
    }),
  )
  .meta({ id: 'CardTesting', description: 'So many declines that somebody may be testing stolen cards.' });

export type CardTestingResource = z.infer<typeof cardTestingResource>;
