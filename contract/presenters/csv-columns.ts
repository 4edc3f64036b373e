import type { CustomerResource } from '../schemas/customer.ts';
import type { DisputeResource } from '../schemas/dispute.ts';
import type { PaymentIntentResource } from '../schemas/payment-intent-resource.ts';
import type { RefundResource } from '../schemas/refund.ts';
import type { SettlementEntryResource, SettlementResource } from '../schemas/settlement.ts';
import type { TransactionResource } from '../schemas/transaction.ts';

/** The value of a cell; null and undefined leave it empty. */
type Cell = string | number | null | undefined;

/** The columns of a CSV file, in order: their names, and their values for a resource. */
export type CsvColumns<Resource> = Readonly<Record<string, (resource: Resource) => Cell>>;

export const PAYMENT_INTENT_COLUMNS: CsvColumns<PaymentIntentResource> = {
  id: ({ id }) => id,
  createdAt: ({ createdAt }) => createdAt,
  updatedAt: ({ updatedAt }) => updatedAt,
  status: ({ status }) => status,
  amount: ({ amount }) => amount,
  currency: ({ currency }) => currency,
  amountCaptured: ({ amountCaptured }) => amountCaptured,
  amountRefunded: ({ amountRefunded }) => amountRefunded,
  amountCapturable: ({ amountCapturable }) => amountCapturable,
  amountDisputed: ({ amountDisputed }) => amountDisputed,
  captureMethod: ({ captureMethod }) => captureMethod,
  reference: ({ reference }) => reference,
  description: ({ description }) => description,
  customerId: ({ customerId }) => customerId,
  country: ({ country }) => country,
  paymentMethod: ({ paymentMethod }) => paymentMethod?.type,
  cardBrand: ({ paymentMethod }) => (paymentMethod?.type === 'card' ? paymentMethod.brand : null),
  cardLast4: ({ paymentMethod }) => (paymentMethod?.type === 'card' ? paymentMethod.last4 : null),
  provider: ({ provider }) => provider,
  attempts: ({ attempts }) => attempts.length,
  lastErrorCode: ({ lastError }) => lastError?.code,
  cancellationReason: ({ cancellationReason }) => cancellationReason,
  metadata: ({ metadata }) => pairs(metadata),
  merchantId: ({ merchantId }) => merchantId,
  environment: ({ environment }) => environment,
  lastDeclineCode: ({ lastDecline }) => lastDecline?.code,
  lastDeclineAt: ({ lastDecline }) => lastDecline?.at,
  attemptCards: ({ attempts }) => cardsOf(attempts),
};

export const REFUND_COLUMNS: CsvColumns<RefundResource> = {
  id: ({ id }) => id,
  createdAt: ({ createdAt }) => createdAt,
  updatedAt: ({ updatedAt }) => updatedAt,
  status: ({ status }) => status,
  amount: ({ amount }) => amount,
  currency: ({ currency }) => currency,
  paymentIntentId: ({ paymentIntentId }) => paymentIntentId,
  transactionId: ({ transactionId }) => transactionId,
  reason: ({ reason }) => reason,
  reference: ({ reference }) => reference,
  provider: ({ provider }) => provider,
  failureCode: ({ failure }) => failure?.code,
  metadata: ({ metadata }) => pairs(metadata),
  merchantId: ({ merchantId }) => merchantId,
  environment: ({ environment }) => environment,
};

export const TRANSACTION_COLUMNS: CsvColumns<TransactionResource> = {
  id: ({ id }) => id,
  createdAt: ({ createdAt }) => createdAt,
  type: ({ type }) => type,
  amount: ({ amount }) => amount,
  currency: ({ currency }) => currency,
  amountRefunded: ({ amountRefunded }) => amountRefunded,
  amountRefundable: ({ amountRefundable }) => amountRefundable,
  fee: ({ fee }) => fee,
  net: ({ net }) => net,
  settlementCurrency: ({ settlementCurrency }) => settlementCurrency,
  settlementId: ({ settlementId }) => settlementId,
  settledAt: ({ settledAt }) => settledAt,
  paymentIntentId: ({ paymentIntentId }) => paymentIntentId,
  attemptId: ({ attemptId }) => attemptId,
  refundId: ({ refundId }) => refundId,
  provider: ({ provider }) => provider,
  providerReference: ({ providerReference }) => providerReference,
  merchantId: ({ merchantId }) => merchantId,
  environment: ({ environment }) => environment,
};

