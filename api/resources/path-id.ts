import { isId, type ResourceKind } from '../../domain/ids.ts';

/** An id from a path, or an empty text, which is nothing's id: paths may hold what the database refuses to compare with. */
export function storableId(kind: ResourceKind, id: string): string {
  return isId(kind, id) ? id : '';
}
