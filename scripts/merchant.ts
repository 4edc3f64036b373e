import { readVaultConfig } from '../config/commands.ts';
import { invitationUrl } from '../accounts/invitations/write.ts';
import { readStartConfig } from '../config/sandbox.ts';
import { VERSION_1_LEAVES_OPEN } from '../contract/schemas/api-key.ts';
import { SUPPORT_SCOPE } from '../domain/scopes.ts';
import { isId } from '../domain/ids.ts';
import { ENVIRONMENTS } from '../domain/payment.ts';
import type { Database } from '../prisma/connection/client.ts';
import { provideSecrets } from '../sandbox/stack/data-folder.ts';
import { sandboxKeyring } from '../sandbox/stack/sandbox-keyring.ts';
import { readKeyring } from '../vault/key-providers.ts';
import {
  createKey,
  createMerchant,
  invite,
  type IssuedCredentials,
  type KeySignature,
  listAccounts,
  setMerchantStatus,
  setStatus,
} from './manage-merchants.ts';
import { readNamedCommand } from './command-arguments.ts';
import { runNamedCommand } from './installed-database.ts';
import { UserError } from '../domain/user-error.ts';
import { runScript } from '../sandbox/stack/explain-error.ts';

const USAGE = `Use one of:
  npm run merchant -- create --name NAME --environment sandbox|production [--account NAME] [--with-sandbox-routes]
    [--signature-version 1|2]
  npm run merchant -- list
  npm run merchant -- key ACCOUNT [--signature-version 1|2] [--support]
  npm run merchant -- invite ACCOUNT --email ADDRESS --dashboard URL [--role owner|developer|support|finance|read_only]
  npm run merchant -- suspend ACCOUNT | suspend MERCHANT --reason TEXT
  npm run merchant -- activate ACCOUNT | activate MERCHANT --reason TEXT
A key is on signature version 2 unless you choose 1. ${VERSION_1_LEAVES_OPEN}`;

type Options = ReturnType<typeof readCommand>;
type Command = (database: Database, options: Options) => Promise<void>;

const COMMANDS: Readonly<Record<string, Command>> = {
  create: async (database, options) => {
    const { name, environment, account = 'Main account', 'with-sandbox-routes': withSandboxRoutes = false } = options;
    const known = ENVIRONMENTS.find((one) => one === environment);
    if (name === undefined || name.trim() === '' || known === undefined) throw new UserError(USAGE);
    const merchant = { name, environment: known, account, withSandboxRoutes };
    const signature = await signatureOf(options);
    show(await createMerchant(database, merchant, signature), signature);
  },
  list: async (database) => {
    for await (const { id, environment, status, platformSuspendedAt, name, merchant } of listAccounts(database)) {
      const shownStatus = platformSuspendedAt === null ? status : `${status} by the platform`;
      console.log(`${id}  ${environment}  ${shownStatus}  ${merchant.name} (${merchant.id}): ${name}`);
    }
  },
  key: async (database, options) => {
    const besides = options.support === true ? [SUPPORT_SCOPE] : [];
    const signature = await signatureOf(options);
    show(await createKey(database, requireTarget(options.target), signature, besides), signature);
  },
  invite: async (database, { target, email, role = 'owner', dashboard }) => {
    if (email === undefined || dashboard === undefined || !URL.canParse(dashboard)) throw new UserError(USAGE);
    const token = await invite(database, requireTarget(target), { email, role });
    console.log(`Send this link to ${email}. It is valid for 7 days, and is not shown again:`);
    console.log(invitationUrl(new URL(dashboard).origin, token));
  },
  suspend: (database, options) => changeStatus(database, options, 'suspended'),
  activate: (database, options) => changeStatus(database, options, 'active'),
};

/** @throws UserError for an unknown version, and for version 2 without the vault keys that the API has */
async function signatureOf({ 'signature-version': version = '2' }: Options): Promise<KeySignature> {
  if (version === '1') return { signatureVersion: 1, keyring: null };
  if (version !== '2') throw new UserError(USAGE);
  const { databaseUrl, dataDir } = readStartConfig();
  if (databaseUrl === null) {
    return { signatureVersion: 2, keyring: await sandboxKeyring(await provideSecrets(dataDir)) };
  }
  const config = readVaultConfig();
  if (config !== null) return { signatureVersion: 2, keyring: await readKeyring(config) };
  throw new UserError(
    'A key on signature version 2 has its salt stored encrypted: set VAULT_KEYS or VAULT_KEYS_FILE as for the API.',
  );
}

async function changeStatus(database: Database, options: Options, status: 'active' | 'suspended'): Promise<void> {
  const id = requireTarget(options.target);
  const { reason = '' } = options;
  if (!isId('merchant', id)) await setStatus(database, id, status);
  else if (reason.trim() === '') throw new UserError(USAGE);
  else await setMerchantStatus(database, id, { suspended: status === 'suspended', reason });
  console.log(`${id} is ${status}.`);
}

/** `npm run merchant`: creates and lists merchants, accounts and keys, in the database of DATABASE_URL or of `npm start`. */
await runScript(() => runNamedCommand(USAGE, COMMANDS, readCommand()));

function readCommand() {
  const text = { type: 'string' } as const;
  return readNamedCommand(USAGE, {
    name: text,
    environment: text,
    account: text,
    email: text,
    role: text,
    dashboard: text,
    reason: text,
    'signature-version': text,
    'with-sandbox-routes': { type: 'boolean' },
    support: { type: 'boolean' },
  });
}

function requireTarget(target: string | undefined): string {
  if (target === undefined) throw new UserError(USAGE);
  return target;
}

/** Prints the secrets, which are not stored and cannot be printed again. */
function show({ merchantAccountId, apiKey, secretSalt }: IssuedCredentials, { signatureVersion }: KeySignature): void {
  console.log(`Account      ${merchantAccountId}\nAPI key      ${apiKey}\nSecret salt  ${secretSalt}`);
  console.log(`Signature    version ${signatureVersion}`);
  if (signatureVersion === 1) console.log(VERSION_1_LEAVES_OPEN);
  console.log('Keep the key and the salt safe: they are not shown again.');
}
