import { z } from 'zod';
import { ENVIRONMENTS } from '../../domain/payment.ts';
import { currency, responseTime, timeText } from './common.ts';
import { COMMON_MEMBERS, described, withValues } from './descriptions.ts';

const STATISTICS_INTERVALS = ['hour', 'day'] as const;
export type StatisticsInterval = (typeof STATISTICS_INTERVALS)[number];

const QUERY_MEMBERS = {
  currency: 'The currency of the amounts; without it, that of the newest payment intent.',
  from:
    'The beginning: ISO 8601 with a zone, such as `2026-11-22T00:00:00Z`. It is rounded down to the beginning of its interval in ' +
    'UTC. Without it, 24 hours before `to`.',
  to: 'The end: ISO 8601 with a zone. It is rounded up to the end of its interval in UTC. Without it, now.',
  interval: withValues<StatisticsInterval>('Into which parts the time is divided. Without it, `hour` up to 7 days.', {
    hour: 'hours, of 31 days at most',
    day: 'days in UTC, of 366 days at most',
  }),
};

/** GET /statistics */
export const statisticsQuery = z.strictObject({
  currency: currency.optional().describe(QUERY_MEMBERS.currency),
  from: timeText.optional().describe(QUERY_MEMBERS.from),
  to: timeText.optional().describe(QUERY_MEMBERS.to),
  interval: z.enum(STATISTICS_INTERVALS).optional().describe(QUERY_MEMBERS.interval),
});

const PAYMENT_MEMBERS = {
  paymentsCreated: 'How many payment intents were created.',
  paymentsSucceeded: 'How many payment intents succeeded, whenever they were created.',
};
const ATTEMPT_MEMBERS = {
  attempts: 'How many attempts ended, without those that were canceled: the sum of the next four.',
  approved: 'How many attempts the provider approved.',
  declined: 'How many attempts were declined.',
  failed: 'How many attempts failed.',
  notCharged: 'How many attempts ended without a usable answer, so that nothing was charged.',
  approvalRate: 'The part of the attempts that were approved, from 0 to 1; null without attempts.',
};
const MONEY_MEMBERS = {
  captures: 'How many captures were made.',
  amountCaptured: "The volume: the sum of the captures, in the currency's minor unit. Refunds are not subtracted.",
  refunds: 'How many refunds succeeded, whenever their payments were captured.',
  amountRefunded: "The sum of these refunds, in the currency's minor unit.",
  refundsFailed: 'How many refunds failed. One that failed after it had succeeded counts among both.',
};

const count = z.int().min(0);
const PAYMENTS = described(PAYMENT_MEMBERS, { paymentsCreated: count, paymentsSucceeded: count });
const ATTEMPTS = described(ATTEMPT_MEMBERS, {
  attempts: count,
  approved: count,
  declined: count,
  failed: count,
  notCharged: count,
  approvalRate: z.number().min(0).max(1).nullable(),
});
const MONEY = described(MONEY_MEMBERS, {
  captures: count,
  amountCaptured: z.int().min(0),
  refunds: count,
  amountRefunded: z.int().min(0),
  refundsFailed: count,
});

const provider = z.string().describe("The provider's name.");
const paymentMethod = z
  .string()
  .nullable()
  .describe('The type of the payment method, such as `card`; null if unknown.');
const country = z.string().nullable().describe('The country of the payment; null where it names none.');

const MEMBERS = {
  ...COMMON_MEMBERS,
  environment: 'The environment of the API key: `sandbox` or `production`.',
  currency: 'The currency of the amounts; null where the account has no payment intents and the query names none.',
  currencies: 'The currencies in which the account has statistics, by their codes.',
  interval: 'Into which parts the time is divided: `hour` or `day`, in UTC.',
  from: 'The beginning, included; ISO 8601 in UTC.',
  to: 'The end, excluded; ISO 8601 in UTC.',
  asOf: 'Everything that happened before this time is counted; later events may be missing. ISO 8601 in UTC.',
  total: 'The figures of the whole time.',
  series: 'The figures of each interval, oldest first; none is left out.',
  byProvider: 'The figures of each provider, the most attempts first.',
  byPaymentMethod: 'The figures of each type of payment method, the most attempts first.',
  byCountry: 'The figures of each country, the most attempts first.',
  failuresByCode: 'Why attempts were declined, failed or not charged, the most frequent first.',
};

/** The statistics of an account, in the response. */
export const statisticsResource = z
  .object(
    described(MEMBERS, {
      object: z.literal('statistics'),
      merchantId: z.string(),
      environment: z.enum(ENVIRONMENTS),
      currency: z.string().nullable(),
      currencies: z.array(z.string()),
      interval: z.enum(STATISTICS_INTERVALS),
      from: responseTime,
      to: responseTime,
      asOf: responseTime,
      total: z.object({ ...PAYMENTS, ...ATTEMPTS, ...MONEY }),
      series: z.array(
        z.object({
          startsAt: responseTime.describe('When the interval begins; ISO 8601 in UTC.'),
          ...PAYMENTS,
          ...ATTEMPTS,
          ...MONEY,
        }),
      ),
      byProvider: z.array(z.object({ provider, ...ATTEMPTS, ...MONEY })),
      byPaymentMethod: z.array(z.object({ paymentMethod, ...ATTEMPTS, ...MONEY })),
      byCountry: z.array(z.object({ country, ...ATTEMPTS, ...MONEY })),
      failuresByCode: z.array(
        z.object({
          code: z.string().nullable().describe('The error code; null where there is none.'),
          attempts: z.int().min(1).describe('How many attempts ended with it.'),
        }),
      ),
    }),
  )
  .describe("What happened to the account's payments: volume, approval rates, failures and refunds.");

export type StatisticsResource = z.infer<typeof statisticsResource>;
