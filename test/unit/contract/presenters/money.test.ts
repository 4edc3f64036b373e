import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { presentEvent } from '../../../../contract/presenters/event.ts';
import type { DisputeRow } from '../../../../prisma/queries/dispute.ts';
import type { SettlementEntryRow, SettlementRow } from '../../../../prisma/queries/settlement.ts';
import type { StoredEvent } from '../../../../prisma/queries/stored-event.ts';
import type { ProviderAccountRow } from '../../../../prisma/fragments/provider-account-json.ts';
import type { WebhookEndpointRow } from '../../../../prisma/fragments/webhook-endpoint-json.ts';
import { presentRefund } from '../../../../contract/presenters/refund.ts';
import { eventResource } from '../../../../contract/schemas/event.ts';
import { refundResource } from '../../../../contract/schemas/refund.ts';
import { transactionResource } from '../../../../contract/schemas/transaction.ts';
import { presentTransaction } from '../../../../contract/presenters/transaction.ts';
import { EVENT_TYPES } from '../../../../domain/events.ts';
import type { Attempt, Transaction } from '../../../../domain/payment.ts';
import { assertContains } from '../../../support/assert-contains.ts';
import { refundRow, transactionRow } from '../../../support/money-rows.ts';
import { storedIntent } from '../../../support/payment-intents.ts';

describe('refund presenter', () => {
  it('returns exactly the documented fields', () => {
    const resource = presentRefund(refundRow());
    assert.deepEqual(refundResource.strict().parse(resource), resource);
    assert.equal(
      Object.keys(resource).join(' '),
      'id object merchantId environment paymentIntentId transactionId amount currency status reason reference metadata ' +
        'provider origin failure advisory createdAt updatedAt',
    );
    assertContains(resource, {
      object: 'refund',
      amount: 600,
      failure: null,
      createdAt: '2026-06-01T12:00:00.500Z',
      updatedAt: '2026-06-01T12:00:01.000Z',
    });
  });

  it('returns the error of a failed refund', () => {
    const failure = { code: 'REFUND_FAILED', message: 'No.', details: { providerResponse: { reason: 'x' } } } as const;
    assert.deepEqual(presentRefund(refundRow({ status: 'failed', failure })).failure, failure);
    const { details: _none, ...bare } = failure;
    assert.deepEqual(presentRefund(refundRow({ status: 'failed', failure: bare })).failure, bare);
  });
});

describe('transaction presenter', () => {
  const refunds = { refundedMinor: 300, refundableMinor: 1_700 };

  it('returns the refunded and the refundable amount of a capture', () => {
    const resource = presentTransaction(transactionRow(), refunds, null);
    assert.deepEqual(transactionResource.strict().parse(resource), resource);
    assertContains(resource, { providerReference: 'sim_1', amountRefunded: 300, amountRefundable: 1_700 });
  });

  it('returns neither for other transactions', () => {
    for (const type of ['authorization', 'void', 'refund'] as const) {
      const resource = presentTransaction(transactionRow({ type }), refunds, null);
      assert.ok(!('amountRefunded' in resource) && !('amountRefundable' in resource), type);
    }
  });
});

