import type { SavedView } from '../../prisma/generated/client.ts';
import { type SavedViewResource, savedViewResource } from '../schemas/saved-view.ts';

/** The saved view as its person sees it. */
export function presentView(row: SavedView): SavedViewResource {
  return {
    id: row.id,
    object: 'saved_view',
    list: row.list,
    name: row.name,
    filter: savedViewResource.shape.filter.parse(row.filter),
    createdAt: row.createdAt.toISOString(),
  };
}
