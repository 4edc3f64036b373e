import pg from 'pg';
import { SECOND_MS } from '../../domain/time.ts';
import { ENGINE_ROLES, roleNameOf } from '../../prisma/grants.ts';
import { type ComposeSecrets, DATABASE, OWNER, TEMPORAL_USER } from './secrets.ts';

/** Whose databases these are. */
const DATABASES: Readonly<Record<string, string>> = {
  [DATABASE]: OWNER,
  temporal: TEMPORAL_USER,
  temporal_visibility: TEMPORAL_USER,
};

/** Makes the databases of the engine and of Temporal where they are missing, and the users with their passwords. May be repeated. */
export async function prepareDatabases(superuserUrl: string, passwords: ComposeSecrets['passwords']): Promise<void> {
  const client = new pg.Client({
    connectionString: superuserUrl,
    connectionTimeoutMillis: 10 * SECOND_MS,
    query_timeout: 60 * SECOND_MS,
  });
  await client.connect();
  try {
    const users: [string, string][] = [
      [OWNER, passwords.owner],
      [TEMPORAL_USER, passwords.temporal],
      ...ENGINE_ROLES.map((role): [string, string] => [roleNameOf(role), passwords[role]]),
    ];
    for (const [name, password] of users) await ensureUser(client, name, password);
    for (const [name, owner] of Object.entries(DATABASES)) await ensureDatabase(client, name, owner);
  } finally {
    await client.end();
  }
}

async function ensureUser(client: pg.Client, name: string, password: string): Promise<void> {
  const { rowCount } = await client.query('SELECT FROM pg_roles WHERE rolname = $1', [name]);
  if (rowCount === 0) await client.query(`CREATE ROLE ${name}`);
  await client.query(`ALTER ROLE ${name} LOGIN PASSWORD ${pg.escapeLiteral(password)}`);
}

/** Only its owner and the processes of the engine may connect to the engine's database, and only Temporal to Temporal's. */
async function ensureDatabase(client: pg.Client, name: string, owner: string): Promise<void> {
  const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [name]);
  if (rowCount === 0) await client.query(`CREATE DATABASE ${name} OWNER ${owner}`);
  const others = owner === OWNER ? ENGINE_ROLES.map(roleNameOf) : [];
  await client.query(`REVOKE CONNECT ON DATABASE ${name} FROM PUBLIC`);
  for (const role of others) await client.query(`GRANT CONNECT ON DATABASE ${name} TO ${role}`);
}
