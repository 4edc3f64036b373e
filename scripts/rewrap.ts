import { hashSecret } from '../vault/key-secret.ts';
import { clientSecretsOf } from '../vault/client-secret.ts';
import { readRewrapConfig } from '../config/commands.ts';
import { createDatabase, type Database } from '../prisma/connection/client.ts';
import {
  type Page,
  selectClientSecretHashes,
  selectCustomerReturnKeys,
  selectFingerprintKeys,
} from '../prisma/queries/sealed.ts';
import type { Statement } from '../prisma/connection/statement.ts';
import { waitForDatabase } from '../prisma/connection/wait-for-database.ts';
import { runScript } from '../sandbox/stack/explain-error.ts';
import { createCardKeyring } from '../vault/card-keys.ts';
import { readKeyring, readKeys } from '../vault/key-providers.ts';
import type { Keyring } from '../vault/keyring.ts';
import { countLeft, type KeyCounts, rewrapOnce, type RewrapKeys } from '../vault/rewrap.ts';
import { refuseArguments } from './command-arguments.ts';

const CONNECTIONS = 2;
/** More than one, because payments go on and lock rows, and processes may still seal under the earlier key. */
const PASSES = 5;
const PAGE_SIZE = 1_000;
const BROKEN_SHOWN = 10;
const DONE =
  'Nothing in the database needs an earlier key: the earlier keys may be removed from all settings. With ' +
  "TEMPORAL_ENCRYPT_PAYLOADS, keep earlier root keys until Temporal's retention has deleted the histories that they " +
  'encrypted: this command cannot see these, and the workflows of open payments would stop.';

await runScript(async () => {
  refuseArguments('rewrap');
  const config = readRewrapConfig();
  const keyring = await readKeyring(config);
  const cardKeys = await readKeys('CARD_KEYS', config.cardKeys, config.keyProvider);
  await waitForDatabase(config.databaseUrl, { giveUpAfterMs: 0 });
  const database = createDatabase({ url: config.databaseUrl, poolSize: CONNECTIONS });
  try {
    const isDone = await rewrapAll(database, { keyring, cards: createCardKeyring(cardKeys) });
    process.exitCode = isDone ? 0 : 1;
  } finally {
    await database.$disconnect();
  }
});

/** @returns whether nothing needs another key than the current ones */
async function rewrapAll(database: Database, keys: RewrapKeys): Promise<boolean> {
  const startedAt = performance.now();
  let pass = await rewrapOnce(database, keys);
  show('Before:', pass.counts);
  let { rewrapped } = pass;
  for (let number = 2; number <= PASSES && pass.rewrapped > 0; number += 1) {
    pass = await rewrapOnce(database, keys);
    rewrapped += pass.rewrapped;
  }
  show('After:', pass.counts);
  console.log(`Rewrapped ${rewrapped} values in ${((performance.now() - startedAt) / 1_000).toFixed(1)} s.`);
  for (const row of pass.broken.slice(0, BROKEN_SHOWN)) console.log(`No configured key opens ${row}.`);

  const left = countLeft(pass.counts);
  const waiting = await countWaiting(database, keys.keyring);
  if (left > 0) {
    console.log(`${left} values are left under other keys. Keep those keys, and run this command again.`);
  }
  if (waiting.fingerprints > 0) {
    console.log(
      `${waiting.fingerprints} idempotency keys were used with an earlier root key; the root keys of that time are needed for 24 hours after their first use. Keep them until then.`,
    );
  }
  if (waiting.clientSecrets > 0) {
    console.log(
      `${waiting.clientSecrets} client secrets were made with an earlier root key; it is needed until a day after their payment's end. Keep it until then.`,
    );
  }
  if (waiting.customerReturns > 0) {
    console.log(
      `Results of customer returns (3-D Secure) under an earlier root key: ${waiting.customerReturns}. It is needed until a day after their payment's end. Keep it until then.`,
    );
  }
  const isDone = left + waiting.fingerprints + waiting.clientSecrets + waiting.customerReturns === 0;
  if (isDone) console.log(DONE);
  return isDone;
}

function show(title: string, counts: readonly KeyCounts[]): void {
  console.log(title);
  for (const { values, currentKeyId, byKeyId } of counts) {
    for (const [keyId, count] of byKeyId.size === 0 ? [[currentKeyId, 0] as const] : byKeyId) {
      console.log(`  ${values}  ${keyId}${keyId === currentKeyId ? ' (current)' : ''}  ${count}`);
    }
  }
}

interface RemainingCounts {
  readonly fingerprints: number;
  readonly clientSecrets: number;
  readonly customerReturns: number;
}

/** Counts what is not rewrapped, because clients hold it or the purge deletes it soon. */
async function countWaiting(database: Database, keyring: Keyring): Promise<RemainingCounts> {
  const current = keyring.currentKeyId.slice(keyring.currentKeyId.indexOf(':') + 1);
  const isEarlierSecret = ({ id: [id = ''], hash }: { readonly id: readonly string[]; readonly hash: string }) =>
    hashSecret(clientSecretsOf(keyring, id)[0] ?? '') !== hash;
  return {
    fingerprints: await count(database, ['', '', ''], selectFingerprintKeys, ({ keyId }) => keyId !== current),
    clientSecrets: await count(database, [''], selectClientSecretHashes, isEarlierSecret),
    customerReturns: await count(
      database,
      [''],
      selectCustomerReturnKeys,
      ({ keyId }) => keyId !== keyring.currentKeyId,
    ),
  };
}

/** Counts the rows in use for which the condition holds, page by page. */
async function count<Row extends { readonly id: readonly string[]; readonly isInUse: boolean }>(
  database: Database,
  start: readonly string[],
  select: (page: Page) => Statement<Row>,
  condition: (row: Row) => boolean,
): Promise<number> {
  let [after, found] = [start, 0];
  for (;;) {
    const rows = await database.direct.rows(select({ after, limit: PAGE_SIZE }));
    found += rows.filter((row) => row.isInUse && condition(row)).length;
    const last = rows.at(-1);
    if (last === undefined || rows.length < PAGE_SIZE) return found;
    after = last.id;
  }
}
