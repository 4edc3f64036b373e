import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { takeInProviderEvent } from '../../../api/provider-webhooks.ts';
import type { ProviderEvent, RefundProviderEvent } from '../../../domain/provider-outcome.ts';
import type { Database } from '../../../prisma/client.ts';
import { TemporalUnavailableError } from '../../../temporal/calls.ts';

const UNIQUE = '0192f0c1a2b37c4d8e5f60718293a4b5';
const EVENT: ProviderEvent = {
  provider: 'alpha',
  eventId: 'simevt_1',
  attemptId: `att_${UNIQUE}_1`,
  outcome: { kind: 'approved', providerPaymentId: 'sim_1', captured: true },
};

const REFUND_EVENT: RefundProviderEvent = {
  provider: 'alpha',
  eventId: 'simevt_2',
  refundId: `re_${UNIQUE}`,
  refundOutcome: { kind: 'refunded', providerRefundId: 'simre_1' },
};

type Delivery = 'delivered' | 'finished' | 'not_started' | TemporalUnavailableError;

interface RecordedAttempt {
  readonly outcome: string | null;
  readonly startedAt: Date;
  readonly paymentIntent: { readonly status: string };
}

interface RecordedRefund {
  readonly paymentIntentId: string;
  readonly provider: string;
  readonly status: string;
  readonly createdAt: Date;
}

const LONG_AGO = new Date(Date.now() - 60_000);
const WAITING: RecordedAttempt = { outcome: null, startedAt: LONG_AGO, paymentIntent: { status: 'requires_action' } };

const REFUND: RecordedRefund = {
  paymentIntentId: `pi_${UNIQUE}`,
  provider: 'alpha',
  status: 'pending',
  createdAt: LONG_AGO,
};

interface Recorded {
  readonly attempt?: RecordedAttempt | null;
  readonly refund?: RecordedRefund | null;
}

/** The tables that count, and workflows that take events as they are told. */
function engine(delivery: Delivery, { attempt = WAITING, refund = REFUND }: Recorded = {}) {
  const deliver = (id: string) => {
    delivered.push(id);
    return delivery instanceof Error ? Promise.reject(delivery) : Promise.resolve(delivery);
  };
  const rows = new Map<string, { paymentIntentId: string; deliveredAt: Date | null }>();
  const delivered: string[] = [];
  const warnings: string[] = [];
  const providerEvent = {
    createMany: ({ data }: { data: { eventId: string; paymentIntentId: string } }) => {
      if (rows.has(data.eventId)) return Promise.resolve({ count: 0 });
      rows.set(data.eventId, { paymentIntentId: data.paymentIntentId, deliveredAt: null });
      return Promise.resolve({ count: 1 });
    },
    update: ({ where, data }: { where: { provider_eventId: { eventId: string } }; data: { deliveredAt: Date } }) => {
      const row = rows.get(where.provider_eventId.eventId);
      if (row !== undefined) row.deliveredAt = data.deliveredAt;
      return Promise.resolve(row);
    },
  };
  const dependencies = {
    database: {
      providerEvent,
      paymentAttempt: { findUnique: () => Promise.resolve(attempt) },
      refund: { findUnique: () => Promise.resolve(refund) },
    } as unknown as Database,
    workflows: { deliverProviderEvent: deliver },
    refundWorkflows: { deliverRefundEvent: deliver },
    logger: { warn: (_fields: object, message: string) => void warnings.push(message) },
  };
  return { dependencies, rows, delivered, warnings };
}

describe('provider webhooks', () => {
  for (const delivery of ['delivered', 'finished'] as const) {
    it(`note an event as done when the workflow has ${delivery === 'finished' ? 'ended' : 'it'}`, async () => {
      const { dependencies, rows, delivered } = engine(delivery);
      await takeInProviderEvent(dependencies, EVENT);
      assert.deepEqual(delivered, [`pi_${UNIQUE}`]);
      assert.ok(rows.get(EVENT.eventId)?.deliveredAt instanceof Date);
    });
  }

  for (const [what, delivery] of [
    ['that comes before its workflow', 'not_started'],
    ['while Temporal is away', new TemporalUnavailableError('away')],
  ] as const) {
    it(`keep an event ${what}, to be handed over later`, async () => {
      const { dependencies, rows } = engine(delivery);
      await takeInProviderEvent(dependencies, EVENT);
      assert.deepEqual(rows.get(EVENT.eventId), { paymentIntentId: `pi_${UNIQUE}`, deliveredAt: null });
    });
  }

  it('hand an event over once, however often it is sent', async () => {
    const { dependencies, delivered } = engine('delivered');
    await takeInProviderEvent(dependencies, EVENT);
    await takeInProviderEvent(dependencies, EVENT);
    assert.equal(delivered.length, 1);
  });

  const leftAlone: [string, () => RecordedAttempt | null][] = [
    ['an attempt that is not recorded', () => null],
    ['an attempt whose end is recorded', () => ({ ...WAITING, outcome: 'approved' })],
    [
      'an attempt whose reply is likely on its way',
      () => ({ outcome: null, startedAt: new Date(), paymentIntent: { status: 'processing' } }),
    ],
  ];
  for (const [what, attempt] of leftAlone) {
    it(`leave an event about ${what} to the sweeper`, async () => {
      const { dependencies, rows, delivered } = engine('delivered', { attempt: attempt() });
      await takeInProviderEvent(dependencies, EVENT);
      assert.deepEqual(delivered, []);
      assert.equal(rows.get(EVENT.eventId)?.deliveredAt, null);
    });
  }

  it('hand over at once an event about an attempt that has been silent', async () => {
    const silent = { outcome: null, startedAt: LONG_AGO, paymentIntent: { status: 'processing' } };
    const { dependencies, delivered } = engine('delivered', { attempt: silent });
    await takeInProviderEvent(dependencies, EVENT);
    assert.equal(delivered.length, 1);
  });

  it('keep nothing of an event about no attempt of ours', async () => {
    const { dependencies, rows, warnings } = engine('delivered');
    await takeInProviderEvent(dependencies, { ...EVENT, attemptId: 'order-42' });
    assert.deepEqual([rows.size, warnings.length], [0, 1]);
  });

  it('hand an event about a refund to the workflow of the refund', async () => {
    const { dependencies, rows, delivered } = engine('delivered');
    await takeInProviderEvent(dependencies, REFUND_EVENT);
    await takeInProviderEvent(dependencies, REFUND_EVENT);
    assert.deepEqual(delivered, [REFUND_EVENT.refundId]);
    assert.equal(rows.get(REFUND_EVENT.eventId)?.paymentIntentId, REFUND.paymentIntentId);
  });

  for (const [what, refund] of [
    ['that has ended', () => ({ ...REFUND, status: 'succeeded' })],
    ['whose reply is likely on its way', () => ({ ...REFUND, createdAt: new Date() })],
  ] as const) {
    it(`leave an event about a refund ${what} to the sweeper`, async () => {
      const { dependencies, rows, delivered } = engine('delivered', { refund: refund() });
      await takeInProviderEvent(dependencies, REFUND_EVENT);
      assert.deepEqual([rows.size, delivered.length], [1, 0]);
    });
  }

  for (const [what, refund] of [
    ['that is not known', null],
    ['at another provider', { ...REFUND, provider: 'beta' }],
  ] as const) {
    it(`keep nothing of an event about a refund ${what}`, async () => {
      const { dependencies, rows, warnings } = engine('delivered', { refund });
      await takeInProviderEvent(dependencies, REFUND_EVENT);
      assert.deepEqual([rows.size, warnings.length], [0, 1]);
    });
  }
});
