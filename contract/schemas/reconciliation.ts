import { z } from 'zod';
import { ENVIRONMENTS } from '../../domain/payment.ts';
import {
  DIFFERENCE_ACTIONS,
  type DifferenceAction,
  type DifferenceKind,
  RECONCILIATION_FAILURES,
  RECONCILIATION_STATUSES,
  type ReconciliationFailureCode,
  type ReconciliationStatus,
} from '../../domain/reconciliation.ts';
import { pageQuery, responseTime, text } from './common.ts';
import { COMMON_MEMBERS, described, withValues } from './descriptions.ts';

const STATUS_MEANINGS: Readonly<Record<ReconciliationStatus, string>> = {
  running: 'payments are being compared',
  completed: 'all payments were compared',
  failed: 'the provider could not be asked to the end, and `failure` says why; the next run covers the rest',
};

const KIND_MEANINGS: Readonly<Record<DifferenceKind, string>> = {
  outcome_not_recorded:
    'the provider holds or captured the money, and the payment was still open; the payment learns it',
  stray_charge: 'the provider charged an attempt that had ended without a charge; the money is returned',
  capture_not_recorded: 'the provider captured what was only held here; the payment learns it',
  hold_ended: 'the provider holds nothing any more of what was held here; the payment learns it',
  refund_outcome_not_recorded:
    'a refund has ended at the provider and was pending here, or has failed there after it had succeeded; the refund learns it',
  amount_differs: 'the amounts differ',
  currency_differs: 'the currencies differ',
  status_differs: 'the payment is in another state than at the provider',
  refund_differs: 'amount, currency or status of a refund differ',
  unknown_payment: 'the provider charged a payment that the engine does not know',
  unknown_refund: 'the provider refunded what the engine does not know',
  missing_payment: 'the provider does not list a payment that was charged here',
  missing_refund: 'the provider does not list a refund that succeeded here',
};

const ACTION_MEANINGS: Readonly<Record<DifferenceAction, string>> = {
  repaired: "the payment or refund got the provider's outcome as by a webhook, and goes on by itself",
  reported: 'nothing was changed; somebody has to look at it',
};

const DIFFERENCE_MEMBERS = {
  ...COMMON_MEMBERS,
  id: 'The unique id of the difference, which begins with `rec_`.',
  reconciliationRunId: 'The id of the run that found it.',
  provider: 'The name of the provider.',
  kind: withValues('What differs.', KIND_MEANINGS),
  action: withValues('What was done.', ACTION_MEANINGS),
  paymentIntentId: 'The id of the payment intent; null where there is none.',
  attemptId: "The attempt; it is among the payment intent's `attempts`. Null where there is none.",
  refundId: 'The id of the refund; null where it is about none, or about one that the engine does not know.',
  providerPaymentId: "The provider's id of the payment; null where none is known.",
  ours: 'The payment or refund as the engine has it; null where it has none.',
  theirs: 'The payment or refund as the provider lists it; null where it lists none.',
  createdAt: 'When it was found; ISO 8601 in UTC, with milliseconds.',
};

const SIDE_MEMBERS = {
  status:
    'The state. Of a payment here: `open`, `uncharged`, `held`, `captured` or `voided`; at the provider: `open`, `declined`, ' +
    '`failed`, `held`, `captured` or `voided`. Of a refund: `pending`, `succeeded` or `failed`.',
  amount: "The amount, in the currency's minor unit.",
  capturedAmount: "What was captured of it, in the currency's minor unit; null for a refund.",
  currency: 'The currency of the amounts, as its ISO 4217 code.',
};

const KINDS = Object.keys(DIFFERENCE_ACTIONS) as [DifferenceKind, ...DifferenceKind[]];

/** What one side has of a payment or refund; each use is a schema of its own, for it is no component of the document. */
function side() {
  return z
    .object(
      described(SIDE_MEMBERS, {
        status: z.string(),
        amount: z.int(),
        capturedAmount: z.int().nullable(),
        currency: z.string(),
      }),
    )
    .nullable();
}

