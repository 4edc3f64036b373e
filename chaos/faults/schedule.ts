import { SECOND_MS } from '../../domain/time.ts';
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
  | { readonly kind: 'pause'; readonly victims: readonly PausedVictim[] }
  | { readonly kind: ConnectionFaultKind; readonly links: readonly Link[]; readonly latencyMs: number }
  | { readonly kind: ProviderFaultKind; readonly provider: Provider; readonly settings: ProviderFaultSettings }
);

type ConnectionFaultKind = Extract<
  ScheduledFaultKind,
  `connections_${string}` | 'requests_swallowed' | 'replies_swallowed'
>;
type ProviderFaultKind = Extract<ScheduledFaultKind, `provider_${string}`>;

/** A part of the body of a simulator's, or a fake's, `PUT /simulate/faults`. */
export type ProviderFaultSettings = Readonly<Record<string, number | { readonly p50: number; readonly p99: number }>>;

/** The first fault comes after this time, when traffic is under way. */
const FIRST_FAULT_MS = 4 * SECOND_MS;
const GAP_MS = { shortest: SECOND_MS, longest: 5 * SECOND_MS };

/** Plans the faults of a run. The plan depends on the generator, the duration and the kinds only. */
export function planFaults(
  random: Random,
  durationMs: number,
  kinds: readonly ScheduledFaultKind[],
): readonly PlannedFault[] {
  const faults: PlannedFault[] = [];
  if (kinds.length === 0) return faults;
  let remainingKinds: readonly ScheduledFaultKind[] = [];
  for (let atMs = FIRST_FAULT_MS; atMs < durationMs; atMs += random.between(GAP_MS.shortest, GAP_MS.longest)) {
    // Uses every kind once before any kind again, so that a short run has most of them.
    if (remainingKinds.length === 0) remainingKinds = random.sample(kinds, kinds.length);
    const [kind, ...rest] = remainingKinds;
    remainingKinds = rest;
    if (kind !== undefined) faults.push(planFault(random, kind, atMs));
  }
  return faults;
}

function planFault(random: Random, kind: ScheduledFaultKind, atMs: number): PlannedFault {
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

function planProviderFault(random: Random, kind: ProviderFaultKind): ProviderFaultSettings {
  switch (kind) {
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
