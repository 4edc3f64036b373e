import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { retryThatMade } from '../domain/decline-retries.ts';
import type { Environment } from '../domain/payment.ts';
import { PROVIDER_KIND_NAMES, providerLabelOf } from '../domain/provider-account.ts';
import type { DifferenceAction } from '../domain/reconciliation.ts';
import type { RefundResolution } from '../domain/refund.ts';
import { SECOND_MS } from '../domain/time.ts';
import type { Backlog } from '../prisma/queries/backlog.ts';
import type { EndedRefund } from '../prisma/queries/refund-end.ts';
import type { StepWrite, WrittenStep } from '../prisma/queries/payment-step.ts';
import type { ProviderCall } from '../providers/measure-calls.ts';
import { DURATION_BUCKETS } from './registry.ts';

/** What activities report of the rows that they have written. */
export interface RecordMetrics {
  stepWritten(write: StepWrite, payment: WrittenStep): void;
  refundEnded(resolution: Pick<RefundResolution, 'status' | 'failure'>, refund: EndedRefund): void;
}

/** Counts outcomes where they are recorded: each attempt, payment and refund once, however many tries it took. */
export function createRecordMetrics(registry: Registry): RecordMetrics {
  const attempts = new Counter({
    name: 'payment_engine_payment_attempts_total',
    help: 'Attempts that have ended, by outcome',
    labelNames: ['environment', 'provider', 'method', 'outcome', 'code'],
    registers: [registry],
  });
  const retries = new Counter({
    name: 'payment_engine_decline_retries_total',
    help: 'Attempts that have ended after another one of their confirm was declined, by outcome',
    labelNames: ['environment', 'retry', 'outcome'],
    registers: [registry],
  });
  const tries = new Histogram({
    name: 'payment_engine_payment_attempt_tries',
    help: 'Calls that an attempt made to its provider until it ended',
    labelNames: ['provider'],
    buckets: [1, 2, 3, 4],
    registers: [registry],
  });
  const statuses = new Counter({
    name: 'payment_engine_payment_status_changes_total',
    help: 'Payments that entered a status',
    labelNames: ['environment', 'status'],
    registers: [registry],
  });
  const refunds = new Counter({
    name: 'payment_engine_refunds_total',
    help: 'Refunds that have ended, by status',
    labelNames: ['environment', 'provider', 'status', 'code'],
    registers: [registry],
  });
  return {
    stepWritten({ step, after, at }, { environment, method }) {
      if (after.statusSince === at) statuses.inc({ environment, status: after.columns.status });
      // A step changes no attempt that has ended before it.
      for (const attempt of step.attempts ?? []) {
        const { provider: name, outcome, code, tries: made } = attempt;
        if (outcome === null) continue;
        const retry = retryThatMade(after.attempts, attempt);
        if (retry !== null) retries.inc({ environment, retry, outcome });
        const provider = providerLabelOf(name);
        attempts.inc({ environment, provider, method: method ?? 'none', outcome, code: code ?? 'none' });
        tries.observe({ provider }, made);
      }
    },
    refundEnded({ status, failure }, { environment, provider }) {
      refunds.inc({ environment, provider: providerLabelOf(provider), status, code: failure?.code ?? 'none' });
    },
  };
}

/** What activities report of reconciliations. */
export interface ReconciliationMetrics {
  differencesFound(provider: string, action: DifferenceAction, count: number): void;
  runEnded(provider: string, status: 'completed' | 'failed'): void;
}

/** Counts reconciliation runs, and the differences that they found. @param providers those of the settings */
export function createReconciliationMetrics(
  registry: Registry,
  providers: readonly { readonly name: string }[],
): ReconciliationMetrics {
  const differences = new Counter({
    name: 'payment_engine_reconciliation_differences_total',
    help: 'Differences between the lists of providers and our payments: repaired, or reported only',
    labelNames: ['provider', 'action'],
    registers: [registry],
  });
  const runs = new Counter({
    name: 'payment_engine_reconciliation_runs_total',
    help: 'Reconciliation runs that have ended',
    labelNames: ['provider', 'status'],
    registers: [registry],
  });
  // A counter that begins at 1 has no increase that a rule could see.
  for (const provider of [...providers.map(({ name }) => name), ...PROVIDER_KIND_NAMES]) {
    for (const action of ['repaired', 'reported']) differences.inc({ provider, action }, 0);
    for (const status of ['completed', 'failed']) runs.inc({ provider, status }, 0);
  }
  return {
    differencesFound: (provider, action, count) =>
      differences.inc({ provider: providerLabelOf(provider), action }, count),
    runEnded: (provider, status) => runs.inc({ provider: providerLabelOf(provider), status }),
  };
}

