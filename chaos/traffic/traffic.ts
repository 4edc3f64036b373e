import { setTimeout as sleep } from 'node:timers/promises';
import { MINUTE_MS } from '../../domain/time.ts';
import type { Sandbox } from '../../sandbox/stack/data-folder.ts';
import { isOperatorKind, type FaultKind } from '../faults/fault-kinds.ts';
import type { Random } from '../random.ts';
import type { ClientTry } from '../snapshot/client-try.ts';
import type { OperatorRecord } from '../snapshot/snapshot.ts';
import { type ApiClient, createApiClient } from './api-client.ts';
import type { Operator } from './operator.ts';
import { planPayment } from './payment-plan.ts';
import { runPayment } from './run-payment.ts';
import type { SettlementClient } from './settlement-client.ts';

export interface TrafficOptions {
  readonly sandbox: Sandbox;
  readonly baseUrls: readonly string[];
  readonly random: Random;
  readonly paymentsPerMinute: number;
  /** How many clients make payments at once. */
  readonly clients: number;
  readonly faultKinds: readonly FaultKind[];
  /** That of every payment; null for all. */
  readonly scenario: string | null;
  readonly operator: Operator;
  readonly settlements: SettlementClient;
  /** After it aborts, no new payment begins. */
  readonly stopSignal: AbortSignal;
  /** After it aborts, clients stop repeating requests. */
  readonly giveUpSignal: AbortSignal;
}

/** The requests of all clients, with their answers. */
export interface Traffic {
  readonly payments: number;
  readonly tries: readonly ClientTry[];
  readonly operatorActions: readonly OperatorRecord[];
  /** Every client secret in a response. */
  readonly clientSecrets: ReadonlySet<string>;
  /** Settles when all clients are done. */
  readonly ended: Promise<void>;
}

/** Starts clients that make payments at a rate. Half of them repeat requests without a definite answer; half never do. */
export function startTraffic(options: TrafficOptions): Traffic {
  const tries: ClientTry[] = [];
  const clientSecrets = new Set<string>();
  const clients = Array.from({ length: options.clients }, (_, index) =>
    createClient(options, index, tries, clientSecrets),
  );
  const operatorKinds = options.faultKinds.filter(isOperatorKind);
  const gapMs = MINUTE_MS / options.paymentsPerMinute;
  const startedAt = Date.now();
  let begun = 0;

  const work = async (client: ApiClient): Promise<void> => {
    while (!options.stopSignal.aborted) {
      const number = begun;
      begun += 1;
      await sleep(Math.max(0, startedAt + number * gapMs - Date.now()));
      if (options.stopSignal.aborted) {
        begun -= 1;
        return;
      }
      const plan = planPayment(options.random.fork(`payment ${number}`), operatorKinds, options.scenario);
      const { operator, settlements, giveUpSignal: signal } = options;
      await runPayment(plan, { client, operator, settlements, signal });
    }
  };
  return {
    get payments() {
      return begun;
    },
    tries,
    operatorActions: options.operator.records,
    clientSecrets,
    ended: Promise.all(clients.map(work)).then(() => undefined),
  };
}

function createClient(
  { sandbox, baseUrls, random, giveUpSignal }: TrafficOptions,
  index: number,
  tries: ClientTry[],
  clientSecrets: Set<string>,
): ApiClient {
  const isPersistent = index % 2 === 0;
  return createApiClient({
    name: `client ${index + 1}${isPersistent ? ', persistent' : ''}`,
    isPersistent,
    credentials: { apiKey: sandbox.apiKey, secretSalt: sandbox.secretSalt },
    baseUrls,
    random: random.fork(`client ${index}`),
    record: (clientTry) => void tries.push(clientTry),
    keepSecret: (clientSecret) => void clientSecrets.add(clientSecret),
    giveUp: giveUpSignal,
  });
}
