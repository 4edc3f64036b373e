import { z } from 'zod';
import { ENVIRONMENTS } from '../../domain/payment.ts';
import type { CardGroup } from '../../prisma/generated/client.ts';
import type { CardGroupResource } from '../schemas/card-group.ts';

const environments = z.enum(ENVIRONMENTS);

/** The group as clients see it. */
export function presentCardGroup(row: CardGroup): CardGroupResource {
  return {
    id: row.id,
    object: 'card_group',
    environment: environments.parse(row.environment),
    name: row.name,
    prefixes: row.prefixes,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}
