import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { retentionRules } from '../../../../worker/jobs/purge.ts';

describe('retention', () => {
  const rules = retentionRules({ eventsDays: 30, providerEventsDays: 40, paymentsDays: 50 });
  const keepDaysOf = (table: string): number | undefined => rules.find((rule) => rule.table === table)?.keepDays;

  it('has the configured days of events and provider events', () => {
    assert.deepEqual([keepDaysOf('event'), keepDaysOf('provider_event')], [30, 40]);
  });

  it('keeps stray charges as long as events, and operations longer than the keys of their requests', () => {
    assert.equal(keepDaysOf('stray_charge'), 30);
    assert.ok((keepDaysOf('payment_operation') ?? 0) > (keepDaysOf('idempotency_record') ?? Infinity));
  });

  it('keeps stored responses for at least the promised 24 hours', () => {
    assert.ok((keepDaysOf('idempotency_record') ?? 0) >= 1);
  });

  it('never names a table twice, or one that must not be purged', () => {
    const tables = rules.map(({ table }) => table);
    assert.equal(new Set(tables).size, tables.length);
    assert.ok(!tables.includes('event_counter'));
  });
});
