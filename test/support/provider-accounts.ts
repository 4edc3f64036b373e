import { insertAccount, type ProviderAccountDependencies } from '../../accounts/provider-accounts/write.ts';
import { newUniquePart } from '../../domain/new-id.ts';
import type { Database } from '../../prisma/connection/client.ts';
import { type Keyring, parseKeyring } from '../../vault/keyring.ts';
import { principalWith } from './principal.ts';
import { UNREACHABLE_URL } from './simulator-harness.ts';
import { createTestKinds, PUBLIC_TARGETS } from './provider-kinds.ts';

/** An account at the simulator, with credentials that it does not know. */
export const SIMULATOR_ACCOUNT = {
  kind: 'simulator',
  name: 'Account of a test',
  credentials: {
    apiKey: 'a-key-that-the-simulator-does-not-know',
    webhookSecret: `whsec_${Buffer.alloc(32, 5).toString('base64')}`,
  },
} as const;

export const ACCOUNTS_KEYRING = parseKeyring(`k:${Buffer.alloc(32, 7).toString('base64')}`);

/** Accounts at a simulator that nobody reaches, in the sandbox alone. */
export const SIMULATOR_KINDS = createTestKinds({
  apiUrls: new Map([['simulator', UNREACHABLE_URL]]),
  timeoutMs: 1_000,
  allowSimulatorInProduction: false,
});

/** The dependencies of operations on accounts at providers, and the merchant account that they act for. */
export async function accountAccess(database: Database, merchantAccountId: string, keyring = ACCOUNTS_KEYRING) {
  const { merchantId } = await database.merchantAccount.findUniqueOrThrow({ where: { id: merchantAccountId } });
  const dependencies: ProviderAccountDependencies = {
    database,
    keyring,
    providerKinds: SIMULATOR_KINDS,
    webhookTargets: PUBLIC_TARGETS,
  };
  return { dependencies, principal: principalWith({ merchantId, merchantAccountId }) };
}

/** Puts an account at a simulator into the database. @returns its id */
export async function insertProviderAccount(
  database: Database,
  merchantAccountId: string,
  keyring: Keyring = ACCOUNTS_KEYRING,
): Promise<string> {
  const { dependencies, principal } = await accountAccess(database, merchantAccountId, keyring);
  const { id } = await insertAccount(dependencies, principal, { unique: newUniquePart(), fields: SIMULATOR_ACCOUNT });
  return id;
}
