import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import pg from 'pg';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { insertMerchantAccount, insertPaymentIntent } from '../../support/payment-rows.ts';

/** Tables with an account that have no such key, and why. */
const WITHOUT_KEY: Readonly<Record<string, string>> = {
  event:
    'the statement that writes it copies the account from its payment; a key would add 5 % to the statements of a payment',
  payment_card: 'triggers write it, and copy the account from the payment that has the card',
  payment_error_code: 'triggers write it, and copy the account from the payment that has the code',
  provider_event: 'a trigger copies the account from its payment, which may be unknown',
  metadata_pair: 'triggers write it, and copy the account from the row that has the pair',
  payment_method: 'it is stored before its payment; it is read by its payment alone',
  webhook_delivery: 'it outlives its event and its endpoint; a trigger checks both',
  idempotency_record: 'it belongs to nothing but the account of the request',
  reconciliation_account: 'the statement that writes it copies the account from the payments that were compared',
  reconciliation_difference:
    'the statement that writes it copies the account from its payment, which may be purged before it',
  request_log: 'it is written in batches, and belongs to nothing but the account of the request',
  audit_event: 'it never changes, not even with what it is about',
};

/** Tables whose rows have the id of a row that they refer to, and the column of that id elsewhere. */
const SHARED_ID: Readonly<Record<string, string>> = { payment_link_payment: 'payment_intent_id' };

interface Relation {
  readonly table: string;
  readonly key: string;
  readonly parent: string;
  readonly columns: readonly string[];
}

const RELATIONS = `
  SELECT conrelid::regclass::text AS "table", conname AS key, confrelid::regclass::text AS parent,
    ARRAY(SELECT attname::text FROM unnest(conkey) WITH ORDINALITY AS place(number, ordinal)
      JOIN pg_attribute ON attrelid = conrelid AND attnum = number ORDER BY ordinal) AS columns
  FROM pg_constraint WHERE contype = 'f' AND connamespace = 'public'::regnamespace AND convalidated
  ORDER BY 1, 2`;

const TABLES = `
  SELECT relname::text AS name FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid
  WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition
    AND attname = 'merchant_account_id' AND NOT attisdropped ORDER BY 1`;

/** The columns that a row must have, with a value that any row of the table may have. */
const REQUIRED = `
  SELECT column_name AS name, data_type AS type FROM information_schema.columns
  WHERE table_schema = 'public' AND table_name = $1 AND is_nullable = 'NO' AND column_default IS NULL`;
const VALUES: Readonly<Record<string, string>> = {
  text: "'x'",
  bigint: '1',
  integer: '1',
  'double precision': '1',
  jsonb: "'{}'",
  bytea: "'x'",
  'timestamp with time zone': 'now()',
  boolean: 'true',
};

const FOREIGN_KEY_VIOLATION = '23503';