/** Times the calls to providers; their count is the number of tries. */
export function createProviderCallMetrics(registry: Registry): (call: ProviderCall) => void {
  const durations = new Histogram({
    name: 'payment_engine_provider_call_duration_seconds',
    help: 'Calls to providers; the result is "answered", the code of an outage, "canceled" or "error"',
    labelNames: ['provider', 'operation', 'result'],
    buckets: DURATION_BUCKETS,
    registers: [registry],
  });
  return ({ durationMs, provider, ...labels }) =>
    durations.observe({ provider: providerLabelOf(provider), ...labels }, durationMs / SECOND_MS);
}

/** Shows the calls to each kind of provider that a worker has open, which have a limit. */
export function createProviderLoadMetrics(registry: Registry): (provider: string, inFlight: number) => void {
  const calls = new Gauge({
    name: 'payment_engine_provider_calls_in_flight',
    help: 'Calls to providers that are open; a worker has at most 100 at one provider or account, and 200 of a kind',
    labelNames: ['provider'],
    registers: [registry],
  });
  return (provider, inFlight) => calls.set({ provider }, inFlight);
}

/** Times the requests to merchants' webhook endpoints that were made. */
export function createWebhookMetrics(
  registry: Registry,
): (environment: Environment, result: 'delivered' | 'failed', durationMs: number) => void {
  const durations = new Histogram({
    name: 'payment_engine_webhook_attempt_duration_seconds',
    help: 'Requests to webhook endpoints of merchants',
    labelNames: ['environment', 'result'],
    buckets: DURATION_BUCKETS,
    registers: [registry],
  });
  return (environment, result, durationMs) => durations.observe({ environment, result }, durationMs / SECOND_MS);
}

/** As they stand in the log. */
const ALERTS = [
  'AMOUNT_DIFFERS',
  'CAPTURE_FAILED',
  'DATABASE_BEHIND_HISTORY',
  'DEPOSIT_REORGANIZED',
  'DEPOSIT_SURPLUS',
  'PAYMENT_DISPUTED',
  'PROVIDER_CREDENTIALS_REFUSED',
  'REFUND_CONTRADICTED',
  'STRAY_CHARGE',
  'UNKNOWN_REFUND',
  'WORKFLOW_LOOPS',
  'WORKFLOW_TASK_FAILS',
];

/** Counts the lines of the log that have an alert. */
export function createAlertMetrics(registry: Registry): (alert: string) => void {
  const alerts = new Counter({
    name: 'payment_engine_alerts_total',
    help: 'Lines of the log with an alert',
    labelNames: ['alert'],
    registers: [registry],
  });
  // A counter that begins at 1 has no increase that a rule could see.
  for (const alert of ALERTS) alerts.inc({ alert }, 0);
  return (alert) => alerts.inc({ alert });
}

/** Shows the backlogs as they were last read. */
export function createBacklogMetrics(registry: Registry): (backlogs: readonly Backlog[]) => void {
  const options = { labelNames: ['backlog', 'environment'], registers: [registry] };
  const rows = new Gauge({
    ...options,
    name: 'payment_engine_backlog_rows',
    help: 'Rows that wait for something; at most 10,000 of each backlog are counted',
  });
  const oldest = new Gauge({
    ...options,
    name: 'payment_engine_backlog_oldest_seconds',
    help: 'How long the oldest of these rows has waited; 0 where there is none',
  });
  const readAt = new Gauge({
    name: 'payment_engine_backlog_read_timestamp_seconds',
    help: 'When the backlogs were last read',
    registers: [registry],
  });
  return (backlogs) => {
    for (const { backlog, environment, count, oldestSeconds } of backlogs) {
      rows.set({ backlog, environment }, count);
      oldest.set({ backlog, environment }, oldestSeconds);
    }
    readAt.setToCurrentTime();
  };
}
