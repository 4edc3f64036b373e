import { z } from 'zod';
import { ENVIRONMENTS } from '../../domain/payment.ts';
import {
  SETTLEMENT_ENTRY_TYPES,
  SETTLEMENT_FEE_TYPES,
  SETTLEMENT_MATCHES,
  SETTLEMENT_RESOLUTIONS,
  SETTLEMENT_SOURCES,
  SETTLEMENT_STATUSES,
  type SettlementEntryType,
  type SettlementMatch,
  type SettlementResolution,
  type SettlementSource,
  type SettlementStatus,
} from '../../domain/settlement.ts';
import { AMOUNT_MINOR_LIMITS } from '../../domain/money.ts';
import { creationQuery, currency, pageQuery, responseTime, text } from './common.ts';
import { COMMON_MEMBERS, described, withValues } from './descriptions.ts';

const STATUS_MEANINGS: Readonly<Record<SettlementStatus, string>> = {
  open: 'the provider has not paid it yet',
  paid: 'the provider says that it has paid',
  failed: 'the payment to the bank failed',
  returned: 'the bank has sent the money back',
};
const SOURCE_MEANINGS: Readonly<Record<SettlementSource, string>> = {
  api: "the provider's list of settlements",
  report: 'a report that the provider offered',
  upload: 'a report that was uploaded',
};
const TYPE_MEANINGS: Readonly<Record<SettlementEntryType, string>> = {
  payment: 'a captured payment',
  refund: 'a refund',
  chargeback: 'money that a dispute took',
  chargeback_reversal: 'money that was given back after a dispute',
  fee: 'a fee that is of no single payment',
  adjustment: 'a correction',
  reserve: 'money that the provider keeps back, or releases',
  fx: 'an exchange of currencies',
  transfer: 'the payment to the bank itself',
  other: 'something else; `providerType` names it',
};
const MATCH_MEANINGS: Readonly<Record<SettlementMatch, string>> = {
  matched: 'it agrees with the transaction, or has no counterpart, as a fee of the month has none',
  expected: 'a transaction that the provider has not settled yet, and still may',
  missing: 'a transaction that the provider should have settled by now',
  unknown: 'a line of the provider that belongs to no transaction',
  amount_differs: 'the amounts differ, or the line does not add up; `details` says which',
  currency_differs: 'the currencies differ',
  duplicate: 'another line has settled the transaction already',
};
const RESOLUTION_MEANINGS: Readonly<Record<SettlementResolution, string>> = {
  accepted: 'it is as it should be',
  written_off: 'the money is given up',
};

const MINOR = "in the currency's minor unit";

const SETTLEMENT_MEMBERS = {
  ...COMMON_MEMBERS,
  id: 'The unique id of the settlement, which begins with `stl_`.',
  provider: 'The provider that pays.',
  providerReference: "The provider's own id of the settlement, to look it up there.",
  status: withValues<SettlementStatus>('What has become of the payment to the bank.', STATUS_MEANINGS),
  currency: 'The currency of the settlement, as its ISO 4217 code.',
  grossAmount: `The sum of the payments, ${MINOR}.`,
  refundAmount: `The sum of the refunds, ${MINOR}; usually negative.`,
  disputeAmount: `What disputes took and gave back, ${MINOR}; usually negative.`,
  otherAmount: `The sum of everything else but fees and taxes, such as reserves and corrections, ${MINOR}.`,
  feeAmount: `What the provider keeps, without taxes, ${MINOR}; positive.`,
  taxAmount: `The taxes on the fees, ${MINOR}; positive.`,
  netAmount:
    `What the provider says that it pays, ${MINOR}. Where accounts share the provider, the sum of the account's own entries. ` +
    'It is `grossAmount` + `refundAmount` + `disputeAmount` + `otherAmount` − `feeAmount` − `taxAmount` + `unexplainedAmount`.',
  unexplainedAmount: `The part of the net amount that no entry explains, ${MINOR}; 0 where everything adds up.`,
  arrivalDate: 'When the money arrives at the bank, as a date; null where the provider does not say.',
  bankReference:
    'How the payment is called on the bank statement, such as a UTR or trace id; null where the provider does not say.',
  source: withValues<SettlementSource>('From where the engine knows it.', SOURCE_MEANINGS),
  entries: 'How many entries it has.',
  bank: 'What the bank statement says of it; null until somebody has said so.',
  settledAt: 'When the engine first saw that it was paid; null before.',
};
const COUNT_MEMBERS = {
  total: 'All of them.',
  matched: 'Those that agree with the transactions.',
  exceptions: 'Those that do not, and that nobody has resolved.',
};
const BANK_MEMBERS = {
  amount: `The amount on the bank statement, ${MINOR}.`,
  currency: 'The currency of the amount, as its ISO 4217 code.',
  valueDate: 'The value date on the bank statement.',
  reference: 'The reference on the bank statement; null without one.',
};

