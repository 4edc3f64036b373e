import { setTimeout as sleep } from 'node:timers/promises';
import { MINUTE_MS, SECOND_MS } from '../../domain/time.ts';
import type { ChaosEngine } from '../engine/chaos-engine.ts';
import { processTree, signalProcess } from '../../sandbox/process-tree.ts';
import type { FaultKind } from './fault-kinds.ts';
import type { Switches } from './switches.ts';
import {
  type Link,
  type PlannedFault,
  type Provider,
  type ProviderFaultSettings,
  PROVIDERS,
  type PausedVictim,
  PAUSED_VICTIMS,
} from './schedule.ts';

export interface InjectorOptions {
  readonly engine: ChaosEngine;
  readonly switches: Switches;
  readonly faults: readonly PlannedFault[];
  /** Ends all faults at once. */
  readonly signal: AbortSignal;
  /** Called with a description of each fault when it is injected. */
  readonly record: (kind: FaultKind, what: string) => void;
}

const HTTP_TIMEOUT_MS = 3 * SECOND_MS;
const HEAL_WITHIN_MS = 2 * MINUTE_MS;

/** Injects and ends each fault at its time. Resolves when all have ended. */
export async function injectFaults({ engine, switches, faults, signal, record }: InjectorOptions): Promise<void> {
  const providers = createProviderFaults(engine);
  await Promise.all(
    faults.map(async (fault) => {
      await pause(fault.atMs, signal);
      if (signal.aborted) return;
      record(fault.kind, describeFault(fault));
      const end = await begin({ engine, switches, providers }, fault);
      await pause(fault.lastsMs, signal);
      await end();
    }),
  );
}

/** Ends all faults and waits until every process is ready. @throws Error when one is not ready in time */
export async function healSystem(engine: ChaosEngine): Promise<void> {
  const { stack, providers, proxies, baseUrls, gatewayUrl } = engine;
  for (const proxy of proxies.values()) proxy.heal();
  const deadlineMs = Date.now() + HEAL_WITHIN_MS;
  await Promise.all(
    PAUSED_VICTIMS.filter((name) => engine.hasOwnServers || !isServer(name)).map((name) => stack.whenReady(name)),
  );
  await Promise.all([
    ...providers.map(({ url }) => retryUntilDeadline(() => setProviderFaults(url, {}), deadlineMs)),
    ...[...baseUrls, gatewayUrl].map((url) => retryUntilDeadline(() => askReadiness(url), deadlineMs)),
  ]);
  const vendors = providers.filter(({ sendsLostWebhooks }) => sendsLostWebhooks);
  const sendLostWebhooks = (url: string): Promise<void> => sendControl(url, 'POST', '/simulate/lost-webhooks', {});
  await Promise.all(vendors.map(({ url }) => retryUntilDeadline(() => sendLostWebhooks(url), deadlineMs)));
}

function isServer(name: PausedVictim): boolean {
  return name === 'postgres' || name === 'temporal';
}

/** A process that was killed last may not be restarted yet. */
async function retryUntilDeadline(attempt: () => Promise<void>, deadlineMs: number): Promise<void> {
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (Date.now() > deadlineMs) throw error;
      await sleep(SECOND_MS);
    }
  }
}

async function askReadiness(url: string): Promise<void> {
  const response = await fetch(new URL('/readyz', url), { signal: AbortSignal.timeout(HTTP_TIMEOUT_MS) });
  if (!response.ok) throw new Error(`${url} is not ready: ${response.status}`);
}

/** A description of a fault, for the output and the record. */
export function describeFault(fault: PlannedFault): string {
  const seconds = fault.lastsMs === 0 ? '' : `, ${(fault.lastsMs / SECOND_MS).toFixed(1)} s`;
  if ('victims' in fault) return `${fault.kind}: ${fault.victims.join(', ')}${seconds}`;
  if ('links' in fault) {
    const latency = fault.latencyMs === 0 ? '' : `, by ${fault.latencyMs} ms`;
    return `${fault.kind}: ${fault.links.join(', ')}${latency}${seconds}`;
  }
  if (fault.kind === 'merchant_off') return `${fault.kind}: the merchant account${seconds}`;
  const settings = 'settings' in fault ? ` ${JSON.stringify(fault.settings)}` : '';
  return `${fault.kind}: ${fault.provider}${settings}${seconds}`;
}

