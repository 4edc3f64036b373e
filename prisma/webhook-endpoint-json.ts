import { Prisma } from './generated/client.ts';

/** A row of webhook_endpoint as JSON, without what must not leave the database. @param row its name in the statement, ours */
export function webhookEndpointJson(row: string): Prisma.Sql {
  const secrets = ['secret', 'previous_secret'].flatMap((name) => [`${name}_key_id`, `${name}_ciphertext`]);
  return Prisma.sql`to_jsonb(${Prisma.raw(row)}) - ${secrets}::text[]`;
}
