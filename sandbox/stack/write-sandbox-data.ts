import { hashPassword } from 'better-auth/crypto';
import { ALL_SCOPES } from '../../domain/scopes.ts';
import { SIMULATOR_LIMITS } from '../../domain/simulator-routes.ts';
import type { Database } from '../../prisma/connection/client.ts';
import type { Prisma } from '../../prisma/generated/client.ts';
import { openEnrolment } from '../../prisma/stores/staff-enrolment.ts';
import { hashSecret } from '../../vault/key-secret.ts';
import { sealKeySalt } from '../../vault/key-salt.ts';
import type { Keyring } from '../../vault/keyring.ts';
import {
  SANDBOX_ACCOUNTS,
  SANDBOX_API_KEY_ID,
  SANDBOX_ENVIRONMENT,
  SANDBOX_MERCHANT,
  SANDBOX_PERSON,
  SANDBOX_ROUTES,
  SANDBOX_STAFF,
} from './sandbox-data.ts';

export interface SandboxCredentials {
  /** `svc_test_…` */
  readonly apiKey: string;
  readonly secretSalt: string;
}

const VISIBLE_KEY_CHARACTERS = 13;

/**
 * Puts the sandbox's merchant, accounts, key, routes and limits into the database. May be repeated: rows that exist
 * are kept with their changes, except for the key, which becomes the given one.
 * @param keyring the root keys of the API, which encrypt the salt
 * @returns what to tell the user if the key was revoked; null if it can be used
 */
export async function seedSandbox(
  database: Database,
  { apiKey, secretSalt }: SandboxCredentials,
  keyring: Keyring,
): Promise<string | null> {
  const merchantId = SANDBOX_MERCHANT.id;
  const environment = SANDBOX_ENVIRONMENT;
  const salt = sealKeySalt(keyring, { apiKeyId: SANDBOX_API_KEY_ID, environment }, secretSalt);
  const key = {
    signatureVersion: 2,
    prefix: apiKey.slice(0, VISIBLE_KEY_CHARACTERS),
    keyHash: hashSecret(apiKey),
    saltHash: '',
    saltKeyId: salt.keyId,
    saltCiphertext: salt.ciphertext,
    scopes: [...ALL_SCOPES],
  };
  const [, , { revokedAt }] = await database.$transaction([
    database.merchant.createMany({ data: [SANDBOX_MERCHANT], skipDuplicates: true }),
    database.merchantAccount.createMany({
      data: SANDBOX_ACCOUNTS.map((account) => ({ ...account, merchantId, environment })),
      skipDuplicates: true,
    }),
    database.apiKey.upsert({
      where: { id: SANDBOX_API_KEY_ID },
      create: {
        id: SANDBOX_API_KEY_ID,
        merchantId,
        merchantAccountId: SANDBOX_ACCOUNTS[0].id,
        environment,
        name: 'Sandbox key',
        ...key,
      },
      update: key,
    }),
    database.paymentRoute.createMany({
      data: SANDBOX_ROUTES.map((route) => ({ ...route, merchantId, environment })),
      skipDuplicates: true,
    }),
    database.channelLimit.createMany({
      data: SIMULATOR_LIMITS.map((limit) => ({ ...limit, merchantId, environment })),
      skipDuplicates: true,
    }),
  ]);
  if (revokedAt === null) return null;
  return (
    `The sandbox key was revoked at ${revokedAt.toISOString()}: requests with it are refused. Make another one with ` +
    `"npm run merchant -- key ${SANDBOX_ACCOUNTS[0].id}", or begin with empty data and a new key: "npm start -- --fresh".`
  );
}

/**
 * Puts the owner of the sandbox's merchant and one of the staff of the platform into the database, unless they exist; a changed
 * password stays.
 * @returns the token of the link by which the staff sets a second factor up; null where there is one
 */
export async function seedPeople(database: Database, password: string): Promise<string | null> {
  const owner = { personId: SANDBOX_PERSON.id, merchantId: SANDBOX_MERCHANT.id, role: 'owner' };
  const staff = { personId: SANDBOX_STAFF.id, addedBy: 'npm start' };
  await insertPerson(
    database,
    SANDBOX_PERSON,
    password,
    database.membership.createMany({ data: [owner], skipDuplicates: true }),
  );
  await insertPerson(
    database,
    SANDBOX_STAFF,
    password,
    database.platformStaff.createMany({ data: [staff], skipDuplicates: true }),
  );
  const { twoFactorEnabled } = await database.person.findUniqueOrThrow({ where: { id: SANDBOX_STAFF.id } });
  return twoFactorEnabled ? null : openEnrolment(database, SANDBOX_STAFF.id);
}

/** @param beside what else belongs to the person; it is not executed where the person exists */
async function insertPerson(
  database: Database,
  person: typeof SANDBOX_PERSON,
  password: string,
  beside: Prisma.PrismaPromise<unknown>,
): Promise<void> {
  const { id } = person;
  if ((await database.person.count({ where: { id } })) > 0) return;
  const signIn = { id, providerId: 'credential', accountId: id, personId: id, password: await hashPassword(password) };
  await database.$transaction([
    database.person.createMany({ data: [{ ...person, emailVerified: true }], skipDuplicates: true }),
    database.personSignIn.createMany({ data: [signIn], skipDuplicates: true }),
    beside,
  ]);
}