describe('rows of an account', () => {
  let test: TestDatabase;
  let client: pg.Client;
  let relations: readonly Relation[];
  let rows: { readonly own: Ids; readonly foreign: Ids };

  type Ids = Readonly<Record<string, string>>;

  before(async () => {
    test = await createTestDatabase();
    client = new pg.Client({ connectionString: test.url });
    await client.connect();
    relations = (await client.query<Relation>(RELATIONS)).rows;
    rows = { own: await insertParents('sandbox'), foreign: await insertParents('production') };
  });
  after(async () => {
    await client.end();
    await test.close();
  });

  it('refer to their account or payment together with account and environment, in every table', async () => {
    const { rows: tables } = await client.query<{ name: string }>(TABLES);
    const withKey = relations.filter(({ columns }) => isOfAccount(columns)).map(({ table }) => table);
    assert.ok(withKey.length >= 7);
    assert.deepEqual(
      tables.map(({ name }) => name).filter((name) => !withKey.includes(name)),
      Object.keys(WITHOUT_KEY).sort(),
    );
    const byIdAlone = relations.filter(({ table, columns }) => withKey.includes(table) && !isOfAccount(columns));
    assert.deepEqual(
      byIdAlone.map(({ key }) => key),
      // A saved view belongs to a person too.
      ['api_key_merchant_id_fkey', 'saved_view_person_id_fkey'],
    );
  });

  it('cannot belong to a payment or merchant of another account, nor have another environment', async () => {
    for (const relation of relations.filter(({ columns }) => isOfAccount(columns))) {
      const [own, foreign] = [withSharedId(relation, rows.own), withSharedId(relation, rows.foreign)];
      await insertChild(relation, own);
      for (const column of relation.columns) {
        const another = { ...own, [column]: foreign[column] ?? '' };
        await assert.rejects(insertChild(relation, another), (error) => {
          assert.ok(error instanceof pg.DatabaseError);
          assert.equal(error.code, FOREIGN_KEY_VIOLATION, `${relation.key}: ${error.message}`);
          return true;
        });
      }
    }
  });

  it('cannot be deliveries of an event to the endpoint of another account', async () => {
    for (const column of ['event_id', 'webhook_endpoint_id', 'merchant_account_id', 'environment']) {
      const delivery = { table: 'webhook_delivery', key: '', parent: '', columns: Object.keys(rows.own) };
      await insertChild(delivery, rows.own);
      const another = { ...rows.own, [column]: rows.foreign[column] ?? '' };
      await assert.rejects(insertChild(delivery, another), { code: FOREIGN_KEY_VIOLATION }, column);
    }
  });

  /** An account with what its rows may refer to. */
  async function insertParents(environment: string): Promise<Ids> {
    const account = await insertMerchantAccount(test.database, { environment });
    const { merchantId } = await test.database.merchantAccount.findUniqueOrThrow({ where: { id: account } });
    const ids = {
      merchant_account_id: account,
      merchant_id: merchantId,
      environment,
      payment_intent_id: await insertPaymentIntent(test.database, account, { environment }),
    };
    const personId = `per_${account}`;
    await test.database.person.create({ data: { id: personId, name: 'Person', email: `${account}@example.com` } });
    await test.database.membership.create({ data: { personId, merchantId, role: 'owner' } });
    const event = { ...ids, id: `evt_${account}` };
    const endpoint = { ...ids, id: `we_${account}` };
    await insertChild({ table: 'event', columns: Object.keys(event) }, event, 'COMMIT');
    await insertChild(
      { table: 'webhook_endpoint', columns: ['id', 'merchant_account_id', 'environment'] },
      endpoint,
      'COMMIT',
    );
    const link = { ...ids, id: `plink_${account}`, token_hash: account };
    await insertChild({ table: 'payment_link', columns: Object.keys(link) }, link, 'COMMIT');
    const customer = { ...ids, id: `cus_${account}` };
    await insertChild({ table: 'customer', columns: Object.keys(customer) }, customer, 'COMMIT');
    const saved = { ...ids, id: `spm_${account}` };
    await insertChild({ table: 'saved_payment_method', columns: Object.keys(saved) }, saved, 'COMMIT');
    const dispute = { ...ids, id: `dp_${account}` };
    await insertChild({ table: 'dispute', columns: Object.keys(dispute) }, dispute, 'COMMIT');
    const settlement = { ...ids, id: `stl_${account}`, provider_reference: `of ${account}` };
    await insertChild({ table: 'settlement', columns: Object.keys(settlement) }, settlement, 'COMMIT');
    return {
      ...ids,
      dispute_id: dispute.id,
      settlement_id: settlement.id,
      person_id: personId,
      event_id: event.id,
      webhook_endpoint_id: endpoint.id,
      payment_link_id: link.id,
      customer_id: customer.id,
      saved_payment_method_id: saved.id,
    };
  }

  function withSharedId({ table }: Relation, ids: Ids): Ids {
    const column = SHARED_ID[table];
    return column === undefined ? ids : { ...ids, id: ids[column] ?? '' };
  }

  /** Inserts a row with these ids in the columns, and any values in the others that it must have. */
  async function insertChild(
    { table, columns }: Pick<Relation, 'table' | 'columns'>,
    ids: Ids,
    end: 'ROLLBACK' | 'COMMIT' = 'ROLLBACK',
  ): Promise<void> {
    const { rows: required } = await client.query<{ name: string; type: string }>(REQUIRED, [table]);
    const { rows: existing } = await client.query<{ name: string }>(
      'SELECT column_name AS name FROM information_schema.columns WHERE table_name = $1',
      [table],
    );
    const known = existing.map(({ name }) => name);
    const given = columns.filter((name) => known.includes(name));
    const others = required.filter(({ name }) => !given.includes(name));
    const names = [...given, ...others.map(({ name }) => name)];
    const values = [
      ...given.map((name) => pg.escapeLiteral(ids[name] ?? '')),
      ...others.map(({ name, type }) =>
        ids[name] !== undefined ? pg.escapeLiteral(ids[name]) : (VALUES[type] ?? `no value for ${type}`),
      ),
    ];
    await client.query('BEGIN');
    try {
      await client.query(
        `INSERT INTO "${table}" (${names.map((name) => `"${name}"`).join(', ')}) VALUES (${values.join(', ')})`,
      );
      await client.query(end);
    } catch (error) {
      await client.query('ROLLBACK');
      throw error;
    }
  }
});

function isOfAccount(columns: readonly string[]): boolean {
  return columns.includes('merchant_account_id') && columns.includes('environment');
}