const CAPTURE: Transaction = {
  id: 'txn_1',
  attemptId: 'att_1',
  type: 'capture',
  amountMinor: 500,
  currency: 'USD',
  provider: 'beta',
  providerPaymentId: 'sim_2',
};
const ENDPOINT: WebhookEndpointRow = {
  id: 'whe_1',
  merchant_account_id: 'mer_1',
  environment: 'sandbox',
  url: 'https://merchant.example/webhooks',
  description: null,
  enabled_events: [],
  status: 'disabled',
  disabled_reason: 'gone',
  disabled_at: '2026-06-01T12:00:10+00:00',
  previous_secret_expires_at: null,
  rotation_id: null,
  failing_since: null,
  failing_mailed_for: null,
  consecutive_failures: 0,
  probe_count: 0,
  next_probe_at: null,
  recovery_due_at: null,
  last_success_at: null,
  last_failure_at: '2026-06-01T12:00:10+00:00',
  last_failure: 'status 410',
  version: 2,
  created_by_id: null,
  created_by_key_id: null,
  created_at: '2026-06-01T12:00:00+00:00',
  updated_at: '2026-06-01T12:00:10+00:00',
};
const PROVIDER_ACCOUNT: ProviderAccountRow = {
  id: 'simulator_0192f0c1a2b37c4d8e5f60718293a4b7',
  merchant_id: 'org_1',
  merchant_account_id: 'mer_1',
  environment: 'sandbox',
  kind: 'simulator',
  name: 'Acquirer',
  status: 'active',
  credential_names: ['apiKey'],
  public_credentials: {},
  credentials_updated_at: '2026-06-01T12:00:00+00:00',
  credentials_refused_since: '2026-06-01T12:00:10+00:00',
  credentials_refused_operation: 'authorize',
  version: 1,
  created_by_id: null,
  created_by_key_id: null,
  created_at: '2026-06-01T12:00:00+00:00',
  updated_at: '2026-06-01T12:00:10+00:00',
};
const CARD_TESTING = { limit: 'bin', declines: 20, confirms: 25, limitPerHour: 20 } as const;
const DIFFERENCE: StoredEvent['snapshot']['reconciliationDifference'] = {
  run_id: 'rec_1',
  number: 1,
  provider: 'beta',
  kind: 'amount_differs',
  action: 'reported',
  merchant_account_id: 'mer_1',
  environment: 'sandbox',
  payment_intent_id: 'pi_1',
  attempt_id: 'att_1',
  refund_id: null,
  provider_payment_id: 'sim_2',
  ours: { status: 'captured', amount: 500, capturedAmount: 500, currency: 'USD' },
  theirs: { status: 'captured', amount: 600, capturedAmount: 600, currency: 'USD' },
  created_at: '2026-06-01T12:00:10+00:00',
};
const AT = new Date('2026-06-01T12:00:10.000Z');

const DISPUTE: DisputeRow = {
  id: 'dp_0192f0c1a2b37c4d8e5f60718293a4b5',
  payment_intent_id: 'pi_0192f0c1a2b37c4d8e5f60718293a4b5',
  attempt_id: 'att_0192f0c1a2b37c4d8e5f60718293a4b5_1',
  merchant_account_id: 'mer_1',
  environment: 'sandbox',
  customer_id: null,
  provider: 'alpha',
  provider_reference: 'simdp_1',
  stage: 'chargeback',
  status: 'needs_response',
  reason: 'fraudulent',
  network_reason_code: '10.4',
  amount_minor: 500,
  currency: 'USD',
  amount_withdrawn_minor: 500,
  amount_blocked_minor: 500,
  respond_by: '2026-06-15T12:00:00+00:00',
  is_defendable: null,
  evidence_submitted_at: null,
  operation: null,
  operation_id: null,
  last_error: null,
  outcome_at: null,
  created_at: '2026-06-01T12:00:00+00:00',
  updated_at: '2026-06-01T12:00:00+00:00',
};

function storedEvent(change: Partial<StoredEvent>): StoredEvent {
  return {
    id: 'evt_1',
    type: 'payment_intent.processing',
    resourceId: 'pi_0192f0c1a2b37c4d8e5f60718293a4b5',
    paymentIntentId: 'pi_0192f0c1a2b37c4d8e5f60718293a4b5',
    merchantAccountId: 'mer_1',
    environment: 'sandbox',
    sequence: 7,
    createdAt: AT,
    failure: null,
    snapshot: { ...storedIntent(), attempts: [] },
    attempts: [],
    maskedPaymentMethod: null,
    savedPaymentMethodId: null,
    savedUse: null,
    ...change,
  };
}

