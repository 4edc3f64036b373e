import { MINUTE_MS, SECOND_MS } from '../../domain/time.ts';
import type { Random } from '../random.ts';
import type { ScheduledFaultKind } from './fault-kinds.ts';

/** Processes that are killed. */
const VICTIMS = [
  'api-1',
  'api-2',
  'worker-1',
  'worker-2',
  'gateway',
  'temporal',
  'postgres',
  'simulator-alpha',
  'simulator-beta',
  'webhook-receiver',
] as const;
type Victim = (typeof VICTIMS)[number];

/** The fakes of vendors are paused only: a vendor does not forget its payments, which they have in memory alone. */
export const PAUSED_VICTIMS = [...VICTIMS, 'fake-stripe', 'fake-adyen', 'fake-cashfree'] as const;
export type PausedVictim = (typeof PAUSED_VICTIMS)[number];

/** Connections that go through a proxy: from one process to one server. */
export const LINKS = [
  'api-1 to postgres',
  'api-2 to postgres',
  'worker-1 to postgres',
  'worker-2 to postgres',
  'api-1 to temporal',
  'api-2 to temporal',
  'worker-1 to temporal',
  'worker-2 to temporal',
  'worker-1 to simulator-alpha',
  'worker-1 to simulator-beta',
  'worker-2 to simulator-alpha',
  'worker-2 to simulator-beta',
  'worker-1 to fake-stripe',
  'worker-1 to fake-adyen',
  'worker-1 to fake-cashfree',
  'worker-2 to fake-stripe',
  'worker-2 to fake-adyen',
  'worker-2 to fake-cashfree',
] as const;
export type Link = (typeof LINKS)[number];

export const PROVIDERS = ['alpha', 'beta', 'stripe', 'adyen', 'cashfree'] as const;
export type Provider = (typeof PROVIDERS)[number];

/** A fault and when it is injected. It lasts for `lastsMs`, which is 0 for a momentary fault. */
export type PlannedFault = {
  /** Milliseconds after the start of the traffic. */
  readonly atMs: number;
  readonly lastsMs: number;
} & (
  | { readonly kind: 'kill'; readonly victims: readonly Victim[] }
  | { readonly kind: 'pause' | 'workers_away'; readonly victims: readonly PausedVictim[] }
  | { readonly kind: ConnectionFaultKind; readonly links: readonly Link[]; readonly latencyMs: number }
  /** `pick` chooses among the routes of the provider, whose number the plan does not know. */
  | { readonly kind: 'route_off'; readonly provider: Provider; readonly pick: number }
  | { readonly kind: 'account_off'; readonly provider: Provider }
  /** The merchant account is suspended. */
  | { readonly kind: 'merchant_off' }
  | { readonly kind: ProviderFaultKind; readonly provider: Provider; readonly settings: ProviderFaultSettings }
);

type ConnectionFaultKind = Extract<
  ScheduledFaultKind,
  `connections_${string}` | 'requests_swallowed' | 'replies_swallowed'
>;
type ProviderFaultKind = Extract<ScheduledFaultKind, `provider_${string}`>;

/** A part of the body of a simulator's, or a fake's, `PUT /simulate/faults`. */
export type ProviderFaultSettings = Readonly<Record<string, number | { readonly p50: number; readonly p99: number }>>;

/** Providers at which the merchant has an account, which can be disabled. */
const VENDORS: readonly Provider[] = ['stripe', 'adyen', 'cashfree'];

/** Each comes once in every part of a run, and lasts for a share of the part, up to a maximum. */
const LONG_KINDS = ['provider_away', 'workers_away'] as const;
type LongKind = (typeof LONG_KINDS)[number];
type ShortKind = Exclude<ScheduledFaultKind, LongKind>;
const PART_MS = 30 * MINUTE_MS;
/** Longer than an operation may wait for its provider without an advisory, in a run of ten minutes. */
const PROVIDER_AWAY = { share: 0.42, maximumMs: 4.5 * MINUTE_MS };
const WORKERS_AWAY = { share: 0.15, maximumMs: 3 * MINUTE_MS };

/** The first fault comes after this time, when traffic is under way. */
const FIRST_FAULT_MS = 4 * SECOND_MS;
const GAP_MS = { shortest: SECOND_MS, longest: 5 * SECOND_MS };

/** Plans the faults of a run. The plan depends on the generator, the duration and the kinds only. */
export function planFaults(
  random: Random,
  durationMs: number,
  kinds: readonly ScheduledFaultKind[],
): readonly PlannedFault[] {
  const short = kinds.filter((kind): kind is ShortKind => !isLong(kind));
  const faults = planLongFaults(random, durationMs, kinds);
  if (short.length === 0) return faults;
  let remainingKinds: readonly ShortKind[] = [];
  for (let atMs = FIRST_FAULT_MS; atMs < durationMs; atMs += random.between(GAP_MS.shortest, GAP_MS.longest)) {
    // Uses every kind once before any kind again, so that a short run has most of them.
    if (remainingKinds.length === 0) remainingKinds = random.sample(short, short.length);
    const [kind, ...rest] = remainingKinds;
    remainingKinds = rest;
    if (kind !== undefined) faults.push(planFault(random, kind, atMs));
  }
  return faults;
}

