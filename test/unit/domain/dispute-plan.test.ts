import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { type DisputeProgress, type DisputeState, nextWork } from '../../../domain/dispute-plan.ts';
import { DAY_MS, HOUR_MS } from '../../../domain/time.ts';

const OPENED = Date.UTC(2026, 0, 1);
const RESPOND_BY = OPENED + 14 * DAY_MS;
const NOTHING: DisputeProgress = { reminded: null, askedAtMs: null };
const DISPUTE: DisputeState = {
  stage: 'chargeback',
  status: 'needs_response',
  reason: 'fraudulent',
  amountMinor: 1_000,
  currency: 'EUR',
  respondBy: new Date(RESPOND_BY).toISOString(),
  withdrawnMinor: 1_000,
  operation: null,
  createdAt: new Date(OPENED).toISOString(),
};
const respondBy = DISPUTE.respondBy ?? '';

describe('the work of a dispute', () => {
  it('is to remind 72 and 24 hours before the end of the time to answer, then to ask once a day', () => {
    const waits = (untilMs: number, nextKind: 'remind' | 'inquire') => ({ kind: 'wait', untilMs, nextKind });
    assert.deepEqual(nextWork(DISPUTE, NOTHING, OPENED), waits(RESPOND_BY - 72 * HOUR_MS, 'remind'));
    const at72 = RESPOND_BY - 72 * HOUR_MS;
    assert.deepEqual(nextWork(DISPUTE, NOTHING, at72), { kind: 'remind', respondBy, hours: 72 });
    const reminded72 = { ...NOTHING, reminded: { respondBy, hours: 72 } } as const;
    assert.deepEqual(nextWork(DISPUTE, reminded72, at72), waits(RESPOND_BY - 24 * HOUR_MS, 'remind'));
    const at24 = RESPOND_BY - 24 * HOUR_MS;
    assert.deepEqual(nextWork(DISPUTE, reminded72, at24), { kind: 'remind', respondBy, hours: 24 });
    const reminded24 = { ...NOTHING, reminded: { respondBy, hours: 24 } } as const;
    assert.deepEqual(nextWork(DISPUTE, reminded24, at24), waits(RESPOND_BY, 'inquire'));
    assert.deepEqual(nextWork(DISPUTE, reminded24, RESPOND_BY), { kind: 'inquire' });
    const asked = { ...reminded24, askedAtMs: RESPOND_BY };
    assert.deepEqual(nextWork(DISPUTE, asked, RESPOND_BY), waits(RESPOND_BY + DAY_MS, 'inquire'));
    assert.deepEqual(nextWork(DISPUTE, asked, RESPOND_BY + DAY_MS), { kind: 'inquire' });
  });

  it('has one reminder after a pause of the engine, and none that lies before the dispute was known', () => {
    assert.deepEqual(nextWork(DISPUTE, NOTHING, RESPOND_BY - HOUR_MS), { kind: 'remind', respondBy, hours: 24 });
    const late = { ...DISPUTE, createdAt: new Date(RESPOND_BY - 48 * HOUR_MS).toISOString() };
    const waits = { kind: 'wait', untilMs: RESPOND_BY - 24 * HOUR_MS, nextKind: 'remind' };
    assert.deepEqual(nextWork(late, NOTHING, RESPOND_BY - 48 * HOUR_MS), waits);
  });

  it('reminds anew where the provider gives more time', () => {
    const reminded = { ...NOTHING, reminded: { respondBy: new Date(OPENED).toISOString(), hours: 24 } } as const;
    assert.deepEqual(nextWork(DISPUTE, reminded, RESPOND_BY - 72 * HOUR_MS), { kind: 'remind', respondBy, hours: 72 });
  });

  it('is first to carry out what was requested, even after the end, and nothing while the bank examines the answer', () => {
    const operation = { id: 'op_1', kind: 'accept' } as const;
    const operates = { kind: 'operate', operationId: 'op_1', operation: 'accept' };
    assert.deepEqual(nextWork({ ...DISPUTE, status: 'accepting', operation }, NOTHING, RESPOND_BY), operates);
    assert.deepEqual(nextWork({ ...DISPUTE, status: 'lost', operation }, NOTHING, RESPOND_BY), operates);
    const idle = { kind: 'wait', untilMs: null, nextKind: null };
    assert.deepEqual(nextWork({ ...DISPUTE, status: 'under_review' }, NOTHING, RESPOND_BY), idle);
    assert.deepEqual(nextWork({ ...DISPUTE, respondBy: null }, NOTHING, RESPOND_BY), idle);
    for (const status of ['won', 'lost', 'closed'] as const) {
      assert.deepEqual(nextWork({ ...DISPUTE, status }, NOTHING, OPENED), { kind: 'end' });
    }
  });
});
