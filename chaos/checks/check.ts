import type { Snapshot } from '../snapshot/snapshot.ts';

/** A violation that a check found, with its intent where there is one. */
export interface Problem {
  readonly intentId: string | null;
  readonly what: string;
}

/** A condition that must hold for the snapshot after a run. */
export interface Check {
  readonly name: string;
  find(snapshot: Snapshot): readonly Problem[];
}
