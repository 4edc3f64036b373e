import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { EngineProcess, Upstream } from '../../sandbox/stack/engine-processes.ts';
import { findFreePorts } from '../../sandbox/stack/ports.ts';
import type { Stack } from '../../sandbox/stack/stack.ts';
import { type StackPlace, type StackPlan, startTemporaryStack } from '../../sandbox/stack/temporary-stack.ts';
import { createClient } from '../../sdk/server/index.ts';
import { type Link, LINKS, type Provider } from '../faults/schedule.ts';
import { type FaultProxy, openFaultProxy } from './fault-proxy.ts';
import { createVendorAccount, type Vendor, VENDORS } from './vendors.ts';

/** The whole system as processes, with a fault proxy in each connection between them. */
export interface ChaosEngine {
  readonly stack: Stack;
  readonly dataDir: string;
  readonly proxies: ReadonlyMap<Link, FaultProxy>;
  /** The processes of the engine. */
  readonly processes: readonly EngineProcess[];
  /** Whether PostgreSQL and Temporal are the stack's own. */
  readonly hasOwnServers: boolean;
  /** The address of each API process. */
  readonly baseUrls: readonly string[];
  readonly gatewayUrl: string;
  /** The simulators and the vendors' fakes. */
  readonly providers: readonly RunningProvider[];
  /** Of the accounts at vendors. */
  readonly vendorCredentials: ReadonlyMap<Vendor, Credentials>;
  /** The file to which the receiver appends webhooks. */
  readonly webhookRecordFile: string;
  /** The secret of the webhook endpoint. */
  readonly webhookSecret: string;
  /** Stops it and removes its data. */
  end(): Promise<void>;
}

type Credentials = ReturnType<Vendor['newCredentials']>;

export interface RunningProvider {
  /** As faults name it. */
  readonly provider: Provider;
  /** As routes and attempts name it. */
  readonly name: string;
  readonly url: string;
  readonly sendsLostWebhooks: boolean;
}

export interface ChaosEngineOptions {
  readonly signal: AbortSignal;
  readonly report: (link: string) => void;
  /** Servers that run already; embedded ones where absent. */
  readonly servers?: RunningServers;
  /** The folder of the release whose processes run; this one's otherwise. */
  readonly release?: string;
}

/** A database and a Temporal server on this machine. */
export interface RunningServers {
  readonly databaseUrl: string;
  readonly temporalAddress: string;
}

/** Higher rate limits and shorter waits than in production. */
const SETTINGS = {
  GATEWAY_IN_API: 'false',
  RATE_LIMIT_SANDBOX: '10000000',
  RATE_LIMIT_UNAUTHENTICATED: '10000000',
  CONFIRM_TARGET_MS: '0',
  RATE_LIMIT_SOCKETS: '10000000',
  DECLINES_PER_CARD: '0',
  DECLINES_PER_ADDRESS: '0',
  DECLINES_PER_BIN: '0',
  DECLINES_PER_ACCOUNT: '0',
  PROVIDER_TIMEOUT_MS: '3000',
  LOG_LEVEL: 'info',
};
const SERVERS: Readonly<Record<string, Upstream>> = {
  postgres: 'postgres',
  temporal: 'temporal',
  'simulator-alpha': 'simulatorAlpha',
  'simulator-beta': 'simulatorBeta',
};

