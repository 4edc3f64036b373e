import { z } from 'zod';
import { pageQuery, responseTime, text } from './common.ts';
import { COMMON_MEMBERS, described } from './descriptions.ts';

const MAXIMUM_FILTERS = 20;

const VIEW = {
  ...COMMON_MEMBERS,
  id: 'The unique id of the saved view, which begins with `view_`.',
  list: 'The list that it is a view of, such as `payment-intents`.',
  name: 'What the person calls it.',
  filter: 'The filters of the list, as text by their names.',
};

const list = z
  .string()
  .max(50)
  .regex(/^[a-z]+(-[a-z]+)*$/);
const filter = z
  .record(text(50).min(1), text(300))
  .refine((members) => Object.keys(members).length <= MAXIMUM_FILTERS)
  .meta({ override: { maxProperties: MAXIMUM_FILTERS } });

/** POST /saved-views */
export const createSavedViewBody = z
  .strictObject(described(VIEW, { list, name: text(60).trim().min(1), filter }))
  .describe('The filters to save, and their name.');

export type CreateSavedView = z.output<typeof createSavedViewBody>;

/** GET /saved-views */
export const listSavedViewsQuery = z.strictObject({
  ...pageQuery,
  list: list.optional().describe('Selects the views of this list.'),
});

export type ListSavedViews = z.output<typeof listSavedViewsQuery>;

/** The saved view in every response. */
export const savedViewResource = z
  .object(
    described(VIEW, {
      id: z.string(),
      object: z.literal('saved_view'),
      list: z.string(),
      name: z.string(),
      filter: z.record(z.string(), z.string()),
      createdAt: responseTime,
    }),
  )
  .describe('Filters of a list that the person of the session has saved under a name, for one merchant account.');

export type SavedViewResource = z.infer<typeof savedViewResource>;

/** DELETE /saved-views/{id} */
export const deletedSavedView = z
  .object(
    described(
      { ...VIEW, deleted: COMMON_MEMBERS.deleted },
      { id: z.string(), object: z.literal('saved_view'), deleted: z.literal(true) },
    ),
  )
  .describe('What is left of a saved view that was deleted.');