const SAVED_METHOD = {
  id: 'spm_1',
  merchant_account_id: 'mer_1',
  environment: 'sandbox',
  customer_id: 'cus_1',
  status: 'active',
  status_reason: null,
  masked: { type: 'card', brand: 'visa', last4: '4242', expiryMonth: 12, expiryYear: 2_034 },
  usage: 'on_session',
  consent: null,
  initial_payment_intent_id: 'pi_1',
  is_default: false,
  metadata: {},
  has_card_number: true,
  last_used_at: '2026-06-01T12:00:00.5+00:00',
  version: 0,
  created_at: '2026-06-01T12:00:00.5+00:00',
  updated_at: '2026-06-01T12:00:00.5+00:00',
} as const;
const CREDENTIALS = [{ provider: 'alpha', status: 'active', hasNetworkTransactionId: true }] as const;

const SETTLEMENT = {
  id: 'stl_1',
  merchant_account_id: 'mer_1',
  environment: 'sandbox',
  provider: 'alpha',
  provider_reference: 'batch_1',
  status: 'paid',
  currency: 'USD',
  net_amount_minor: 945,
  is_shared: false,
  gross_amount_minor: 1_000,
  fee_amount_minor: 50,
  tax_amount_minor: 9,
  entries_net_minor: 941,
  amounts_by_type: { payment: 1_000 },
  entries_total: 1,
  entries_matched: 1,
  entries_exceptions: 0,
  arrival_date: '2026-06-01',
  bank_reference: null,
  source: 'api',
  bank: null,
  settled_at: '2026-06-01T12:00:00.5+00:00',
  imported_at: '2026-06-01T12:00:00.5+00:00',
  created_at: '2026-06-01T12:00:00.5+00:00',
  updated_at: '2026-06-01T12:00:00.5+00:00',
} as const satisfies SettlementRow;
const SETTLEMENT_ENTRY = {
  id: 'ste_1',
  settlement_id: 'stl_1',
  merchant_account_id: 'mer_1',
  environment: 'sandbox',
  provider: 'alpha',
  type: 'payment',
  provider_type: 'capture',
  provider_reference: 'line_1',
  transaction_id: null,
  refund_id: null,
  dispute_id: null,
  payment_intent_id: null,
  amount_minor: 1_000,
  fee_minor: 59,
  fee_details: [{ type: 'tax', amountMinor: 9 }],
  net_minor: 941,
  currency: 'USD',
  original_amount_minor: null,
  original_currency: null,
  exchange_rate: null,
  occurred_at: '2026-06-01T12:00:00.5+00:00',
  available_on: null,
  match: 'unknown',
  details: { ours: null, theirs: { amount: 1_000, currency: 'USD' } },
  resolution: null,
  note: null,
  resolved_at: null,
  created_at: '2026-06-01T12:00:00.5+00:00',
  updated_at: '2026-06-01T12:00:00.5+00:00',
} as const satisfies SettlementEntryRow;

