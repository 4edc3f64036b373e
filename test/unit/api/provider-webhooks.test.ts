import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { takeInProviderEvent } from '../../../api/provider-webhooks.ts';
import type { ProviderEvent } from '../../../domain/provider-outcome.ts';
import type { Database } from '../../../prisma/client.ts';
import { TemporalUnavailableError } from '../../../temporal/payment-workflows.ts';

const UNIQUE = '0192f0c1a2b37c4d8e5f60718293a4b5';
const EVENT: ProviderEvent = {
  provider: 'alpha',
  eventId: 'simevt_1',
  attemptId: `att_${UNIQUE}_1`,
  outcome: { kind: 'approved', providerPaymentId: 'sim_1', captured: true },
};

type Delivery = 'delivered' | 'finished' | 'not_started' | TemporalUnavailableError;

interface RecordedAttempt {
  readonly outcome: string | null;
  readonly startedAt: Date;
  readonly paymentIntent: { readonly status: string };
}

const LONG_AGO = new Date(Date.now() - 60_000);
const WAITING: RecordedAttempt = { outcome: null, startedAt: LONG_AGO, paymentIntent: { status: 'requires_action' } };

/** The tables that count, and a workflow that takes events as it is told. */
function engine(delivery: Delivery, attempt: RecordedAttempt | null = WAITING) {
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
    database: { providerEvent, paymentAttempt: { findUnique: () => Promise.resolve(attempt) } } as unknown as Database,
    workflows: {
      deliverProviderEvent: (paymentIntentId: string) => {
        delivered.push(paymentIntentId);
        return delivery instanceof Error ? Promise.reject(delivery) : Promise.resolve(delivery);
      },
    },
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
      const { dependencies, rows, delivered } = engine('delivered', attempt());
      await takeInProviderEvent(dependencies, EVENT);
      assert.deepEqual(delivered, []);
      assert.equal(rows.get(EVENT.eventId)?.deliveredAt, null);
    });
  }

  it('hand over at once an event about an attempt that has been silent', async () => {
    const silent = { outcome: null, startedAt: LONG_AGO, paymentIntent: { status: 'processing' } };
    const { dependencies, delivered } = engine('delivered', silent);
    await takeInProviderEvent(dependencies, EVENT);
    assert.equal(delivered.length, 1);
  });

  it('keep nothing of an event about no attempt of ours', async () => {
    const { dependencies, rows, warnings } = engine('delivered');
    await takeInProviderEvent(dependencies, { ...EVENT, attemptId: 'order-42' });
    assert.deepEqual([rows.size, warnings.length], [0, 1]);
  });
});