export const DISPUTE_COLUMNS: CsvColumns<DisputeResource> = {
  id: ({ id }) => id,
  createdAt: ({ createdAt }) => createdAt,
  updatedAt: ({ updatedAt }) => updatedAt,
  stage: ({ stage }) => stage,
  status: ({ status }) => status,
  reason: ({ reason }) => reason,
  networkReasonCode: ({ networkReasonCode }) => networkReasonCode,
  amount: ({ amount }) => amount,
  currency: ({ currency }) => currency,
  amountWithdrawn: ({ amountWithdrawn }) => amountWithdrawn,
  amountBlocked: ({ amountBlocked }) => amountBlocked,
  respondBy: ({ respondBy }) => respondBy,
  evidenceSubmittedAt: ({ evidenceSubmittedAt }) => evidenceSubmittedAt,
  outcomeAt: ({ outcomeAt }) => outcomeAt,
  paymentIntentId: ({ paymentIntentId }) => paymentIntentId,
  attemptId: ({ attemptId }) => attemptId,
  customerId: ({ customerId }) => customerId,
  provider: ({ provider }) => provider,
  providerReference: ({ providerReference }) => providerReference,
  merchantId: ({ merchantId }) => merchantId,
  environment: ({ environment }) => environment,
};

export const SETTLEMENT_COLUMNS: CsvColumns<SettlementResource> = {
  id: ({ id }) => id,
  createdAt: ({ createdAt }) => createdAt,
  updatedAt: ({ updatedAt }) => updatedAt,
  status: ({ status }) => status,
  currency: ({ currency }) => currency,
  grossAmount: ({ grossAmount }) => grossAmount,
  refundAmount: ({ refundAmount }) => refundAmount,
  disputeAmount: ({ disputeAmount }) => disputeAmount,
  otherAmount: ({ otherAmount }) => otherAmount,
  feeAmount: ({ feeAmount }) => feeAmount,
  taxAmount: ({ taxAmount }) => taxAmount,
  unexplainedAmount: ({ unexplainedAmount }) => unexplainedAmount,
  netAmount: ({ netAmount }) => netAmount,
  arrivalDate: ({ arrivalDate }) => arrivalDate,
  bankReference: ({ bankReference }) => bankReference,
  bankAmount: ({ bank }) => bank?.amount,
  bankCurrency: ({ bank }) => bank?.currency,
  bankValueDate: ({ bank }) => bank?.valueDate,
  entries: ({ entries }) => entries.total,
  exceptions: ({ entries }) => entries.exceptions,
  settledAt: ({ settledAt }) => settledAt,
  provider: ({ provider }) => provider,
  providerReference: ({ providerReference }) => providerReference,
  source: ({ source }) => source,
  merchantId: ({ merchantId }) => merchantId,
  environment: ({ environment }) => environment,
};

export const SETTLEMENT_ENTRY_COLUMNS: CsvColumns<SettlementEntryResource> = {
  id: ({ id }) => id,
  createdAt: ({ createdAt }) => createdAt,
  occurredAt: ({ occurredAt }) => occurredAt,
  type: ({ type }) => type,
  match: ({ match }) => match,
  amount: ({ amount }) => amount,
  fee: ({ fee }) => fee,
  net: ({ net }) => net,
  currency: ({ currency }) => currency,
  originalAmount: ({ originalAmount }) => originalAmount,
  originalCurrency: ({ originalCurrency }) => originalCurrency,
  exchangeRate: ({ exchangeRate }) => exchangeRate,
  availableOn: ({ availableOn }) => availableOn,
  settlementId: ({ settlementId }) => settlementId,
  transactionId: ({ transactionId }) => transactionId,
  refundId: ({ refundId }) => refundId,
  disputeId: ({ disputeId }) => disputeId,
  paymentIntentId: ({ paymentIntentId }) => paymentIntentId,
  resolution: ({ resolution }) => resolution,
  note: ({ note }) => note,
  provider: ({ provider }) => provider,
  providerType: ({ providerType }) => providerType,
  providerReference: ({ providerReference }) => providerReference,
  merchantId: ({ merchantId }) => merchantId,
  environment: ({ environment }) => environment,
};

export const CUSTOMER_COLUMNS: CsvColumns<CustomerResource> = {
  id: ({ id }) => id,
  createdAt: ({ createdAt }) => createdAt,
  updatedAt: ({ updatedAt }) => updatedAt,
  reference: ({ reference }) => reference,
  name: ({ name }) => name,
  email: ({ email }) => email,
  phone: ({ phone }) => phone,
  country: ({ country }) => country,
  description: ({ description }) => description,
  metadata: ({ metadata }) => pairs(metadata),
  merchantId: ({ merchantId }) => merchantId,
  environment: ({ environment }) => environment,
};

/** The cards that were tried, each once, in one cell; no cards leave it empty. */
function cardsOf(attempts: PaymentIntentResource['attempts']): Cell {
  const cards = attempts.flatMap(({ paymentMethod: method }) =>
    method?.type === 'card' ? [[method.brand, method.last4].filter((part) => part !== null).join(' ')] : [],
  );
  const each = [...new Set(cards)].filter((card) => card !== '');
  return each.length === 0 ? null : each.join('; ');
}

/** All pairs in one cell, as JSON; no pairs leave it empty. */
function pairs(metadata: Readonly<Record<string, string>>): Cell {
  return Object.keys(metadata).length === 0 ? null : JSON.stringify(metadata);
}
