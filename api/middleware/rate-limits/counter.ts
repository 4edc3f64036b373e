import type { SharedResult } from '../authentication/single-flight.ts';

/** Where a caller stands after a request was counted. */
export interface Count {
  readonly remaining: number;
  readonly msBeforeReset: number;
  readonly exceeded: boolean;
}

/** Counts one request of a caller. Throws when what keeps the counts cannot be asked. */
export type Counter = (caller: string) => Promise<Count>;

/** Where one of several requests stands that were counted together, by its place among them. */
export function countAtPlace(
  { place, callers }: Pick<SharedResult<unknown>, 'place' | 'callers'>,
  consumed: number,
  limit: number,
): Pick<Count, 'remaining' | 'exceeded'> {
  const ownNumber = consumed - callers + place + 1;
  return { remaining: Math.max(limit - ownNumber, 0), exceeded: ownNumber > limit };
}
