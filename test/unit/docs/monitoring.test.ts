import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'mocha';
import { ALERT_RULES, EXPRESSIONS } from '../../support/monitoring.ts';
import { selectorsOf } from '../../support/promql.ts';

describe('alert rules and dashboard', () => {
  it('are all documented, and no others are', () => {
    const [, section = ''] = readFileSync('docs/operations/monitoring.md', 'utf8').split('## Alert rules\n');
    const [table = ''] = section.split('\n## ');
    const explained = [...table.matchAll(/^\| `(\w+)`/gm)].map(([, name]) => name);
    assert.deepEqual(
      explained,
      ALERT_RULES.map(({ alert }) => alert),
    );
  });

  it('are PromQL that reads metrics', () => {
    for (const { place, query } of EXPRESSIONS) assert.ok(selectorsOf(query).length > 0, place);
    assert.throws(() => selectorsOf('sum(rate(a[5m])'), SyntaxError);
    assert.deepEqual(selectorsOf('sum by (a) (rate(b{c=~"d|e"}[5m])) / f'), [
      { metric: 'b', matchers: [{ label: 'c', operator: '=~', value: 'd|e' }], grouping: ['a'] },
      { metric: 'f', matchers: [], grouping: [] },
    ]);
  });
});