const bank = z
  .object(
    described(
      { ...BANK_MEMBERS, confirmedAt: 'When it was said; ISO 8601 in UTC, with milliseconds.' },
      {
        amount: z.int(),
        currency: z.string(),
        valueDate: z.iso.date(),
        reference: z.string().nullable(),
        confirmedAt: responseTime,
      },
    ),
  )
  .describe('What the bank statement says of a settlement.');

/** The settlement in every response. */
export const settlementResource = z
  .object(
    described(SETTLEMENT_MEMBERS, {
      id: z.string(),
      object: z.literal('settlement'),
      merchantId: z.string(),
      environment: z.enum(ENVIRONMENTS),
      provider: z.string(),
      providerReference: z.string(),
      status: z.enum(SETTLEMENT_STATUSES),
      currency: z.string(),
      grossAmount: z.int(),
      refundAmount: z.int(),
      disputeAmount: z.int(),
      otherAmount: z.int(),
      feeAmount: z.int(),
      taxAmount: z.int(),
      netAmount: z.int(),
      unexplainedAmount: z.int(),
      arrivalDate: z.iso.date().nullable(),
      bankReference: z.string().nullable(),
      source: z.enum(SETTLEMENT_SOURCES),
      entries: z.object(described(COUNT_MEMBERS, { total: z.int(), matched: z.int(), exceptions: z.int() })),
      bank: bank.nullable(),
      settledAt: responseTime.nullable(),
      createdAt: responseTime,
      updatedAt: responseTime,
    }),
  )
  .describe("What a provider pays to the merchant's bank in one transfer.");

export type SettlementResource = z.infer<typeof settlementResource>;

const ENTRY_MEMBERS = {
  ...COMMON_MEMBERS,
  id: 'The unique id of the entry, which begins with `ste_`.',
  settlementId: 'The id of the settlement (`stl_…`); null of what is expected or missing.',
  provider: 'The provider that settles it.',
  type: withValues<SettlementEntryType>('What it is.', TYPE_MEANINGS),
  providerType: "The provider's own name of the type; null of what is expected or missing.",
  providerReference: "The provider's own id of the line; null of what is expected or missing.",
  transactionId: 'The id of the transaction (`txn_…`) that it settles; null without one.',
  refundId: 'The id of the refund (`re_…`) that it settles; null without one.',
  disputeId: 'The id of the dispute (`dp_…`) that it belongs to; null without one.',
  paymentIntentId: 'The id of the payment intent (`pi_…`) that it belongs to; null without one.',
  amount: `The amount, ${MINOR}: positive where it is for the merchant.`,
  fee: `What the provider keeps of it, ${MINOR}; null while it is not settled.`,
  feeDetails: 'Of what the fee consists, as far as the provider says it.',
  net: `The amount without the fee, ${MINOR}; null while it is not settled.`,
  currency: 'The currency of the amounts, as its ISO 4217 code.',
  originalAmount: `The amount in the currency of the payment, in its minor unit; null where it is the same currency.`,
  originalCurrency: 'The currency of the payment, as its ISO 4217 code; null where it is the same.',
  exchangeRate: 'The rate of the exchange as a decimal number; null where nothing was exchanged.',
  occurredAt: 'When it happened, as the provider says; ISO 8601 in UTC, with milliseconds.',
  availableOn: 'When the money is available, as a date; null where the provider does not say.',
  match: withValues<SettlementMatch>(
    'Whether it agrees with the transactions. All but `matched` and `expected` are exceptions.',
    MATCH_MEANINGS,
  ),
  details: 'Both sides of an exception; null otherwise.',
  resolution: withValues<SettlementResolution>(
    'How somebody has ended the exception; null while nobody has.',
    RESOLUTION_MEANINGS,
  ),
  note: 'What was noted about it; null without a note.',
  resolvedAt: 'When the exception was ended; null before.',
};
const FEE_MEMBERS = {
  type: withValues('What the part is.', {
    interchange: "what the customer's bank gets",
    scheme: 'what the card network gets',
    markup: 'what the provider adds',
    provider: 'what the provider takes, where it does not say of what that consists',
    tax: 'tax on the fee',
    other: 'something else',
  }),
  amount: `The part of the fee, ${MINOR}.`,
};
const SIDE_MEMBERS = {
  amount: `The amount, ${MINOR}, with its sign.`,
  currency: 'The currency, as its ISO 4217 code.',
};
const DETAIL_MEMBERS = {
  ours: "The engine's transaction; null where there is none.",
  theirs: "The provider's line; null where there is none.",
  settledBy: "Of a duplicate: the provider's id of the line that has settled the transaction.",
  differs: withValues('Of an amount that differs: which one.', {
    amount: 'the amount of the transaction',
    net: 'the net, which is not the amount without the fee',
    fee_details: 'the parts of the fee, which are not the fee',
  }),
};

