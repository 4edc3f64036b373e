import { attemptIdOf } from '../../../domain/ids.ts';
import { newId } from '../../../domain/new-id.ts';
import { auditEvents, STORED_AUDIT_EVENT } from '../../../prisma/queries/audit-event.ts';
import { STORED_API_KEY } from '../../../prisma/queries/credentials.ts';
import { accountCustomers, STORED_CUSTOMER } from '../../../prisma/queries/customer.ts';
import { accountDisputes, STORED_DISPUTE } from '../../../prisma/queries/dispute.ts';
import { accountEvents } from '../../../prisma/queries/event.ts';
import { accountRows, type ListedRows } from '../../../prisma/queries/list.ts';
import type * as list from '../../../prisma/queries/list.ts';
import { accountIntents, STORED_INTENT } from '../../../prisma/queries/payment-intent.ts';
import { ACCOUNT_RUN, accountRuns } from '../../../prisma/queries/reconciliation.ts';
import { accountRequests, STORED_REQUEST } from '../../../prisma/queries/request-log.ts';
import { accountRefunds, STORED_REFUND } from '../../../prisma/queries/refund.ts';
import {
  accountSettlementEntries,
  accountSettlements,
  STORED_SETTLEMENT,
  STORED_SETTLEMENT_ENTRY,
} from '../../../prisma/queries/settlement.ts';
import { STORED_EVENT } from '../../../prisma/queries/stored-event.ts';
import { accountTransactions, STORED_TRANSACTION } from '../../../prisma/queries/transaction.ts';
import { ACCOUNT } from './sample-intent.ts';
import type { SamplesOf } from './samples-of.ts';

const TIMES = { createdFrom: new Date(0), createdAfter: new Date(0), createdBefore: new Date(1) };
const PAYMENT = { paymentIntentId: 'pi_1' };
const REFUNDS = accountRefunds(ACCOUNT, { ...PAYMENT, status: 'pending', ...TIMES });
const EVENTS = accountEvents({
  ...ACCOUNT,
  afterSequence: 1,
  beforeSequence: 2,
  type: 'refund.created',
  resourceId: 're_1',
});
const WORDS = { reference: 'ORDER-1042', metadata: { channel: 'web', order: '1042' } };
const IDS = [
  newId('paymentIntent'),
  attemptIdOf(newId('paymentIntent'), 1),
  newId('transaction'),
  newId('refund'),
  newId('customer'),
  'sim_1',
];
const PLACE = { createdAt: new Date(0).toISOString(), id: 're_1' };
const PAGE = { limit: 10, offset: 0 };

export const samples: SamplesOf<typeof list> = {
  selectPage: [
    [REFUNDS, STORED_REFUND, PAGE],
    [accountRuns(ACCOUNT, { provider: 'alpha', status: 'completed' }), ACCOUNT_RUN, PAGE],
    [accountTransactions(ACCOUNT, { ...PAYMENT, type: 'capture', ...TIMES }), STORED_TRANSACTION, PAGE],
    [
      accountSettlements(ACCOUNT, { provider: 'alpha', status: 'paid', currency: 'USD', ...TIMES }),
      STORED_SETTLEMENT,
      PAGE,
    ],
    [accountSettlementEntries(ACCOUNT, { settlementId: 'stl_1', ...TIMES }), STORED_SETTLEMENT_ENTRY, PAGE],
    [
      accountSettlementEntries(ACCOUNT, { match: 'unknown', type: 'payment', transactionId: 'txn_1', ...TIMES }),
      STORED_SETTLEMENT_ENTRY,
      PAGE,
    ],
    [
      accountDisputes(ACCOUNT, { ...PAYMENT, status: 'won', stage: 'chargeback', reason: 'general', ...TIMES }),
      STORED_DISPUTE,
      PAGE,
    ],
    [accountDisputes(ACCOUNT, { sort: 'respond_by' }), STORED_DISPUTE, PAGE],
    [accountDisputes(ACCOUNT, { status: 'needs_response', sort: 'respond_by' }), STORED_DISPUTE, PAGE],
    [
      accountIntents(ACCOUNT, { status: 'created', customerId: 'cus_1', currency: 'EUR', ...TIMES }),
      STORED_INTENT,
      PAGE,
    ],
    [accountCustomers(ACCOUNT, { email: 'a@example.com', ...TIMES }), STORED_CUSTOMER, PAGE],
    [
      accountIntents(ACCOUNT, {
        ...WORDS,
        last4: '4242',
        errorCode: 'CARD_DECLINED',
        status: 'created',
        amountMin: 1,
        amountMax: 2,
      }),
      STORED_INTENT,
      PAGE,
    ],
    [accountIntents(ACCOUNT, { errorCode: 'CARD_DECLINED', ...TIMES }), STORED_INTENT, PAGE],
    [accountIntents(ACCOUNT, { retried: true, ...TIMES }), STORED_INTENT, PAGE],
    [accountIntents(ACCOUNT, { retried: false, currency: 'EUR' }), STORED_INTENT, PAGE],
    [accountIntents(ACCOUNT, { errorCode: 'CARD_DECLINED', paymentLinkId: 'pl_1' }), STORED_INTENT, PAGE],
    [accountRefunds(ACCOUNT, { ...WORDS, ...TIMES }), STORED_REFUND, PAGE],
    [accountCustomers(ACCOUNT, { ...WORDS, email: 'a@example.com' }), STORED_CUSTOMER, PAGE],
    [accountRows('api_key', ACCOUNT, {}, {}), STORED_API_KEY, PAGE],
    [
      auditEvents(
        { ...ACCOUNT, merchantId: 'm_1' },
        { action: 'api_key.created', resourceId: 'key_1', actorId: 'per_1', ...TIMES },
      ),
      STORED_AUDIT_EVENT,
      PAGE,
    ],
    [accountRequests(ACCOUNT, { status: 404, code: 'X', path: '/', ...TIMES }), STORED_REQUEST, PAGE],
    [EVENTS, STORED_EVENT, PAGE],
  ],
  selectPlace: [
    [REFUNDS, 're_1'],
    [accountIntents(ACCOUNT, WORDS), 'pi_1'],
    [accountRuns(ACCOUNT, {}), 'run_1'],
    [accountRequests(ACCOUNT, {}), 'req_1'],
    [auditEvents({ ...ACCOUNT, merchantId: 'm_1' }, {}), 'aud_1'],
  ],
  selectAfter: [
    [REFUNDS, STORED_REFUND, { after: null, limit: 10 }],
    [REFUNDS, STORED_REFUND, { after: PLACE, limit: 10 }],
    [accountIntents(ACCOUNT, { ...WORDS, amountMin: 1 }), STORED_INTENT, { after: PLACE, limit: 10 }],
    [accountTransactions(ACCOUNT, {}), STORED_TRANSACTION, { after: PLACE, limit: 10 }],
    [accountCustomers(ACCOUNT, WORDS), STORED_CUSTOMER, { after: PLACE, limit: 10 }],
  ],
  countRows: [
    [REFUNDS, 100],
    [accountRefunds(ACCOUNT, WORDS), 100],
    ...IDS.map((id): [ListedRows, number] => [accountIntents(ACCOUNT, { id }), 100]),
  ],
  explainRows: [[REFUNDS], [accountRefunds(ACCOUNT, WORDS)]],
};