/** A difference, in a run and in the event about it. */
export const reconciliationDifferenceResource = z
  .object(
    described(DIFFERENCE_MEMBERS, {
      id: z.string(),
      object: z.literal('reconciliation_difference'),
      reconciliationRunId: z.string(),
      provider: z.string(),
      kind: z.enum(KINDS),
      action: z.enum(['repaired', 'reported']),
      paymentIntentId: z.string().nullable(),
      attemptId: z.string().nullable(),
      refundId: z.string().nullable(),
      providerPaymentId: z.string().nullable(),
      ours: side(),
      theirs: side(),
      createdAt: responseTime,
    }),
  )
  .meta({
    id: 'ReconciliationDifference',
    description: "A difference between a provider's list of payments and the engine's.",
  });

export type ReconciliationDifferenceResource = z.infer<typeof reconciliationDifferenceResource>;

const RUN_MEMBERS = {
  ...COMMON_MEMBERS,
  id: 'The unique id of the run, which begins with `rec_`.',
  merchantId: 'The id of the merchant account (`mer_…`) whose payments are counted.',
  environment: 'The environment of the merchant account: `sandbox` or `production`.',
  provider: 'The name of the provider.',
  status: withValues('How far the run is.', STATUS_MEANINGS),
  failure: 'Why the run failed; null unless `status` is `failed`.',
  from: 'Payments that were created or changed from this time on are compared; ISO 8601 in UTC.',
  to: 'Payments that were created or changed up to this time are compared; ISO 8601 in UTC.',
  compared: "How many of the merchant account's payments were compared.",
  repaired: 'How many differences about them were repaired.',
  reported: 'How many differences about them were reported only.',
  startedAt: 'When it started; ISO 8601 in UTC, with milliseconds.',
  finishedAt: 'When it ended; ISO 8601 in UTC, with milliseconds. Null while it is running.',
};

const FAILURE_CODES = Object.keys(RECONCILIATION_FAILURES) as [
  ReconciliationFailureCode,
  ...ReconciliationFailureCode[],
];

const FAILURE_MEMBERS = {
  code: withValues('What made it fail.', RECONCILIATION_FAILURES),
  message: 'The same as a sentence that says what to do.',
};

/** GET /reconciliation-runs */
export const listReconciliationRunsQuery = z.strictObject({
  ...pageQuery,
  provider: text(64).min(1).optional().describe('Selects the runs of this provider.'),
  status: z.enum(RECONCILIATION_STATUSES).optional().describe('Selects the runs with this status.'),
});

const run = {
  id: z.string(),
  object: z.literal('reconciliation_run'),
  merchantId: z.string(),
  environment: z.enum(ENVIRONMENTS),
  provider: z.string(),
  status: z.enum(RECONCILIATION_STATUSES),
  failure: z.object(described(FAILURE_MEMBERS, { code: z.enum(FAILURE_CODES), message: z.string() })).nullable(),
  from: responseTime,
  to: responseTime,
  compared: z.int(),
  repaired: z.int(),
  reported: z.int(),
  startedAt: responseTime,
  finishedAt: responseTime.nullable(),
};

/** A run in lists. */
export const reconciliationRunResource = z
  .object(described(RUN_MEMBERS, run))
  .describe("A comparison of a provider's list of payments with those of the merchant account.");

export type ReconciliationRunResource = z.infer<typeof reconciliationRunResource>;

/** A run by itself. */
export const reconciliationReportResource = z
  .object(
    described(
      {
        ...RUN_MEMBERS,
        differences:
          "The differences about the merchant account's payments, in the order in which they were found; at most 1,000 of a run are kept.",
      },
      { ...run, differences: z.array(reconciliationDifferenceResource) },
    ),
  )
  .meta({
    id: 'ReconciliationReport',
    description: "A comparison of a provider's list of payments with those of the merchant account, and what differs.",
  });
