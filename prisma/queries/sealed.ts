import { type Environment, ENVIRONMENTS } from '../../domain/payment.ts';
import { isTerminal, PAYMENT_STATUSES } from '../../domain/payment-state.ts';
import { Prisma } from '../generated/client.ts';
import { boolean, bytes, nullable, oneOf, returning, text, texts } from '../connection/statement.ts';

interface SealedColumns {
  readonly table: string;
  /** The row that has the account and environment, where the table has neither: its table, and the column with its id. */
  readonly owner?: { readonly table: string; readonly id: string };
  readonly primaryKey: readonly string[];
  readonly keyId: string;
  readonly ciphertext: string;
}

/** Every column with values that are encrypted under keys of this installation. */
export const SEALED_VALUES = {
  payment_methods: {
    table: 'payment_method',
    primaryKey: ['id'],
    keyId: 'key_id',
    ciphertext: 'ciphertext',
  },
  security_codes: {
    table: 'payment_method_cvc',
    owner: { table: 'payment_method', id: 'payment_method_id' },
    primaryKey: ['payment_method_id'],
    keyId: 'key_id',
    ciphertext: 'ciphertext',
  },
  saved_cards: {
    table: 'saved_payment_method',
    primaryKey: ['id'],
    keyId: 'key_id',
    ciphertext: 'ciphertext',
  },
  cards_to_save: {
    table: 'payment_method_save',
    primaryKey: ['payment_method_id'],
    keyId: 'key_id',
    ciphertext: 'ciphertext',
  },
  saved_credentials: {
    table: 'saved_payment_method_credential',
    primaryKey: ['saved_payment_method_id', 'provider'],
    keyId: 'key_id',
    ciphertext: 'ciphertext',
  },
  dispute_files: {
    table: 'dispute_file',
    primaryKey: ['dispute_id', 'kind'],
    keyId: 'key_id',
    ciphertext: 'ciphertext',
  },
  stored_responses: {
    table: 'idempotency_record',
    primaryKey: ['merchant_account_id', 'environment', 'key'],
    keyId: 'response_key_id',
    ciphertext: 'response_body',
  },
  api_key_salts: {
    table: 'api_key',
    primaryKey: ['id'],
    keyId: 'salt_key_id',
    ciphertext: 'salt_ciphertext',
  },
  webhook_secrets: {
    table: 'webhook_endpoint',
    primaryKey: ['id'],
    keyId: 'secret_key_id',
    ciphertext: 'secret_ciphertext',
  },
  previous_webhook_secrets: {
    table: 'webhook_previous_secret',
    owner: { table: 'webhook_endpoint', id: 'webhook_endpoint_id' },
    primaryKey: ['webhook_endpoint_id', 'rotation_id'],
    keyId: 'secret_key_id',
    ciphertext: 'secret_ciphertext',
  },
  provider_credentials: {
    table: 'provider_account',
    primaryKey: ['id'],
    keyId: 'credentials_key_id',
    ciphertext: 'credentials_ciphertext',
  },
  previous_provider_credentials: {
    table: 'provider_account_previous_credentials',
    owner: { table: 'provider_account', id: 'provider_account_id' },
    primaryKey: ['provider_account_id', 'rotation_id'],
    keyId: 'credentials_key_id',
    ciphertext: 'credentials_ciphertext',
  },
} as const satisfies Readonly<Record<string, SealedColumns>>;

export type SealedValues = keyof typeof SEALED_VALUES;

export interface Page {
  /** The primary key of the row before the page; empty texts for the first page. */
  readonly after: readonly string[];
  readonly limit: number;
}

/** The rows of a page, in the order of their primary key, with the ciphertext where it is to be rewrapped. */
export function selectSealed(values: SealedValues, { after, limit }: Page, currentKeyId: string) {
  const { table, primaryKey, keyId, ciphertext }: SealedColumns = SEALED_VALUES[values];
  const key = Prisma.raw(primaryKey.map((column) => `sealed.${column}`).join(', '));
  const [sealedKeyId, sealedText] = [Prisma.raw(`sealed.${keyId}`), Prisma.raw(`sealed.${ciphertext}`)];
  const { join, merchantAccountId, environment } = ownerOf(SEALED_VALUES[values]);
  return returning({
    id: texts,
    merchantAccountId: text,
    environment: oneOf<Environment>(ENVIRONMENTS),
    keyId: nullable(text),
    isSealed: boolean,
    toRewrap: nullable(bytes),
  })`
    SELECT ARRAY[${key}] AS id, ${merchantAccountId} AS "merchantAccountId", ${environment} AS environment,
      ${sealedKeyId} AS "keyId", ${sealedText} IS NOT NULL AS "isSealed",
      CASE WHEN ${sealedKeyId} <> ${currentKeyId} THEN ${sealedText} END AS "toRewrap"
    FROM (
      SELECT * FROM ${Prisma.raw(table)} sealed WHERE (${key}) > (${Prisma.join(after)}) ORDER BY ${key} LIMIT ${limit}
    ) sealed ${join}
    ORDER BY ${key}`;
}

