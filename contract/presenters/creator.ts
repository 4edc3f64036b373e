import type { CreatedBy } from '../schemas/created-by.ts';

/** The columns of a row that say who made it, as JSON. */
interface CreatorRow {
  /** The person, also the one behind the key of the request. */
  readonly created_by_id: string | null;
  /** The key of the request. */
  readonly created_by_key_id: string | null;
}

/** The maker of a row as clients see it; null for what an operator, or the engine itself, has made. */
export function presentCreatorOf(row: CreatorRow): CreatedBy | null {
  if (row.created_by_key_id !== null) return { type: 'api_key', id: row.created_by_key_id };
  return row.created_by_id === null ? null : { type: 'person', id: row.created_by_id };
}
