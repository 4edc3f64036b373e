import assert from 'node:assert/strict';
import { before, describe, it } from 'mocha';
import { readHealthOfAll, readHealthOfOne } from '../../../../accounts/platform/provider-health.ts';
import { platformProviderHealthResource } from '../../../../contract/schemas/platform.ts';
import { HOUR_MS, SECOND_MS } from '../../../../domain/time.ts';
import { useAccount } from '../../../support/account-fixture.ts';
import { insertMerchantAccount } from '../../../support/payment-rows.ts';

/** Each test of hours asks for an hour that has begun some time ago, so that none begins meanwhile. */
const HOUR = new Date(Math.floor(Date.now() / HOUR_MS) * HOUR_MS - 3 * HOUR_MS);
const OLD = new Date(HOUR.getTime() - 24 * HOUR_MS);

describe('the health of the providers over all merchants', () => {
  const fixture = useAccount();

  before(async () => {
    const other = await insertMerchantAccount(fixture.database);
    await fixture.database.paymentStatistic.createMany({
      data: [
        count(fixture.account, 'approved', 30),
        count(fixture.account, 'not_charged', 8),
        count(other, 'not_charged', 10),
        count(other, 'declined', 2),
        count(other, 'canceled', 100),
        { ...count(other, 'approved', 100), startsAt: OLD },
        { ...count(other, 'approved', 1_000), period: 'day', startsAt: HOUR },
      ],
    });
    const id = await fixture.insertIntent();
    const attempt = {
      paymentIntentId: id,
      routeId: 'rt_1',
      provider: 'alpha',
      paymentMethodId: 'pm_1',
      currency: 'EUR',
    };
    await fixture.database.paymentAttempt.createMany({
      data: [2, 4, 9].map((seconds, index) => ({
        ...attempt,
        id: `${id}_${index}`,
        number: index + 1,
        amountMinor: 1_999n,
        tries: 1,
        outcome: 'approved',
        startedAt: HOUR,
        finishedAt: new Date(HOUR.getTime() + seconds * SECOND_MS),
      })),
    });
    await fixture.database.providerHealth.create({
      data: { provider: 'beta', environment: 'production', consecutiveFailures: 7, openUntil: OLD, failingSince: OLD },
    });
  });

  function count(merchantAccountId: string, outcome: string, attempts: number) {
    const none = { method: 'card', country: '', code: '' };
    const of = { environment: 'sandbox', period: 'hour', currency: 'EUR', startsAt: HOUR, kind: 'attempt', ...none };
    return { merchantAccountId, ...of, outcome, provider: 'alpha', count: BigInt(attempts), amountMinor: 0n };
  }

  it('counts attempts, approvals and those without an answer by hour, with their times', async () => {
    const { hours, ...total } = await readHealthOfOne(fixture.database, 'sandbox:alpha');
    const counts = { attempts: 50, approved: 30, unanswered: 18, latency: { medianMs: 4_000, p95Ms: 8_500 } };
    assert.deepEqual({ ...total, ...counts }, total);
    assert.deepEqual([hours.length, total.failingSince], [24, null]);
    assert.deepEqual(
      hours.filter(({ attempts, latency }) => attempts > 0 || latency !== null),
      [{ startsAt: HOUR.toISOString(), ...counts }],
    );
  });

  it('begins with providers that give no answer, also where they had no attempt for long', async () => {
    const all = await readHealthOfAll(fixture.database);
    assert.deepEqual(
      all.map(({ id, attempts, failingSince }) => [id, attempts, failingSince]),
      [
        ['production:beta', 0, OLD.toISOString()],
        ['sandbox:alpha', 50, null],
      ],
    );
    for (const health of all) platformProviderHealthResource.parse(health);
  });

  it('knows no provider that had no attempt and never failed', async () => {
    await assert.rejects(readHealthOfOne(fixture.database, 'sandbox:beta'), { code: 'RESOURCE_NOT_FOUND' });
  });
});
