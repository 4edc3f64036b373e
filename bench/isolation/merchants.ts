import { z } from 'zod';
import { createDatabase } from '../../prisma/connection/client.ts';
import { type Credentials, sendSigned } from '../../sandbox/signed-request.ts';
import type { Stack } from '../../sandbox/stack/stack.ts';
import { createMerchant } from '../../scripts/manage-merchants.ts';

/** A merchant with one account, and its routes to both simulators. */
export interface BenchMerchant extends Credentials {
  readonly merchantAccountId: string;
}

const idOf = z.object({ data: z.object({ id: z.string() }) });

/** Makes the merchant that is measured, and the one that is in trouble. */
export async function createMerchants(
  stack: Stack,
): Promise<{ readonly other: BenchMerchant; readonly troubled: BenchMerchant }> {
  const database = createDatabase({ url: stack.superuserUrl, poolSize: 1 });
  const create = async (name: string): Promise<BenchMerchant> => {
    const made = await createMerchant(
      database,
      { name, environment: 'sandbox', account: name, withSandboxRoutes: true },
      { signatureVersion: 1, keyring: null },
    );
    return { baseUrl: stack.sandbox.baseUrl, signatureVersion: 1, ...made };
  };
  try {
    return { other: await create('Other'), troubled: await create('Troubled') };
  } finally {
    await database.$disconnect();
  }
}

/** @returns the id of what was created */
export async function post(credentials: Credentials, path: string, body: object, account?: string): Promise<string> {
  const headers = {
    'X-Idempotency-Key': crypto.randomUUID(),
    ...(account === undefined ? {} : { 'X-Merchant-ID': account }),
  };
  const answer = await sendSigned(credentials, { method: 'POST', path, body, headers });
  const text = await answer.text();
  if (answer.status !== 201) throw new Error(`${path} was answered with ${answer.status}: ${text}`);
  return idOf.parse(JSON.parse(text)).data.id;
}

export function createIntent(credentials: Credentials, account?: string): Promise<string> {
  return post(credentials, '/api/v1/payment-intents', { amount: 1999, currency: 'USD' }, account);
}
