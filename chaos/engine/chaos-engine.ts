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

/**
 * Starts all processes, with a proxy in each connection, and gives them an endpoint for webhooks and an account at each vendor.
 * A failed start leaves nothing behind.
 */
export async function startChaosEngine({ signal, report, servers, release }: ChaosEngineOptions): Promise<ChaosEngine> {
  const proxies = new Map<Link, FaultProxy>();
  const closeProxies = async (): Promise<void> => {
    await Promise.all([...proxies.values()].map((proxy) => proxy.close()));
  };
  const [secondApiPort = 0, gatewayPort = 0, receiverPort = 0, ...fakePorts] = await findFreePorts(3 + VENDORS.length);
  const fakes: readonly Fake[] = VENDORS.map((vendor, index) => ({
    vendor,
    port: fakePorts[index] ?? 0,
    credentials: vendor.newCredentials(),
  }));
  const processes: EngineProcess[] = [];
  const plan = async ({ ports, dataDir }: StackPlace): Promise<StackPlan> => {
    await openProxies(proxies, { ...ports, ...portsOf(servers) }, fakes);
    for (const fake of fakes) await configureFake(dataDir, fake, null);
    processes.push(...planProcesses(proxies, { api: ports.api, secondApi: secondApiPort, gateway: gatewayPort }));
    return { processes, companions: planCompanions(dataDir, receiverPort, fakes) };
  };
  try {
    const { stack, dataDir, end } = await startTemporaryStack({
      overrides: { ...SETTINGS, PROVIDER_API_URLS: vendorUrls((kind) => portOfFake(kind, fakes)) },
      signal,
      report,
      plan,
      ...(servers === undefined ? {} : { ...servers, hasRoles: true }),
      ...(release === undefined ? {} : { release }),
    });
    try {
      const client = createClient(stack.sandbox);
      const webhookSecret = await registerReceiver(client, dataDir, receiverPort);
      const baseUrls = [stack.sandbox.baseUrl, `http://127.0.0.1:${secondApiPort}`];
      return {
        stack,
        dataDir,
        proxies,
        processes,
        hasOwnServers: servers === undefined,
        baseUrls,
        gatewayUrl: `http://127.0.0.1:${gatewayPort}`,
        providers: [...simulatorsOf(stack), ...(await registerFakes(client, dataDir, fakes, baseUrls))],
        vendorCredentials: new Map(fakes.map(({ vendor, credentials }) => [vendor, credentials])),
        webhookRecordFile: filesIn(dataDir).record,
        webhookSecret,
        end: async () => {
          try {
            await end();
          } finally {
            await closeProxies();
          }
        },
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

/** A vendor's fake, and what the account there has. */
interface Fake {
  readonly vendor: Vendor;
  readonly port: number;
  readonly credentials: Credentials;
}

type Client = ReturnType<typeof createClient>;

function filesIn(dataDir: string) {
  return {
    /** The webhooks that the receiver got. */
    record: path.join(dataDir, 'webhooks.jsonl'),
    secret: path.join(dataDir, 'webhook-secret'),
    fake: ({ kind }: Vendor) => path.join(dataDir, `fake-${kind}.json`),
  };
}

/** Opens the proxy of each link. */
async function openProxies(
  proxies: Map<Link, FaultProxy>,
  upstreamPorts: Readonly<Record<Upstream, number>>,
  fakes: readonly Fake[],
): Promise<void> {
  for (const link of LINKS) {
    const server = serverOf(link);
    const upstream = SERVERS[server];
    const fake = fakes.find(({ vendor }) => server === `fake-${vendor.kind}`);
    proxies.set(link, await openFaultProxy(upstream === undefined ? (fake?.port ?? 0) : upstreamPorts[upstream]));
  }
}

/** The processes of the engine, each behind the proxies of its links. */
function planProcesses(
  proxies: ReadonlyMap<Link, FaultProxy>,
  ports: Readonly<Record<'api' | 'secondApi' | 'gateway', number>>,
): readonly EngineProcess[] {
  const worker = (name: 'worker-1' | 'worker-2') => ({
    kind: 'worker' as const,
    name,
    via: portsVia(name, proxies),
    settings: { PROVIDER_API_URLS: vendorUrls((kind) => portOf(`${name} to fake-${kind}`, proxies)) },
  });
  return [
    worker('worker-1'),
    worker('worker-2'),
    { kind: 'api', name: 'api-1', port: ports.api, via: portsVia('api-1', proxies) },
    { kind: 'api', name: 'api-2', port: ports.secondApi, via: portsVia('api-2', proxies) },
    { kind: 'gateway', name: 'gateway', port: ports.gateway },
  ];
}

/** The receiver of webhooks and the fakes, which start with the engine. */
function planCompanions(
  dataDir: string,
  receiverPort: number,
  fakes: readonly Fake[],
): NonNullable<StackPlan['companions']> {
  const files = filesIn(dataDir);
  return [
    {
      name: 'webhook-receiver',
      program: 'chaos/engine/receiver-program.js',
      args: [String(receiverPort), files.record, files.secret],
      readyLine: /^webhook receiver listening/m,
    },
    ...fakes.map(({ vendor, port }) => ({
      name: `fake-${vendor.kind}` as const,
      program: 'sandbox/fakes/main.js',
      args: [vendor.kind, String(port), files.fake(vendor)],
      readyLine: /^fake \S+ listening/m,
    })),
  ];
}

/** Tells a fake its account, and where its webhooks go; null while that is not known. */
function configureFake(dataDir: string, { vendor, credentials }: Fake, webhookUrl: string | null): Promise<void> {
  const text = JSON.stringify({ credentials, webhookUrl });
  return writeFile(filesIn(dataDir).fake(vendor), text, { mode: 0o600 });
}

/** Creates the webhook endpoint, and gives the receiver its secret. @returns the secret */
async function registerReceiver(client: Client, dataDir: string, receiverPort: number): Promise<string> {
  const url = `http://127.0.0.1:${receiverPort}/webhooks`;
  const { secret } = await client.webhookEndpoints.create({ url });
  if (secret === null) throw new Error('the creation of the webhook endpoint returned no secret');
  await writeFile(filesIn(dataDir).secret, secret, { mode: 0o600 });
  return secret;
}

/** Creates an account at each vendor's fake, whose webhooks go to the APIs in turn. */
async function registerFakes(
  client: Client,
  dataDir: string,
  fakes: readonly Fake[],
  baseUrls: readonly string[],
): Promise<readonly RunningProvider[]> {
  const providers: RunningProvider[] = [];
  for (const [index, fake] of fakes.entries()) {
    const { kind, sendsLostWebhooks } = fake.vendor;
    const { id, webhookPath } = await createVendorAccount(client, kind, fake.credentials);
    await configureFake(dataDir, fake, `${baseUrls[index % baseUrls.length] ?? ''}${webhookPath}`);
    providers.push({ provider: kind, name: id, url: `http://127.0.0.1:${fake.port}`, sendsLostWebhooks });
  }
  return providers;
}

function simulatorsOf({ sandbox }: Stack): readonly RunningProvider[] {
  return sandbox.simulators.map(({ name, url }) => ({
    provider: name === 'alpha' ? 'alpha' : 'beta',
    name,
    url,
    sendsLostWebhooks: false,
  }));
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

function portOfFake(kind: Vendor['kind'], fakes: readonly Fake[]): number {
  return fakes.find(({ vendor }) => vendor.kind === kind)?.port ?? 0;
}

/** The variable with the addresses of the vendors. */
function vendorUrls(portOfKind: (kind: Vendor['kind']) => number): string {
  return VENDORS.map(({ kind }) => `${kind}=http://127.0.0.1:${portOfKind(kind)}`).join(',');
}
