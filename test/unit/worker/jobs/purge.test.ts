import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { RetentionRule } from '../../../../prisma/queries/purge.ts';
import { retentionRules } from '../../../../worker/jobs/purge.ts';

describe('retention', () => {
  const rules = retentionRules({
    eventsDays: 30,
    providerEventsDays: 40,
    paymentsDays: 50,
    auditEventsDays: 400,
    requestsDays: 7,
    savedCardsUnusedDays: 730,
  });
  const keepDaysOf = (rows: RetentionRule['rows']): number | undefined =>
    rules.find((rule) => rule.rows === rows)?.keepDays;

  it('takes the days of events, provider events and audit events from the configuration', () => {
    assert.deepEqual([keepDaysOf('events'), keepDaysOf('provider_events'), keepDaysOf('audit_events')], [30, 40, 400]);
  });

  it('keeps stray charges as long as payments, and operations longer than the keys of their requests', () => {
    assert.equal(keepDaysOf('stray_charges'), 50);
    assert.ok((keepDaysOf('operations') ?? 0) > (keepDaysOf('stored_responses') ?? Infinity));
  });

  it('keeps stored responses for at least the promised 24 hours', () => {
    assert.ok((keepDaysOf('stored_responses') ?? 0) >= 1);
  });

  it('gives up webhooks that are not delivered later than those that are', () => {
    assert.ok((keepDaysOf('all_deliveries') ?? 0) > (keepDaysOf('ended_deliveries') ?? Infinity));
  });

  it('has one rule for each kind of rows', () => {
    const kinds = rules.map(({ rows }) => rows);
    assert.equal(new Set(kinds).size, kinds.length);
  });
});
