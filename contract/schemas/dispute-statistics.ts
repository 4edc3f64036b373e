import { z } from 'zod';
import { DISPUTE_REASONS } from '../../domain/dispute.ts';
import { ENVIRONMENTS } from '../../domain/payment.ts';
import { responseTime, wholeNumberText } from './common.ts';
import { COMMON_MEMBERS, described } from './descriptions.ts';

const DEFAULT_MONTHS = 6;
const MAXIMUM_MONTHS = 24;

/** GET /statistics/disputes */
export const disputeStatisticsQuery = z.strictObject({
  months: wholeNumberText(1, MAXIMUM_MONTHS)
    .default(DEFAULT_MONTHS)
    .meta({
      description: 'How many calendar months of UTC, the running one included.',
      override: { default: DEFAULT_MONTHS },
    }),
});

const FIGURE_MEMBERS = {
  inquiries: 'How many new disputes began as inquiries.',
  chargebacks: 'How many became chargebacks, from the beginning or after an inquiry.',
  won: 'How many were won, whenever they began. One that a scheme opens again may count among the lost ones too.',
  lost: 'How many were lost, whenever they began.',
  closed: 'How many ended without a decision.',
  winRate: 'The part of the decided ones that were won, from 0 to 1; null where none was decided.',
};
const PAYMENT_MEMBERS = {
  payments: 'How many captures were made: what card schemes compare disputes with.',
  chargebackRate: 'The chargebacks for each capture of the same time; null without captures.',
};
const THRESHOLD_MEMBERS = {
  network: 'The card scheme.',
  programme: 'What the scheme calls it.',
  rate: 'From which share of the payments of a month on the scheme acts, from 0 to 1.',
  minimumDisputes: 'How many disputes of a month there are at least before it acts.',
  countsFraudWarnings: 'Whether warnings of fraud count as well.',
};

const count = z.int().min(0);
const rate = z.number().min(0);
const FIGURES = described(FIGURE_MEMBERS, {
  inquiries: count,
  chargebacks: count,
  won: count,
  lost: count,
  closed: count,
  winRate: rate.max(1).nullable(),
});
const PAYMENTS = described(PAYMENT_MEMBERS, { payments: count, chargebackRate: rate.nullable() });
const fraudWarnings = count.describe('How many payments the issuers of cards have called fraudulent.');

const MEMBERS = {
  ...COMMON_MEMBERS,
  environment: 'The environment of the API key: `sandbox` or `production`.',
  from: 'When the first month begins; ISO 8601 in UTC.',
  to: 'When the last month ends, excluded; ISO 8601 in UTC.',
  asOf: 'Everything that happened before this time is counted; later events may be missing. ISO 8601 in UTC.',
  thresholds:
    'From which shares on card schemes act, as published for 2026. What your acquirer reports counts: it looks at the payments of one scheme, and Mastercard divides by those of the month before.',
  months: 'The figures of each month, oldest first; none is left out.',
  byProvider: 'The figures of each provider, the most chargebacks first.',
  byReason: 'The figures of each reason, the most chargebacks first.',
};

/** The statistics of an account's disputes, in the response. */
export const disputeStatisticsResource = z
  .object(
    described(MEMBERS, {
      object: z.literal('dispute_statistics'),
      merchantId: z.string(),
      environment: z.enum(ENVIRONMENTS),
      from: responseTime,
      to: responseTime,
      asOf: responseTime,
      thresholds: z.array(
        z.object(
          described(THRESHOLD_MEMBERS, {
            network: z.enum(['visa', 'mastercard']),
            programme: z.string(),
            rate,
            minimumDisputes: count,
            countsFraudWarnings: z.boolean(),
          }),
        ),
      ),
      months: z.array(
        z.object({
          startsAt: responseTime.describe('When the month begins; ISO 8601 in UTC.'),
          ...PAYMENTS,
          ...FIGURES,
          fraudWarnings,
        }),
      ),
      byProvider: z.array(z.object({ provider: z.string().describe("The provider's name."), ...PAYMENTS, ...FIGURES })),
      byReason: z.array(
        z.object({ reason: z.enum(DISPUTE_REASONS).describe('Why customers dispute payments.'), ...FIGURES }),
      ),
    }),
  )
  .describe("The account's disputes by month, in all currencies, beside what card schemes allow.");

export type DisputeStatisticsResource = z.infer<typeof disputeStatisticsResource>;
