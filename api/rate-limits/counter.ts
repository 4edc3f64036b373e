/** Where a caller stands after a request was counted. */
export interface Count {
  readonly remaining: number;
  readonly msBeforeReset: number;
  readonly exceeded: boolean;
}

/** Counts one request of a caller. Throws when what keeps the counts cannot be asked. */
export type Counter = (caller: string) => Promise<Count>;
