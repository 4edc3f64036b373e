import type { Database } from '../../../prisma/connection/client.ts';

/** Who is to be named: a person, an API key, or anybody else. */
interface Named {
  readonly type: string;
  readonly id: string;
}

type NameOf = (actor: Named) => string | null;

/**
 * The names of those who made changes, as they are called now: a key of the merchant by its name, a person by the name or else the
 * e-mail address, also after the person has left the team, an operator by the user name. Others have none.
 */
export async function readActorNames(
  database: Pick<Database, 'person' | 'apiKey'>,
  merchantId: string,
  actors: readonly Named[],
): Promise<NameOf> {
  const idsOf = (type: string) => [...new Set(actors.filter((actor) => actor.type === type).map(({ id }) => id))];
  const [people, keys] = [idsOf('person'), idsOf('api_key')];
  const [persons, apiKeys] = await Promise.all([
    people.length === 0
      ? []
      : database.person.findMany({ where: { id: { in: people } }, select: { id: true, name: true, email: true } }),
    keys.length === 0
      ? []
      : database.apiKey.findMany({ where: { id: { in: keys }, merchantId }, select: { id: true, name: true } }),
  ]);
  const names = new Map<string, string>([
    ...persons.map(({ id, name, email }) => [`person ${id}`, name === '' ? email : name] as const),
    ...apiKeys.map(({ id, name }) => [`api_key ${id}`, name] as const),
  ]);
  return ({ type, id }) => (type === 'operator' ? id : (names.get(`${type} ${id}`) ?? null));
}