describe('event presenter', () => {
  it('presents the resource of every type as the API does', () => {
    const refund = refundRow();
    for (const type of EVENT_TYPES) {
      const [kind] = type.split('.');
      const about: Readonly<Record<string, Partial<StoredEvent>>> = {
        payment_intent: {},
        refund: { resourceId: refund.id, snapshot: { refund } },
        transaction: { resourceId: 'txn_1', snapshot: { ...storedIntent(), transactions: [CAPTURE] } },
        reconciliation: { resourceId: 'rec_1_1', snapshot: { reconciliationDifference: DIFFERENCE } },
        webhook_endpoint: { resourceId: ENDPOINT.id, snapshot: { webhookEndpoint: ENDPOINT } },
        provider_account: { resourceId: PROVIDER_ACCOUNT.id, snapshot: { providerAccount: PROVIDER_ACCOUNT } },
        payment_method: {
          resourceId: SAVED_METHOD.id,
          snapshot: { savedPaymentMethod: SAVED_METHOD, credentials: CREDENTIALS },
        },
        settlement:
          type === 'settlement.difference_found'
            ? { resourceId: SETTLEMENT_ENTRY.id, snapshot: { settlementEntry: SETTLEMENT_ENTRY } }
            : { resourceId: SETTLEMENT.id, snapshot: { settlement: SETTLEMENT } },
        dispute: { resourceId: DISPUTE.id, snapshot: { ...storedIntent(), dispute: DISPUTE } },
        card_testing: { resourceId: 'evt_1', snapshot: { cardTesting: CARD_TESTING } },
      };
      const change = new Map<string | undefined, Partial<StoredEvent>>(Object.entries(about)).get(kind);
      assert.ok(change, type);
      const event = presentEvent(storedEvent({ type, ...change }));
      assert.deepEqual(eventResource.strict().parse(event), event, type);
      const objects = new Map([
        ['reconciliation', 'reconciliation_difference'],
        ['payment_method', 'saved_payment_method'],
      ]);
      const object = type === 'settlement.difference_found' ? 'settlement_entry' : kind;
      assert.equal(event.data.object, objects.get(kind ?? '') ?? object, type);
    }
  });

  it('presents why a payment failed, and nothing of other failures', () => {
    const failure = { code: 'UNSUPPORTED_REGION', message: 'No route takes AQ.', details: { country: 'AQ' } } as const;
    const event = presentEvent(storedEvent({ type: 'payment_intent.payment_failed', failure }));
    assert.deepEqual(eventResource.strict().parse(event).failure, failure);
    assert.equal(presentEvent(storedEvent({ type: 'payment_intent.stuck', failure })).failure, undefined);
  });

  it('presents a transaction as it was at that step of its payment', () => {
    const snapshot = { ...storedIntent(), transactions: [{ ...CAPTURE, id: 'txn_0' }, CAPTURE] };
    const { data } = presentEvent(storedEvent({ type: 'transaction.created', resourceId: 'txn_1', snapshot }));
    assertContains(data, { id: 'txn_1', amount: 500, amountRefunded: 0, amountRefundable: 500, provider: 'beta' });
    assertContains(data, { createdAt: AT.toISOString(), merchantId: 'mer_1', refundId: null });
  });

  it("presents a refund's transaction with the id of the refund", () => {
    const refunded = { ...CAPTURE, type: 'refund', refundId: 're_1' } as const;
    const snapshot = { refund: refundRow(), transactions: [refunded] };
    const { data } = presentEvent(storedEvent({ type: 'transaction.created', resourceId: 'txn_1', snapshot }));
    assertContains(data, { object: 'transaction', type: 'refund', refundId: 're_1' });
  });

  const attempt = (number: number, change: Partial<Attempt> = {}): Attempt => ({
    id: `att_${number}`,
    number,
    routeId: 'rt_1',
    provider: 'alpha',
    paymentMethodId: 'pm_1',
    amountMinor: 1_234,
    currency: 'USD',
    tries: 1,
    outcome: 'declined',
    code: 'CARD_DECLINED',
    providerPaymentId: null,
    startedAt: `2026-06-01T12:00:0${number}.000Z`,
    finishedAt: `2026-06-01T12:00:0${number}.500Z`,
    operationId: 'op_1',
    ...change,
  });

  it('presents the attempts as they were at that time', () => {
    const written = attempt(2, { outcome: null, code: null, finishedAt: null });
    const later = attempt(3, { startedAt: '2026-06-01T12:01:00.000Z' });
    const snapshot = { ...storedIntent(), attempts: [written] };
    const { data } = presentEvent(storedEvent({ snapshot, attempts: [attempt(1), attempt(2), later] }));
    assert.ok(data.object === 'payment_intent');
    assert.deepEqual(
      data.attempts.map(({ id, outcome }) => [id, outcome]),
      [
        ['att_1', 'declined'],
        ['att_2', null],
      ],
    );
  });

  it('presents an attempt that ended later as open', () => {
    const ended = attempt(1, { finishedAt: '2026-06-01T12:02:00.000Z' });
    const { data } = presentEvent(storedEvent({ type: 'payment_intent.stuck', attempts: [ended] }));
    assert.ok(data.object === 'payment_intent');
    assertContains(data.attempts[0], { outcome: null, code: null, finishedAt: null });
  });

  it('throws if the snapshot holds another resource than the event is about', () => {
    assert.throws(() => presentEvent(storedEvent({ type: 'transaction.created', resourceId: 'txn_9' })), /txn_9/);
    assert.throws(() => presentEvent(storedEvent({ snapshot: {} })), /evt_1/);
  });
});
