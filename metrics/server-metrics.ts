import { POLICY_PAGES } from '../domain/policy-report.ts';
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { ErrorCode } from '../domain/error-catalogue.ts';
import { SECOND_MS } from '../domain/time.ts';
import { DURATION_BUCKETS } from './registry.ts';

/** A request whose response has ended. */
export interface MeasuredRequest {
  readonly method: string;
  /** The pattern of its path; undefined where it was rejected before its endpoint was looked up, or has none. */
  readonly endpoint: string | undefined;
  /** Null where the client went away before the response was complete. */
  readonly status: number | null;
  /** The code of the error; undefined for a success. */
  readonly code: ErrorCode | undefined;
  readonly durationMs: number;
}

export type MeasureRequest = (request: MeasuredRequest) => void;

/** Others share one label, because a client may send any. */
const METHODS: readonly string[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/** Counts and times requests. */
export function createRequestMetrics(registry: Registry): MeasureRequest {
  const requests = new Counter({
    name: 'payment_engine_http_requests_total',
    help: 'Requests by endpoint, status and error code; the status is "aborted" where the client went away',
    labelNames: ['method', 'endpoint', 'status', 'code'],
    registers: [registry],
  });
  const durations = new Histogram({
    name: 'payment_engine_http_request_duration_seconds',
    help: 'Time from the start of a request to the end of its response',
    labelNames: ['endpoint'],
    buckets: DURATION_BUCKETS,
    registers: [registry],
  });
  return ({ method, endpoint = 'none', status, code = 'none', durationMs }) => {
    requests.inc({ method: METHODS.includes(method) ? method : 'other', endpoint, status: status ?? 'aborted', code });
    durations.observe({ endpoint }, durationMs / SECOND_MS);
  };
}

/** How much of what merchants share is in use. */
export interface ShareUsage {
  readonly byAll: number;
  /** By the merchant that uses most. */
  readonly byOne: number;
}

/** Shows the usage of a share from now on. @param of what merchants share */
export type WatchShare = (of: string, read: () => ShareUsage) => void;

/** Shows how much is in use of what merchants share in a process. */
export function createShareMetrics(registry: Registry): WatchShare {
  const shares = new Map<string, () => ShareUsage>();
  new Gauge({
    name: 'payment_engine_shares_in_use',
    help: 'What is in use of what merchants share in this process: by all, and by the one that uses most',
    labelNames: ['of', 'by'],
    registers: [registry],
    collect() {
      for (const [of, read] of shares) {
        const { byAll, byOne } = read();
        this.set({ of, by: 'all' }, byAll);
        this.set({ of, by: 'one_merchant' }, byOne);
      }
    },
  });
  return (of, read) => void shares.set(of, read);
}

/** Counts what browsers report of the policies of the payment pages. */
export function createPolicyReportMetrics(
  registry: Registry,
): (report: { readonly page: string; readonly isSerious: boolean }) => void {
  const reports = new Counter({
    name: 'payment_engine_policy_reports_total',
    help: 'Reports of browsers that the policy of a payment page refused something; serious ones may be scripts of others',
    labelNames: ['page', 'serious'],
    registers: [registry],
  });
  // From 0, so that an alert sees the first one as an increase.
  for (const page of POLICY_PAGES) for (const serious of ['true', 'false']) reports.inc({ page, serious }, 0);
  return ({ page, isSerious }) => reports.inc({ page, serious: String(isSerious) });
}

/** What a gateway reports. */
export interface SocketMetrics {
  readonly watchShare: WatchShare;
  /** Counts the sockets that are open from now on. */
  countOpen(sockets: { readonly size: number }): void;
  /** Called for each event that goes to subscribers, with the time of its creation. */
  published(event: { readonly createdAt: Date }): void;
}

/** Counts sockets, and measures how old events are when they reach them. */
export function createSocketMetrics(registry: Registry, watchShare: WatchShare): SocketMetrics {
  const lag = new Histogram({
    name: 'payment_engine_socket_event_lag_seconds',
    help: 'Age of an event when the gateway gives it to its subscribers',
    buckets: DURATION_BUCKETS,
    registers: [registry],
  });
  let open: { readonly size: number } = { size: 0 };
  new Gauge({
    name: 'payment_engine_sockets',
    help: 'Open sockets',
    registers: [registry],
    collect() {
      this.set(open.size);
    },
  });
  return {
    watchShare,
    countOpen(sockets) {
      open = sockets;
    },
    published: ({ createdAt }) => lag.observe(Math.max(0, Date.now() - createdAt.getTime()) / SECOND_MS),
  };
}
