import type { CreatedBy } from '../schemas/created-by.ts';

/** Who made a row: the columns that rows with an author have. */
export interface Creator {
  /** The person, also the one behind the key of the request. */
  readonly createdById: string | null;
  /** The key of the request. */
  readonly createdByKeyId: string | null;
}

/** The maker of a row as clients see it; null for what an operator, or the engine itself, has made. */
export function presentCreator({ createdById, createdByKeyId }: Creator): CreatedBy | null {
  if (createdByKeyId !== null) return { type: 'api_key', id: createdByKeyId };
  return createdById === null ? null : { type: 'person', id: createdById };
}
