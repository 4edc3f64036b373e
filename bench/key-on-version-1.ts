import { createDatabase } from '../prisma/connection/client.ts';
import { SANDBOX_ACCOUNTS } from '../sandbox/stack/sandbox-data.ts';
import type { Stack } from '../sandbox/stack/stack.ts';
import { createKey } from '../scripts/manage-merchants.ts';

/**
 * The engine, with a key of its first account on signature version 1, whose headers serve for many requests: clients that sign
 * each request anew, and the nonces of version 2, would be a part of what is measured.
 */
export async function withKeyOnVersion1(stack: Stack): Promise<Stack> {
  const database = createDatabase({ url: stack.superuserUrl, poolSize: 1 });
  try {
    const signature = { signatureVersion: 1, keyring: null } as const;
    const { apiKey, secretSalt } = await createKey(database, SANDBOX_ACCOUNTS[0].id, signature);
    return { ...stack, sandbox: { ...stack.sandbox, apiKey, secretSalt, signatureVersion: 1 } };
  } finally {
    await database.$disconnect();
  }
}
