import { z } from 'zod';
import { CARD_PREFIX_DIGITS } from '../../domain/card-groups.ts';
import { ENVIRONMENTS } from '../../domain/payment.ts';
import { deletedResource, pageQuery, responseTime, shownName } from './common.ts';
import { expecting } from '../field-messages.ts';
import { COMMON_MEMBERS, described } from './descriptions.ts';

/** Prefixes of one group. */
const MAXIMUM_PREFIXES = 2_000;
const { minimum, maximum } = CARD_PREFIX_DIGITS;

const prefix = z
  .string()
  .regex(
    new RegExp(`^[0-9]{${minimum},${maximum}}$`),
    expecting(
      `the first ${minimum} to ${maximum} digits of card numbers, as text`,
      'Leave out spaces, and never send more digits of a card.',
    ),
  );

const MEMBERS = {
  ...COMMON_MEMBERS,
  id: 'The unique id of the group, which begins with `crdg_`.',
  name: 'What people know the group by, such as `Corporate cards`; up to 100 characters.',
  prefixes:
    `The first digits of the numbers of its cards (BIN, IIN), ${minimum} to ${maximum} each, 1 to ${MAXIMUM_PREFIXES.toLocaleString('en-US')} of them. A list is ` +
    'replaced as a whole.',
};

const name = shownName(100).min(1);
const prefixes = z.array(prefix).min(1).max(MAXIMUM_PREFIXES);

/** POST /card-groups */
export const createCardGroupBody = z
  .strictObject(described(MEMBERS, { name, prefixes }))
  .describe('A group of cards to create.');

export type CreateCardGroup = z.output<typeof createCardGroupBody>;

/** PATCH /card-groups/{id} */
export const updateCardGroupBody = z
  .strictObject(described(MEMBERS, { name: name.optional(), prefixes: prefixes.optional() }))
  .describe('What to change. Members that are left out stay unchanged; the prefixes are replaced as a whole.');

export type UpdateCardGroup = z.output<typeof updateCardGroupBody>;

/** GET /card-groups */
export const listCardGroupsQuery = z.strictObject(pageQuery);

export type ListCardGroups = z.output<typeof listCardGroupsQuery>;

/** The group in every response. */
export const cardGroupResource = z
  .object(
    described(MEMBERS, {
      id: z.string(),
      object: z.literal('card_group'),
      environment: z.enum(ENVIRONMENTS),
      name: z.string(),
      prefixes: z.array(z.string()),
      createdAt: responseTime,
      updatedAt: responseTime,
    }),
  )
  .describe('Cards that routes treat alike, by the first digits of their numbers.');

export type CardGroupResource = z.infer<typeof cardGroupResource>;

export const deletedCardGroup = deletedResource('card_group');
