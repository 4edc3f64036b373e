import type { Prisma } from '../prisma/generated/client.ts';
import type { CreatedBy } from '../contract/schemas/created-by.ts';
import { presentCreatorOf } from '../contract/presenters/creator.ts';
import type { Author } from './audit.ts';

/** Who made a row: the columns that rows with an author have. */
export interface Creator {
  /** The person, also the one behind the key of the request. */
  readonly createdById: string | null;
  /** The key of the request. */
  readonly createdByKeyId: string | null;
}

/** Who makes a row with this request. */
export async function creatorOf(
  transaction: Pick<Prisma.TransactionClient, 'apiKey'>,
  author: Pick<Author, 'actor'>,
): Promise<Creator> {
  const { actor } = author;
  return {
    createdById: await personBehind(transaction, author),
    createdByKeyId: actor.type === 'api_key' ? actor.id : null,
  };
}

/**
 * The person who makes something, or made the key that makes it: otherwise what a person's key has made would outlive the person's
 * place in the team. Null where there is no such person.
 */
async function personBehind(
  { apiKey }: Pick<Prisma.TransactionClient, 'apiKey'>,
  { actor }: Pick<Author, 'actor'>,
): Promise<string | null> {
  if (actor.type === 'person') return actor.id;
  if (actor.type !== 'api_key') return null;
  const maker = await apiKey.findUnique({ where: { id: actor.id }, select: { createdById: true } });
  return maker?.createdById ?? null;
}

/** The maker of a row as clients see it; null for what an operator, or the engine itself, has made. */
export function presentCreator({ createdById, createdByKeyId }: Creator): CreatedBy | null {
  return presentCreatorOf({ created_by_id: createdById, created_by_key_id: createdByKeyId });
}