function isLong(kind: ScheduledFaultKind): kind is LongKind {
  return LONG_KINDS.some((long) => long === kind);
}

/** In each part of the run one provider is away, and later all workers are: at other times, so that payments go on in between. */
function planLongFaults(random: Random, durationMs: number, kinds: readonly ScheduledFaultKind[]): PlannedFault[] {
  const faults: PlannedFault[] = [];
  for (let startMs = 0; startMs < durationMs; startMs += PART_MS) {
    const partMs = Math.min(PART_MS, durationMs - startMs);
    const lasting = ({ share, maximumMs }: typeof PROVIDER_AWAY): number =>
      Math.round(Math.min(partMs * share, maximumMs));
    const at = (from: number, to: number): number => startMs + Math.round((partMs * random.between(from, to)) / 100);
    const away: PlannedFault = {
      kind: 'provider_away',
      atMs: at(4, 12),
      lastsMs: lasting(PROVIDER_AWAY),
      provider: random.pick(PROVIDERS),
      settings: { errorRate: 1, errorStatus: 503 },
    };
    const workers: PlannedFault = {
      kind: 'workers_away',
      atMs: at(65, 75),
      lastsMs: lasting(WORKERS_AWAY),
      victims: ['worker-1', 'worker-2'],
    };
    faults.push(...[away, workers].filter(({ kind }) => kinds.includes(kind)));
  }
  return faults;
}

function planFault(random: Random, kind: ShortKind, atMs: number): PlannedFault {
  const seconds = (shortest: number, longest: number) => random.between(shortest * SECOND_MS, longest * SECOND_MS);
  switch (kind) {
    case 'kill':
      return { kind, atMs, lastsMs: 0, victims: random.sample(VICTIMS, random.between(1, 3)) };
    case 'pause':
      return { kind, atMs, lastsMs: seconds(1, 20), victims: random.sample(PAUSED_VICTIMS, random.between(1, 2)) };
    case 'connections_cut':
      return { kind, atMs, lastsMs: 0, latencyMs: 0, links: random.sample(LINKS, random.between(1, LINKS.length)) };
    case 'connections_refused':
    case 'requests_swallowed':
    case 'replies_swallowed':
      return { kind, atMs, lastsMs: seconds(0.2, 6), latencyMs: 0, links: linksToOneServer(random) };
    case 'connections_slow':
      return {
        kind,
        atMs,
        lastsMs: seconds(2, 10),
        latencyMs: random.between(20, 800),
        links: linksToOneServer(random),
      };
    case 'route_off':
      return { kind, atMs, lastsMs: seconds(3, 15), provider: random.pick(PROVIDERS), pick: random.between(0, 999) };
    case 'account_off':
      return { kind, atMs, lastsMs: seconds(3, 15), provider: random.pick(VENDORS) };
    case 'merchant_off':
      return { kind, atMs, lastsMs: seconds(2, 8) };
    case 'provider_webhooks_mixed':
      return { kind, atMs, lastsMs: seconds(3, 12), provider: 'adyen', settings: { webhookForeignRate: 1 } };
    default:
      return {
        kind,
        atMs,
        lastsMs: seconds(3, 12),
        provider: random.pick(PROVIDERS),
        settings: planProviderFault(random, kind),
      };
  }
}

/** As when a network fails: some or all processes lose the same server. */
function linksToOneServer(random: Random): readonly Link[] {
  const [, server = ''] = random.pick(LINKS).split(' to ');
  const links = LINKS.filter((link) => link.endsWith(server));
  return random.sample(links, random.between(1, links.length));
}

type PlannedProviderFaultKind = Exclude<ProviderFaultKind, LongKind | 'provider_webhooks_mixed'>;

function planProviderFault(random: Random, kind: PlannedProviderFaultKind): ProviderFaultSettings {
  switch (kind) {
    case 'provider_refuses_credentials':
      return { errorRate: 1, errorStatus: 401 };
    case 'provider_drops_replies':
      return { dropReplyRate: random.between(10, 60) / 100 };
    case 'provider_errors':
      return { errorRate: random.between(20, 90) / 100, errorStatus: random.pick([500, 503, 429]) };
    case 'provider_slow':
      return { latencyMs: { p50: random.between(50, 800), p99: random.between(1_500, 6_000) } };
    case 'provider_webhooks_late':
      return { webhookDelayMs: random.between(500, 15_000) };
    case 'provider_webhooks_lost':
      return { webhookDropRate: random.between(30, 100) / 100 };
    case 'provider_webhooks_doubled':
      return { webhookDuplicateRate: random.between(50, 100) / 100 };
    case 'provider_webhooks_reordered':
      return { webhookReorderRate: random.between(50, 100) / 100 };
  }
}