const side = z
  .object(described(SIDE_MEMBERS, { amount: z.int(), currency: z.string() }))
  .meta({ id: 'SettlementSide', description: 'An amount on one side of an exception.' });

const fee = z
  .object(described(FEE_MEMBERS, { type: z.enum(SETTLEMENT_FEE_TYPES), amount: z.int() }))
  .meta({ id: 'SettlementFee', description: 'A part of a fee.' });

/** The entry in every response. */
export const settlementEntryResource = z
  .object(
    described(ENTRY_MEMBERS, {
      id: z.string(),
      object: z.literal('settlement_entry'),
      merchantId: z.string(),
      environment: z.enum(ENVIRONMENTS),
      settlementId: z.string().nullable(),
      provider: z.string(),
      type: z.enum(SETTLEMENT_ENTRY_TYPES),
      providerType: z.string().nullable(),
      providerReference: z.string().nullable(),
      transactionId: z.string().nullable(),
      refundId: z.string().nullable(),
      disputeId: z.string().nullable(),
      paymentIntentId: z.string().nullable(),
      amount: z.int(),
      fee: z.int().nullable(),
      feeDetails: z.array(fee),
      net: z.int().nullable(),
      currency: z.string(),
      originalAmount: z.int().nullable(),
      originalCurrency: z.string().nullable(),
      exchangeRate: z.string().nullable(),
      occurredAt: responseTime,
      availableOn: z.iso.date().nullable(),
      match: z.enum(SETTLEMENT_MATCHES),
      details: z
        .object(
          described(DETAIL_MEMBERS, {
            ours: side.nullable(),
            theirs: side.nullable(),
            settledBy: z.string().optional(),
            differs: z.enum(['amount', 'net', 'fee_details']).optional(),
          }),
        )
        .nullable(),
      resolution: z.enum(SETTLEMENT_RESOLUTIONS).nullable(),
      note: z.string().nullable(),
      resolvedAt: responseTime.nullable(),
      createdAt: responseTime,
      updatedAt: responseTime,
    }),
  )
  .describe('A line of a settlement, or a transaction that is expected in one.');

export type SettlementEntryResource = z.infer<typeof settlementEntryResource>;

/** GET /settlements */
export const listSettlementsQuery = z.strictObject({
  ...pageQuery,
  ...creationQuery,
  provider: text(64).min(1).optional().describe('Selects the settlements of this provider.'),
  status: z.enum(SETTLEMENT_STATUSES).optional().describe('Selects the settlements with this status.'),
  currency: currency.optional().describe('Selects the settlements in this currency, by its ISO 4217 code.'),
});

/** GET /settlement-entries */
export const listSettlementEntriesQuery = z.strictObject({
  ...pageQuery,
  ...creationQuery,
  settlementId: text(64).min(1).optional().describe('Selects the entries of the settlement with this id.'),
  match: z.enum(SETTLEMENT_MATCHES).optional().describe('Selects the entries that match in this way.'),
  type: z.enum(SETTLEMENT_ENTRY_TYPES).optional().describe('Selects the entries of this type.'),
  transactionId: text(64).min(1).optional().describe('Selects the entries of the transaction with this id.'),
});

/** POST /settlements/{id}/bank-confirmation */
export const confirmSettlementBody = z
  .strictObject(
    described(BANK_MEMBERS, {
      amount: z.int().min(-AMOUNT_MINOR_LIMITS.maximum).max(AMOUNT_MINOR_LIMITS.maximum),
      currency,
      valueDate: z.iso.date(),
      reference: text(200).min(1).nullable().default(null),
    }),
  )
  .describe('What the bank statement says of a settlement.');

/** PATCH /settlement-entries/{id} */
export const resolveSettlementEntryBody = z
  .strictObject(
    described(
      {
        resolution: withValues<SettlementResolution>(
          'How the exception ends; null opens it again.',
          RESOLUTION_MEANINGS,
        ),
        note: 'A note about it; null or nothing for none.',
      },
      {
        resolution: z.enum(SETTLEMENT_RESOLUTIONS).nullable(),
        note: text(1_000).min(1).nullable().default(null),
      },
    ),
  )
  .describe('Ends an exception, or opens it again. Money is never changed.');

export type ConfirmSettlement = z.output<typeof confirmSettlementBody>;
export type ResolveSettlementEntry = z.output<typeof resolveSettlementEntryBody>;
