import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Client } from '@temporalio/client';
import type { Payload, PayloadCodec } from '@temporalio/common';
import { before, describe, it } from 'mocha';
import { vaultSecrets } from '../../chaos/engine/known-secrets.ts';
import { MINUTE_MS } from '../../domain/time.ts';
import { provideSecrets } from '../../sandbox/stack/data-folder.ts';
import { createPayment } from '../support/payments.ts';
import { PRIVATE_TEXT } from '../support/private-text.ts';
import { card, CARD_NUMBERS, cardToken, CVC, upi, VPAS } from '../../sandbox/test-payment-methods.ts';
import { queryStack } from '../support/stack-database.ts';
import { getDataDir } from '../support/stack.ts';
import { findWorkflows, withTemporal } from '../support/temporal-view.ts';
import { parseKeyring } from '../../vault/keyring.ts';
import { createPayloadCodec } from '../../vault/payload-codec.ts';

const TOKEN = cardToken('approved', 'alpha');
const SENT_NUMBERS = [...Object.values(CARD_NUMBERS), TOKEN.providerToken.token];
const PERSONAL = [...Object.values(VPAS), PRIVATE_TEXT.description, PRIVATE_TEXT.metadata.note];
/** The CVC as a value, also in JSON within a string; bare digits could be a time, a count or the number of a process. */
const CVC_AS_VALUE = new RegExp(`\\\\?"${CVC}\\\\?"|(?<![\\w.:+-])${CVC}(?![\\w.:@-])`);
/** Workflows are about an account's payment, or about the list of a provider. */
const IN_EVERY_INPUT = /"merchantAccountId":"mer_|"provider":"/;
const QUOTED_CVC = new RegExp(`\\\\?"${CVC}\\\\?"`);

