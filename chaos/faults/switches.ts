import { setTimeout as sleep } from 'node:timers/promises';
import { SECOND_MS } from '../../domain/time.ts';
import { type Client, createClient } from '../../sdk/server/index.ts';
import type { Database } from '../../prisma/connection/client.ts';
import type { ChaosEngine } from '../engine/chaos-engine.ts';
import type { PlannedFault } from './schedule.ts';

/** A time in which a route, an account at a provider or the merchant account was certainly inactive. In milliseconds since the epoch. */
export interface InactivePeriod {
  /** The id of the route, or of the account at a provider; `MERCHANT` of the merchant account. */
  readonly id: string;
  /** When the answer came that it is inactive. */
  readonly fromMs: number;
  /** When it was asked to become active again. */
  readonly untilMs: number;
}

type SwitchFault = Extract<PlannedFault, { readonly kind: 'route_off' | 'account_off' }>;

/** Switches routes and accounts off and on, as a merchant does, through whichever API answers. */
export interface Switches {
  readonly periods: readonly InactivePeriod[];
  /** @returns what switches it on again; nothing is switched off where no API answers */
  off(fault: SwitchFault): Promise<() => Promise<void>>;
  /** Suspends the merchant account, as the platform does. @returns what activates it again */
  suspend(): Promise<() => Promise<void>>;
}

/** Stands for the merchant account in an `InactivePeriod`: all payments are of one. */
export const MERCHANT = 'the merchant account';

const ANSWER_WITHIN_MS = 5 * SECOND_MS;
const ON_WITHIN_MS = 90 * SECOND_MS;
const MAXIMUM_ROUTES = 100;

export function createSwitches(
  { stack, baseUrls, providers }: ChaosEngine,
  database: Pick<Database, 'merchantAccount'>,
): Switches {
  const clients = baseUrls.map((baseUrl) => createClient({ ...stack.sandbox, baseUrl, timeoutMs: ANSWER_WITHIN_MS }));
  const periods: InactivePeriod[] = [];
  const setActive = async (client: Client, { id, isRoute }: Switched, isActive: boolean): Promise<void> => {
    if (isRoute) await client.paymentRoutes.update(id, { active: isActive });
    else await client.providerAccounts.update(id, { status: isActive ? 'active' : 'disabled' });
  };
  const find = async (client: Client, fault: SwitchFault): Promise<Switched | null> => {
    const name = providers.find(({ provider }) => provider === fault.provider)?.name;
    if (name === undefined) return null;
    if (fault.kind === 'account_off') return { id: name, isRoute: false };
    const { data } = await client.paymentRoutes.list({ provider: name, limit: MAXIMUM_ROUTES });
    // In an order that does not depend on random ids, so that a seed switches off the same route.
    const nameOf = (route: (typeof data)[number]): string =>
      `${route.paymentMethod} ${route.currencies.join()} ${route.priority}`;
    const routes = [...data].sort((a, b) => nameOf(a).localeCompare(nameOf(b)));
    const route = routes[fault.pick % Math.max(1, routes.length)];
    return route === undefined ? null : { id: route.id, isRoute: true };
  };
  return {
    periods,
    async off(fault) {
      const [client] = clients;
      if (client === undefined) return () => Promise.resolve();
      try {
        const switched = await find(client, fault);
        if (switched === null) return () => Promise.resolve();
        let fromMs = Infinity;
        const on = async (): Promise<void> => {
          const untilMs = Date.now();
          await untilAnswered(clients, (each) => setActive(each, switched, true));
          if (untilMs > fromMs) periods.push({ id: switched.id, fromMs, untilMs });
        };
        // Even without an answer it may be switched off, and so has to be switched on.
        await setActive(client, switched, false).then(
          () => (fromMs = Date.now()),
          () => undefined,
        );
        return on;
      } catch {
        return () => Promise.resolve();
      }
    },
    async suspend() {
      const where = { id: stack.sandbox.merchantId };
      const setStatus = (status: 'active' | 'suspended') =>
        database.merchantAccount.update({ where, data: { status } });
      let fromMs = Infinity;
      await setStatus('suspended').then(
        () => (fromMs = Date.now()),
        () => undefined,
      );
      return async () => {
        const untilMs = Date.now();
        await untilAnswered(['active'] as const, async (status) => void (await setStatus(status)));
        if (untilMs > fromMs) periods.push({ id: MERCHANT, fromMs, untilMs });
      };
    },
  };
}

interface Switched {
  readonly id: string;
  readonly isRoute: boolean;
}

/** Repeats the work with each in turn. @throws Error if none has answered in time */
async function untilAnswered<Each>(turns: readonly Each[], work: (each: Each) => Promise<void>): Promise<void> {
  const deadlineMs = Date.now() + ON_WITHIN_MS;
  for (let call = 0; ; call += 1) {
    const each = turns[call % turns.length];
    if (each === undefined) return;
    try {
      return await work(each);
    } catch (error) {
      if (Date.now() > deadlineMs) throw error;
      await sleep(SECOND_MS);
    }
  }
}