type End = () => Promise<void> | void;

interface Injected {
  readonly engine: ChaosEngine;
  readonly switches: Switches;
  readonly providers: ProviderFaults;
}

async function begin({ engine, switches, providers }: Injected, fault: PlannedFault): Promise<End> {
  switch (fault.kind) {
    case 'kill':
      for (const name of fault.victims) kill(engine.stack.pidOf(name));
      return () => undefined;
    case 'pause':
    case 'workers_away':
      return suspend(engine, fault.victims);
    case 'connections_cut':
    case 'connections_refused':
    case 'connections_slow':
    case 'requests_swallowed':
    case 'replies_swallowed':
      return degradeLinks(engine, fault);
    case 'route_off':
    case 'account_off':
      return await switches.off(fault);
    case 'merchant_off':
      return await switches.suspend();
    default:
      return await providers.add(fault.provider, fault.settings);
  }
}

function kill(pid: number | undefined): void {
  if (pid !== undefined) signalProcess(pid, 'SIGKILL');
}

/** The process tree is read first: once its root is killed, its children cannot be found. */
function suspend({ stack }: ChaosEngine, victims: readonly PausedVictim[]): End {
  const pids = victims.flatMap((name) => {
    const pid = stack.pidOf(name);
    return pid === undefined ? [] : processTree(pid);
  });
  for (const pid of pids) signalProcess(pid, 'SIGSTOP');
  return () => {
    for (const pid of pids) signalProcess(pid, 'SIGCONT');
  };
}

function degradeLinks({ proxies }: ChaosEngine, fault: Extract<PlannedFault, { links: readonly Link[] }>): End {
  const chosen = fault.links.flatMap((link) => proxies.get(link) ?? []);
  for (const proxy of chosen) {
    switch (fault.kind) {
      case 'connections_cut':
        proxy.cut();
        break;
      case 'connections_refused':
        proxy.refuse();
        break;
      case 'connections_slow':
        proxy.slowDown(fault.latencyMs);
        break;
      case 'requests_swallowed':
        proxy.swallow(['requests']);
        break;
      case 'replies_swallowed':
        proxy.swallow(['replies']);
    }
  }
  // This also ends another fault on the same connection, which is acceptable in a random run.
  return fault.kind === 'connections_cut' ? () => undefined : () => chosen.forEach((proxy) => proxy.heal());
}

interface ProviderFaults {
  /** Adds fault settings to those of a provider. @returns a function that removes them */
  add(provider: Provider, settings: ProviderFaultSettings): Promise<End>;
}

/** A provider receives all its settings at once, so this merges those of overlapping faults. */
function createProviderFaults({ providers }: ChaosEngine): ProviderFaults {
  const active = new Map(PROVIDERS.map((provider) => [provider, new Set<ProviderFaultSettings>()]));
  const apply = async (provider: Provider): Promise<void> => {
    const settings = Object.assign({}, ...(active.get(provider) ?? [])) as ProviderFaultSettings;
    const running = providers.find((each) => each.provider === provider);
    // A simulator that is down restarts without faults.
    if (running !== undefined) await setProviderFaults(running.url, settings).catch(() => undefined);
  };
  return {
    async add(provider, settings) {
      active.get(provider)?.add(settings);
      await apply(provider);
      return async () => {
        active.get(provider)?.delete(settings);
        await apply(provider);
      };
    },
  };
}

/** Replaces the faults of a simulator or a fake. */
export function setProviderFaults(url: string, settings: object): Promise<void> {
  return sendControl(url, 'PUT', '/simulate/faults', settings);
}

async function sendControl(url: string, method: 'PUT' | 'POST', path: string, body: object): Promise<void> {
  const response = await fetch(new URL(path, url), {
    method,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(HTTP_TIMEOUT_MS),
  });
  if (!response.ok) throw new Error(`${path} was refused with ${response.status}`);
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (ms > 0) await sleep(ms, undefined, { signal }).catch(() => undefined);
}