/** Every row of a page has a result: a row without its owner cannot be decrypted, and counts as left over. */
function ownerOf({ owner }: SealedColumns) {
  if (owner === undefined) {
    return {
      join: Prisma.empty,
      merchantAccountId: Prisma.sql`sealed.merchant_account_id`,
      environment: Prisma.sql`sealed.environment`,
    };
  }
  return {
    join: Prisma.sql`LEFT JOIN ${Prisma.raw(owner.table)} owner ON owner.id = ${Prisma.raw(`sealed.${owner.id}`)}`,
    merchantAccountId: Prisma.sql`COALESCE(owner.merchant_account_id, '')`,
    environment: Prisma.sql`COALESCE(owner.environment, ${ENVIRONMENTS[0]})`,
  };
}

/** A value before and after it is encrypted under another key. */
export interface RewrappedValue {
  readonly id: readonly string[];
  readonly from: { readonly keyId: string; readonly ciphertext: Uint8Array };
  readonly to: { readonly keyId: string; readonly ciphertext: Uint8Array };
}

/** Replaces values that are unchanged since they were read. Rows that another transaction has locked stay as they are. */
export function updateSealed(values: SealedValues, rewrapped: readonly RewrappedValue[]): Prisma.Sql {
  const { table, primaryKey, keyId, ciphertext }: SealedColumns = SEALED_VALUES[values];
  const isRow = Prisma.raw(
    primaryKey.map((column, index) => `sealed.${column} = rewrapped.id ->> ${index}`).join(' AND '),
  );
  const name = Prisma.raw(table);
  const isUnchanged = Prisma.sql`${isRow} AND ${Prisma.raw(`sealed.${keyId}`)} = rewrapped.from_key_id
      AND ${Prisma.raw(`sealed.${ciphertext}`)} = decode(rewrapped.from_hex, 'hex')`;
  return Prisma.sql`
    WITH rewrapped AS MATERIALIZED (
      SELECT * FROM jsonb_to_recordset(${JSON.stringify(rewrapped.map(jsonOf))}::jsonb)
        AS m(id jsonb, from_key_id text, from_hex text, to_key_id text, to_hex text)
    ), locked AS MATERIALIZED (
      SELECT rewrapped.* FROM rewrapped JOIN ${name} sealed ON ${isUnchanged}
      FOR UPDATE OF sealed SKIP LOCKED
    )
    UPDATE ${name} sealed SET ${Prisma.raw(keyId)} = rewrapped.to_key_id, ${Prisma.raw(ciphertext)} = decode(rewrapped.to_hex, 'hex')
    FROM locked rewrapped
    WHERE ${isUnchanged}`;
}

function jsonOf({ id, from, to }: RewrappedValue) {
  return {
    id,
    from_key_id: from.keyId,
    from_hex: Buffer.from(from.ciphertext).toString('hex'),
    to_key_id: to.keyId,
    to_hex: Buffer.from(to.ciphertext).toString('hex'),
  };
}

/** Records of idempotency keys, with the id of the key that made the fingerprint; in use for 24 hours. */
export function selectFingerprintKeys({ after, limit }: Page) {
  return returning({ id: texts, keyId: text, isInUse: boolean })`
    SELECT ARRAY[merchant_account_id, environment, key] AS id, split_part(fingerprint, ':', 1) AS "keyId",
      created_at > now() - interval '24 hours' AS "isInUse"
    FROM idempotency_record
    WHERE (merchant_account_id, environment, key) > (${Prisma.join(after)})
    ORDER BY merchant_account_id, environment, key
    LIMIT ${limit}`;
}

const OPEN = Prisma.join(PAYMENT_STATUSES.filter((status) => !isTerminal(status)));

/** Intents with the hashes of their client secrets; in use until a day after the intent's end. */
export function selectClientSecretHashes({ after, limit }: Page) {
  return returning({ id: texts, hash: text, isInUse: boolean })`
    SELECT ARRAY[id] AS id, client_secret_hash AS hash,
      status IN (${OPEN}) OR status_since > now() - interval '1 day' AS "isInUse"
    FROM payment_intent
    WHERE id > ${after[0] ?? ''}
    ORDER BY payment_intent.id
    LIMIT ${limit}`;
}

/** Results of customer returns, with the key under which they are encrypted; the purge deletes them a day after the payment's end. */
export function selectCustomerReturnKeys({ after, limit }: Page) {
  return returning({ id: texts, keyId: nullable(text), isInUse: boolean })`
    SELECT ARRAY[attempt_id] AS id, result_key_id AS "keyId", result_key_id IS NOT NULL AS "isInUse"
    FROM customer_return
    WHERE attempt_id > ${after[0] ?? ''}
    ORDER BY attempt_id
    LIMIT ${limit}`;
}
