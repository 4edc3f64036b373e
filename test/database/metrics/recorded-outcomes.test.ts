import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { Registry } from 'prom-client';
import { recordRefund } from '../../../activities/record-refund.ts';
import { recordStep } from '../../../activities/record-step.ts';
import type { PaymentStep } from '../../../domain/payment-step.ts';
import { createRecordMetrics } from '../../../metrics/worker-metrics.ts';
import { createPaymentStore } from '../../../prisma/stores/payment-store.ts';
import { useAccount } from '../../support/account-fixture.ts';
import { insertRefund } from '../../support/payment-rows.ts';
import {
  approval,
  AT,
  attemptOf,
  opening,
  record,
  recordRetry,
  RUN,
  secondAttemptOf,
  uncharged,
} from '../../support/payment-steps.ts';

describe('recorded outcomes', function () {
  this.timeout(60_000);
  const test = useAccount();

  /** Counts what the work records. @returns the counters that are not 0, without prefix */
  async function counted(
    work: (metrics: ReturnType<typeof createRecordMetrics>) => Promise<unknown>,
  ): Promise<readonly string[]> {
    const registry = new Registry();
    await work(createRecordMetrics(registry));
    const lines = (await registry.metrics()).split('\n');
    return lines
      .filter((line) => /^payment_engine_\w+_total\{/.test(line))
      .map((line) => line.replace(/^payment_engine_/, ''));
  }

  async function recordTwice(steps: (id: string) => readonly PaymentStep[]): Promise<readonly string[]> {
    const id = await test.insertIntent();
    return counted(async (metrics) => {
      const store = createPaymentStore(test.database, metrics.stepWritten);
      for (const [index, step] of steps(id).entries()) {
        const request = { paymentIntentId: id, knownVersion: 0, step, at: `${AT.slice(0, -1)}${index}Z` };
        const identity = { runId: RUN, stepId: `${RUN}:${index}` };
        await recordStep(store, request, identity);
        await recordStep(store, request, identity);
      }
    });
  }

  it('are counted once, by outcome, code and provider, however often they are recorded', async () => {
    assert.deepEqual(await recordTwice((id) => [opening(id), approval(id)]), [
      'payment_attempts_total{environment="sandbox",provider="alpha",method="none",outcome="approved",code="none"} 1',
      'payment_status_changes_total{environment="sandbox",status="processing"} 1',
      'payment_status_changes_total{environment="sandbox",status="succeeded"} 1',
    ]);
    const declined = (id: string): PaymentStep => ({
      ...uncharged(id),
      attempts: [attemptOf(id, { outcome: 'declined', code: 'CARD_DECLINED' })],
    });
    assert.deepEqual(await recordTwice((id) => [opening(id), declined(id)]), [
      'payment_attempts_total{environment="sandbox",provider="alpha",method="none",outcome="declined",code="CARD_DECLINED"} 1',
      'payment_status_changes_total{environment="sandbox",status="processing"} 1',
      'payment_status_changes_total{environment="sandbox",status="requires_payment_method"} 1',
    ]);
  });

  it('of attempts that a confirm made after a decline are counted by themselves, too', async () => {
    const id = await test.insertIntent();
    const second = secondAttemptOf(id);
    const ended = { outcome: 'approved', providerPaymentId: 'sim_2', finishedAt: AT } as const;
    const lines = await counted(async ({ stepWritten }) => {
      const store = createPaymentStore(test.database, stepWritten);
      await record(test.database, id, opening(id));
      await recordRetry(store, id, second);
      const step = approval(id, { attempts: [{ ...second, ...ended }], transactions: [], events: [] });
      const request = { paymentIntentId: id, knownVersion: 0, step, at: AT };
      await recordStep(store, request, { runId: RUN, stepId: `${RUN}:retried` });
    });
    assert.deepEqual(
      lines.filter((line) => line.startsWith('decline_retries')),
      ['decline_retries_total{environment="sandbox",retry="elsewhere",outcome="approved"} 1'],
    );
  });

  it('of refunds are counted once too', async () => {
    const id = await test.insertIntent();
    await recordTwiceOn(id);
    const refundId = await insertRefund(test.database, id);
    const end = { refundId, at: AT, status: 'succeeded', providerRefundId: 'pr_1', failure: null, tries: 1 } as const;
    const lines = await counted(async ({ refundEnded }) => {
      await recordRefund(test.database, end, refundEnded);
      await recordRefund(test.database, end, refundEnded);
    });
    assert.deepEqual(lines, ['refunds_total{environment="sandbox",provider="alpha",status="succeeded",code="none"} 1']);
  });

  async function recordTwiceOn(id: string): Promise<void> {
    const store = createPaymentStore(test.database);
    for (const [index, step] of [opening(id), approval(id)].entries()) {
      const request = { paymentIntentId: id, knownVersion: 0, step, at: AT };
      await recordStep(store, request, { runId: RUN, stepId: `${RUN}:paid ${index}` });
    }
  }
});
