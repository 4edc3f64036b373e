import { setTimeout as after } from 'node:timers/promises';
import type { ShareUsage } from '../metrics/server-metrics.ts';

/** A turn did not come in time. */
export class TurnsBusyError extends Error {
  override readonly name = 'TurnsBusyError';
}

export interface TurnLimits {
  /** Work that runs at the same time. */
  readonly atOnce: number;
  /** The same of one merchant. */
  readonly ofOne: number;
  /** How long work waits for its turn; absent where it waits for as long as it takes. */
  readonly waitMs?: number;
}

/** Work of many merchants, of which each gets its turn. */
export interface Turns {
  /** Waits for a turn of the merchant. @returns the function that ends it @throws TurnsBusyError */
  begin(merchant: string): Promise<() => void>;
  usage(): ShareUsage;
}

/**
 * Lets work begin in turns: of the merchants whose work waits, each gets one turn after the other, however much work of another
 * waits before its own.
 */
export function createTurns({ atOnce, ofOne, waitMs }: TurnLimits): Turns {
  const running = new Map<string, number>();
  /** In the order of turns. */
  const waiting = new Map<string, Set<() => void>>();
  let total = 0;

  const hasRoom = (merchant: string): boolean => total < atOnce && (running.get(merchant) ?? 0) < ofOne;

  const change = (merchant: string, by: 1 | -1): void => {
    const count = (running.get(merchant) ?? 0) + by;
    if (count === 0) running.delete(merchant);
    else running.set(merchant, count);
    total += by;
  };

  const beginNext = (): void => {
    for (const [merchant, ofMerchant] of waiting) {
      const [begin] = ofMerchant;
      if (begin === undefined || !hasRoom(merchant)) continue;
      leave(merchant, begin);
      const others = waiting.get(merchant);
      if (others !== undefined && waiting.delete(merchant)) waiting.set(merchant, others);
      begin();
      return;
    }
  };

  const leave = (merchant: string, begin: () => void): void => {
    const ofMerchant = waiting.get(merchant);
    ofMerchant?.delete(begin);
    if (ofMerchant?.size === 0) waiting.delete(merchant);
  };

  const start = (merchant: string): (() => void) => {
    change(merchant, 1);
    let isRunning = true;
    return () => {
      if (!isRunning) return;
      isRunning = false;
      change(merchant, -1);
      beginNext();
    };
  };

  const wait = (merchant: string): Promise<() => void> =>
    new Promise((resolve, reject) => {
      const begin = (): void => {
        clearTimeout(timer);
        resolve(start(merchant));
      };
      const giveUp = (): void => {
        leave(merchant, begin);
        reject(new TurnsBusyError('too much work is under way'));
      };
      const timer = waitMs === undefined ? undefined : setTimeout(giveUp, waitMs);
      const ofMerchant = waiting.get(merchant) ?? new Set();
      waiting.set(merchant, ofMerchant.add(begin));
    });

  return {
    begin: async (merchant) => (hasRoom(merchant) ? start(merchant) : await wait(merchant)),
    usage: () => ({ byAll: total, byOne: Math.max(0, ...running.values()) }),
  };
}

/** Does work in a turn of a merchant. The turn lasts at least so long, so that very much work of one leaves time to the others. */
export async function workInTurn<Result>(
  turns: Turns,
  { merchant, atLeastMs }: { readonly merchant: string; readonly atLeastMs: number },
  work: () => Promise<Result>,
): Promise<Result> {
  const end = await turns.begin(merchant);
  const rest = after(atLeastMs);
  try {
    return await work();
  } finally {
    void rest.then(end);
  }
}