/** Runs nearly last, by its name, so that it searches the data of all payments of the run. */
describe('secrets that clients sent are not in', function () {
  this.timeout(3 * MINUTE_MS);
  /** Root keys and private card keys. */
  let keys: readonly string[];
  /** A worker of the packaging test encrypts payloads, and may lead the jobs for a moment. */
  let codec: PayloadCodec;

  before('read the keys', async () => {
    const secrets = await provideSecrets(getDataDir());
    codec = createPayloadCodec(parseKeyring(secrets.vaultKeys), { encrypts: false });
    keys = vaultSecrets(secrets).map(({ value }) => value);
    assert.ok(keys.length >= 4 && keys.every((key) => key.length >= 43));
  });

  before('pay in every way at least once', async () => {
    const methods = [card('approved'), card('declined'), card('fraud'), card('unknownShape'), TOKEN];
    await Promise.all(methods.map(async (method) => (await createPayment()).confirm(method)));
    const india = { amount: 5_000, currency: 'INR', country: 'IN' };
    const payment = await createPayment(india);
    await payment.confirm(upi('success'));
    await payment.reach('succeeded');
  });

  it('the histories of all workflows', async () => {
    const histories = await withTemporal(async (client) => {
      const ids = await findWorkflows(client);
      return Promise.all(ids.map(async (id) => ({ id, text: await readHistory(client, codec, id) })));
    });
    assert.ok(histories.length >= 5);
    for (const { id, text } of histories) {
      assert.match(text, IN_EVERY_INPUT, `the payloads of ${id} were not read: ${text.slice(0, 500)}`);
      assertHasNone(text, [...SENT_NUMBERS, ...PERSONAL, ...keys], id);
      assert.doesNotMatch(text, CVC_AS_VALUE, id);
    }
  });

  it('the log files', async () => {
    const folder = path.join(getDataDir(), 'logs');
    const files = await readdir(folder);
    for (const name of ['api', 'worker', 'simulator-alpha', 'simulator-beta']) {
      assert.ok(
        files.some((file) => file.startsWith(name)),
        `${name} has a log`,
      );
    }
    for (const file of files) {
      const text = await readFile(path.join(folder, file), 'utf8');
      assertHasNone(text, [...SENT_NUMBERS, ...PERSONAL, ...keys], file);
      assert.doesNotMatch(text, QUOTED_CVC, file);
    }
  });

  it('the database, except the free text of merchants', async () => {
    const tables = await queryStack<{ name: string }>(
      `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public'`,
    );
    assert.ok(tables.some(({ name }) => name === 'payment_method'));
    for (const { name } of tables) {
      const rows = await queryStack<{ text: string }>(`SELECT to_jsonb(row)::text AS text FROM "${name}" AS row`);
      const text = rows.map((row) => row.text).join('\n');
      const inBytes = SENT_NUMBERS.map((number) => Buffer.from(number).toString('hex'));
      assertHasNone(text, [...SENT_NUMBERS, ...inBytes, ...Object.values(VPAS), ...keys], name);
      assert.doesNotMatch(text, QUOTED_CVC, name);
    }
  });

  it('the database once they are no longer needed: the CVC, even encrypted', async () => {
    const kept = await queryStack(
      `SELECT intent.id, intent.status FROM payment_method_cvc AS code
       JOIN payment_intent AS intent ON intent.id = code.payment_intent_id
       WHERE intent.status IN ('succeeded', 'failed', 'canceled', 'expired')`,
    );
    assert.deepEqual(kept, []);
  });

  it('the database after the end: keyed digests of card numbers', async () => {
    const kept = await queryStack(
      `SELECT intent.id, intent.status FROM card_digest AS digest
       JOIN payment_intent AS intent ON intent.id = digest.payment_intent_id
       WHERE intent.status IN ('succeeded', 'failed', 'canceled', 'expired')`,
    );
    assert.deepEqual(kept, []);
    const [counts] = await queryStack<{ kind: string; methods: number }>(
      `SELECT relpersistence::text AS kind, (SELECT count(*)::int FROM payment_method WHERE type = 'card') AS methods
       FROM pg_class WHERE relname = 'card_digest'`,
    );
    assert.ok(counts?.kind === 'u' && counts.methods > 0);
  });

  it('a table that is logged, and so any backup or replica: the CVC', async () => {
    const [table] = await queryStack(
      `SELECT relpersistence::text AS kind FROM pg_class WHERE relname = 'payment_method_cvc'`,
    );
    assert.deepEqual(table, { kind: 'u' });
  });

  it('any file of the data folder: card numbers', async () => {
    const files = await readdir(getDataDir(), { recursive: true, withFileTypes: true });
    let bytesRead = 0;
    for (const file of files.filter((each) => each.isFile())) {
      const name = path.join(file.parentPath, file.name);
      const content = await readFile(name).catch(nullIfGone);
      if (content === null) continue;
      bytesRead += content.length;
      for (const number of SENT_NUMBERS) assert.ok(!content.includes(number), `${number} in ${name}`);
    }
    assert.ok(bytesRead > 1_000_000);
  });

  it('responses to clients', async () => {
    const { created, confirm, read } = await createPayment();
    const confirmed = await confirm(card('approved'));
    const text = JSON.stringify([created, confirmed.body, await read()]);
    assertHasNone(text, SENT_NUMBERS, 'an answer');
    assert.doesNotMatch(text, QUOTED_CVC);
  });
});

function assertHasNone(text: string, unwanted: readonly string[], where: string): void {
  for (const each of unwanted) assert.ok(!text.includes(each), `${each} in ${where}`);
}

/** Everything that is text in a history, payloads decrypted. */
async function readHistory(client: Client, codec: PayloadCodec, workflowId: string): Promise<string> {
  const history = await client.workflow.getHandle(workflowId).fetchHistory();
  const payloads = await codec.decode(payloadsIn(history));
  return [...textsIn(history), ...textsIn(payloads)].join('\n');
}

function payloadsIn(value: unknown): Payload[] {
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return [];
  return isPayload(value) ? [value] : Object.values(value).flatMap(payloadsIn);
}

function isPayload(value: object): value is Payload {
  return 'data' in value && value.data instanceof Uint8Array && 'metadata' in value;
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (value instanceof Uint8Array) return [Buffer.from(value).toString('utf8')];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) => [key, ...textsIn(member)]);
}

/** Running servers may delete their files during the search. */
function nullIfGone(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null;
  throw error;
}