export async function startChaosEngine({ signal, report, servers, release }: ChaosEngineOptions): Promise<ChaosEngine> {
  const proxies = new Map<Link, FaultProxy>();
  const closeProxies = async (): Promise<void> => {
    await Promise.all([...proxies.values()].map((proxy) => proxy.close()));
  };
  const [secondApiPort = 0, gatewayPort = 0, receiverPort = 0, ...fakePorts] = await findFreePorts(3 + VENDORS.length);
  const fakes = VENDORS.map((vendor, index) => ({ vendor, port: fakePorts[index] ?? 0 }));
  const vendorCredentials = new Map(VENDORS.map((vendor) => [vendor, vendor.newCredentials()]));
  const processes: EngineProcess[] = [];
  const files = (dataDir: string) => ({
    record: path.join(dataDir, 'webhooks.jsonl'),
    secret: path.join(dataDir, 'webhook-secret'),
    fake: ({ kind }: Vendor) => path.join(dataDir, `fake-${kind}.json`),
  });
  const configureFake = (dataDir: string, vendor: Vendor, webhookUrl: string | null): Promise<void> => {
    const text = JSON.stringify({ credentials: vendorCredentials.get(vendor), webhookUrl });
    return writeFile(files(dataDir).fake(vendor), text, { mode: 0o600 });
  };
  const plan = async ({ ports, dataDir }: StackPlace): Promise<StackPlan> => {
    for (const link of LINKS) {
      const server = serverOf(link);
      const upstream = SERVERS[server];
      const fake = fakes.find(({ vendor }) => server === `fake-${vendor.kind}`);
      const upstreamPorts = { ...ports, ...portsOf(servers) };
      proxies.set(link, await openFaultProxy(upstream === undefined ? (fake?.port ?? 0) : upstreamPorts[upstream]));
    }
    for (const { vendor } of fakes) await configureFake(dataDir, vendor, null);
    const { record, secret, fake } = files(dataDir);
    const worker = (name: 'worker-1' | 'worker-2') => ({
      kind: 'worker' as const,
      name,
      via: portsVia(name, proxies),
      settings: { PROVIDER_API_URLS: vendorUrls((kind) => portOf(`${name} to fake-${kind}`, proxies)) },
    });
    processes.push(
      worker('worker-1'),
      worker('worker-2'),
      { kind: 'api', name: 'api-1', port: ports.api, via: portsVia('api-1', proxies) },
      { kind: 'api', name: 'api-2', port: secondApiPort, via: portsVia('api-2', proxies) },
      { kind: 'gateway', name: 'gateway', port: gatewayPort },
    );
    return {
      processes,
      companions: [
        {
          name: 'webhook-receiver',
          program: 'chaos/engine/receiver-program.js',
          args: [String(receiverPort), record, secret],
          readyLine: /^webhook receiver listening/m,
        },
        ...fakes.map(({ vendor, port }) => ({
          name: `fake-${vendor.kind}` as const,
          program: 'sandbox/fakes/main.js',
          args: [vendor.kind, String(port), fake(vendor)],
          readyLine: /^fake \S+ listening/m,
        })),
      ],
    };
  };
  const overrides = {
    ...SETTINGS,
    PROVIDER_API_URLS: vendorUrls((kind) => fakes.find(({ vendor }) => vendor.kind === kind)?.port ?? 0),
  };
  try {
    const { stack, dataDir, end } = await startTemporaryStack({
      overrides,
      signal,
      report,
      plan,
      ...(servers === undefined ? {} : { ...servers, hasRoles: true }),
      ...(release === undefined ? {} : { release }),
    });
    try {
      const { record, secret } = files(dataDir);
      const client = createClient(stack.sandbox);
      const url = `http://127.0.0.1:${receiverPort}/webhooks`;
      const { secret: webhookSecret } = await client.webhookEndpoints.create({ url });
      if (webhookSecret === null) throw new Error('the creation of the webhook endpoint returned no secret');
      await writeFile(secret, webhookSecret, { mode: 0o600 });
      const baseUrls = [stack.sandbox.baseUrl, `http://127.0.0.1:${secondApiPort}`];
      const providers: RunningProvider[] = stack.sandbox.simulators.map(({ name, url: simulatorUrl }) => ({
        provider: name === 'alpha' ? 'alpha' : 'beta',
        name,
        url: simulatorUrl,
        sendsLostWebhooks: false,
      }));
      for (const [index, { vendor, port }] of fakes.entries()) {
        const { kind, sendsLostWebhooks } = vendor;
        const { id, webhookPath } = await createVendorAccount(client, kind, vendorCredentials.get(vendor) ?? {});
        await configureFake(dataDir, vendor, `${baseUrls[index % baseUrls.length] ?? ''}${webhookPath}`);
        providers.push({ provider: kind, name: id, url: `http://127.0.0.1:${port}`, sendsLostWebhooks });
      }
      return {
        stack,
        dataDir,
        proxies,
        processes,
        hasOwnServers: servers === undefined,
        baseUrls,
        gatewayUrl: `http://127.0.0.1:${gatewayPort}`,
        providers,
        vendorCredentials,
        webhookRecordFile: record,
        webhookSecret,
        end: () => end().finally(closeProxies),
      };
    } catch (error) {
      await end();
      throw error;
    }
  } catch (error) {
    await closeProxies();
    throw error;
  }
}

function portsOf(servers: RunningServers | undefined): Partial<Record<Upstream, number>> {
  if (servers === undefined) return {};
  const temporal = Number(servers.temporalAddress.split(':')[1]);
  return { postgres: Number(new URL(servers.databaseUrl).port), temporal };
}

function serverOf(link: Link): string {
  return link.split(' to ')[1] ?? '';
}

/** The ports of the proxies between a process and the stack's servers. */
function portsVia(name: string, proxies: ReadonlyMap<Link, FaultProxy>): Partial<Record<Upstream, number>> {
  const own = [...proxies].filter(([link]) => link.startsWith(`${name} to `));
  return Object.fromEntries(
    own.flatMap(([link, { port }]) => {
      const upstream = SERVERS[serverOf(link)];
      return upstream === undefined ? [] : [[upstream, port]];
    }),
  );
}

function portOf(link: Link, proxies: ReadonlyMap<Link, FaultProxy>): number {
  return proxies.get(link)?.port ?? 0;
}

/** The variable with the addresses of the vendors. */
function vendorUrls(portOfKind: (kind: Vendor['kind']) => number): string {
  return VENDORS.map(({ kind }) => `${kind}=http://127.0.0.1:${portOfKind(kind)}`).join(',');
}
