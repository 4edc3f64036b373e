import type { Environment } from '../../domain/payment.ts';
import type { ProviderAccountStatus, ProviderKindName } from '../../domain/provider-account.ts';
import { Prisma, type ProviderAccount } from '../generated/client.ts';
import { type JsonRow, jsonRowOf, type Narrowed } from './json-row.ts';

/** An account at a provider as JSON, without its secrets. */
export type ProviderAccountRow = Narrowed<
  Omit<JsonRow<ProviderAccount>, Secret>,
  {
    readonly environment: Environment;
    readonly kind: ProviderKindName;
    readonly status: ProviderAccountStatus;
    readonly public_credentials: Readonly<Record<string, string>>;
  }
>;

type Secret = 'credentials_key_id' | 'credentials_ciphertext';

/** A row of provider_account as JSON, without what must not leave the database. @param row its name in the statement, ours */
export function providerAccountJson(row: string): Prisma.Sql {
  return Prisma.sql`to_jsonb(${Prisma.raw(row)}) - ARRAY['credentials_key_id', 'credentials_ciphertext']`;
}

/** The row as JSON, of one that Prisma Client has read. */
export function providerAccountRowOf(account: ProviderAccount): ProviderAccountRow {
  const { credentialsKeyId: _keyId, credentialsCiphertext: _ciphertext, ...row } = account;
  // The texts, and the public credentials, were checked before they were written.
  return jsonRowOf(row) as ProviderAccountRow;
}
