const GOLDEN_STEP = 0x6d2b79f5;
const TWO_TO_THE_32 = 2 ** 32;

/** A pseudo-random generator: the same seed gives the same choices. */
export interface Random {
  /** From 0 up to but not including 1. */
  next(): number;
  /** A whole number from `smallest` to `largest`, both included. */
  between(smallest: number, largest: number): number;
  /** Whether something happens that has this probability. */
  chance(probability: number): boolean;
  /** @throws RangeError when there is nothing to choose from */
  pick<Item>(items: readonly Item[]): Item;
  /** Distinct items in random order, at most all of them. */
  sample<Item>(items: readonly Item[], count: number): readonly Item[];
  /** A new generator that depends only on the seed and the name, not on earlier numbers. */
  fork(name: string): Random;
}

/** Mulberry32: small, fast and good enough to plan tests. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + GOLDEN_STEP) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / TWO_TO_THE_32;
  };
  const between = (smallest: number, largest: number): number =>
    smallest + Math.floor(next() * (largest - smallest + 1));
  return {
    next,
    between,
    chance: (probability) => next() < probability,
    pick<Item>(items: readonly Item[]): Item {
      const index = between(0, items.length - 1);
      if (index >= items.length || index < 0) throw new RangeError('there is nothing to choose from');
      return items[index] as Item;
    },
    sample<Item>(items: readonly Item[], count: number): readonly Item[] {
      return items
        .map((item) => ({ item, rank: next() }))
        .sort((left, right) => left.rank - right.rank)
        .slice(0, count)
        .map(({ item }) => item);
    },
    fork: (name) => createRandom(hashOf(`${seed} ${name}`)),
  };
}

/** FNV-1a. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(text)) hash = Math.imul(hash ^ byte, 0x01000193);
  return hash >>> 0;
}
