import type { Snapshot } from '../snapshot/snapshot.ts';

/** Something that must not be, with the intent that it is about. */
export interface Problem {
  readonly intentId: string | null;
  readonly what: string;
}

/** A statement about the snapshot after a run that must hold. */
export interface Check {
  readonly name: string;
  find(snapshot: Snapshot): readonly Problem[];
}
