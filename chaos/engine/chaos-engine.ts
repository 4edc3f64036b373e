import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Upstream } from '../../sandbox/stack/engine-processes.ts';
import { findFreePorts } from '../../sandbox/stack/ports.ts';
import type { Stack } from '../../sandbox/stack/stack.ts';
import { type StackPlace, type StackPlan, startTemporaryStack } from '../../sandbox/stack/temporary-stack.ts';
import { createClient } from '../../sdk/server/index.ts';
import { type Link, LINKS } from '../faults/schedule.ts';
import { type FaultProxy, openFaultProxy } from './fault-proxy.ts';

/** The whole system as processes, with a fault proxy in each connection between them. */
export interface ChaosEngine {
  readonly stack: Stack;
  readonly dataDir: string;
  readonly proxies: ReadonlyMap<Link, FaultProxy>;
  /** The address of each API process. */
  readonly baseUrls: readonly string[];
  readonly gatewayUrl: string;
  /** The file to which the receiver appends webhooks. */
  readonly webhookRecordFile: string;
  /** The secret of the webhook endpoint. */
  readonly webhookSecret: string;
  /** Stops it and removes its data. */
  end(): Promise<void>;
}

export interface ChaosEngineOptions {
  readonly signal: AbortSignal;
  readonly report: (link: string) => void;
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
const SERVERS = {
  postgres: 'postgres',
  temporal: 'temporal',
  'simulator-alpha': 'simulatorAlpha',
  'simulator-beta': 'simulatorBeta',
} as const satisfies Readonly<Record<string, Upstream>>;

export async function startChaosEngine({ signal, report }: ChaosEngineOptions): Promise<ChaosEngine> {
  const proxies = new Map<Link, FaultProxy>();
  const closeProxies = async (): Promise<void> => {
    await Promise.all([...proxies.values()].map((proxy) => proxy.close()));
  };
  const [secondApiPort = 0, gatewayPort = 0, receiverPort = 0] = await findFreePorts(3);
  const files = (dataDir: string) => ({
    record: path.join(dataDir, 'webhooks.jsonl'),
    secret: path.join(dataDir, 'webhook-secret'),
  });
  const plan = async ({ ports, dataDir }: StackPlace): Promise<StackPlan> => {
    for (const link of LINKS) proxies.set(link, await openFaultProxy(ports[serverOf(link)]));
    const { record, secret } = files(dataDir);
    return {
      processes: [
        { kind: 'worker', name: 'worker-1', via: portsVia('worker-1', proxies) },
        { kind: 'worker', name: 'worker-2', via: portsVia('worker-2', proxies) },
        { kind: 'api', name: 'api-1', port: ports.api, via: portsVia('api-1', proxies) },
        { kind: 'api', name: 'api-2', port: secondApiPort, via: portsVia('api-2', proxies) },
        { kind: 'gateway', name: 'gateway', port: gatewayPort },
      ],
      companions: [
        {
          name: 'webhook-receiver',
          program: 'chaos/engine/receiver-program.js',
          args: [String(receiverPort), record, secret],
          readyLine: /^webhook receiver listening/m,
        },
      ],
    };
  };
  try {
    const { stack, dataDir, end } = await startTemporaryStack({ overrides: SETTINGS, signal, report, plan });
    try {
      const { record, secret } = files(dataDir);
      const { webhookEndpoints } = createClient(stack.sandbox);
      const url = `http://127.0.0.1:${receiverPort}/webhooks`;
      const { secret: webhookSecret } = await webhookEndpoints.create({ url });
      if (webhookSecret === null) throw new Error('the creation of the webhook endpoint returned no secret');
      await writeFile(secret, webhookSecret, { mode: 0o600 });
      return {
        stack,
        dataDir,
        proxies,
        baseUrls: [stack.sandbox.baseUrl, `http://127.0.0.1:${secondApiPort}`],
        gatewayUrl: `http://127.0.0.1:${gatewayPort}`,
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

function serverOf(link: Link): Upstream {
  const [, server = ''] = link.split(' to ');
  const upstream = new Map<string, Upstream>(Object.entries(SERVERS)).get(server);
  if (upstream === undefined) throw new Error(`${link} leads nowhere`);
  return upstream;
}

/** The ports of the proxies between a process and its servers. */
function portsVia(name: string, proxies: ReadonlyMap<Link, FaultProxy>): Partial<Record<Upstream, number>> {
  const own = [...proxies].filter(([link]) => link.startsWith(`${name} to `));
  return Object.fromEntries(own.map(([link, { port }]) => [serverOf(link), port]));
}
