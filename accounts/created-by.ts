import type { Prisma } from '../prisma/generated/client.ts';
import type { Creator } from '../contract/presenters/creator.ts';
import type { Author } from './audit.ts';

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
