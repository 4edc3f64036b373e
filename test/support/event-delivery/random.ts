const MULTIPLIER = 1_664_525;
const INCREMENT = 1_013_904_223;
const MODULUS = 2 ** 32;

/** A pseudo-random generator: the same seed gives the same numbers. */
export interface Random {
  /** From 0 to less than 1. */
  next(): number;
  /** Whole milliseconds between two bounds. */
  between(shortestMs: number, longestMs: number): number;
  pick<Item>(items: readonly Item[]): Item | undefined;
}

/** A linear congruential generator, which is good enough to choose times. */
export function createRandom(seed: number): Random {
  let state = seed % MODULUS;
  const next = (): number => {
    state = (state * MULTIPLIER + INCREMENT) % MODULUS;
    return state / MODULUS;
  };
  return {
    next,
    between: (shortestMs, longestMs) => Math.floor(shortestMs + next() * (longestMs - shortestMs)),
    pick: (items) => items[Math.floor(next() * items.length)],
  };
}
