import { z } from 'zod';

/** What a DELETE answers with. */
export function deletedResource<Kind extends string>(object: Kind) {
  return z.object({ id: z.string(), object: z.literal(object), deleted: z.literal(true) });
}
