import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type Server } from 'node:http';
import express from 'express';
import { afterEach, describe, it } from 'mocha';
import { toApiError } from '../../../../http/errors.ts';
import type { ApiErrorHandler, ApiHandler } from '../../../../http/request-context.ts';
import { listOperation } from '../../../../api/resources/api-operation.ts';
import { createCsvExport, createCsvExports, CSV_LIMITS, type CsvLimits } from '../../../../api/resources/csv-export.ts';
import { presentCustomer } from '../../../../contract/presenters/customer.ts';
import { customerResource, listCustomersQuery } from '../../../../contract/schemas/customer.ts';
import { pageResponse } from '../../../../http/response.ts';
import { CUSTOMER_COLUMNS } from '../../../../contract/presenters/csv-columns.ts';
import { accountCustomers, STORED_CUSTOMER } from '../../../../prisma/queries/customer.ts';
import { useAccount } from '../../../support/account-fixture.ts';
import { recordsOf } from '../../../support/csv.ts';
import { eventually } from '../../../support/eventually.ts';
import { insertMerchantAccount } from '../../../support/payment-rows.ts';
import { principalWith } from '../../../support/principal.ts';
import { closeServer, listenLocally, portOf } from '../../../support/local-server.ts';

const CSV = { Accept: 'text/csv' };
const FORMULAS = ['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '\n=1', '＝1'];

describe('a list as a CSV file', function () {
  this.timeout(120_000);
  const test = useAccount();
  let server: Server;

  afterEach(() => closeServer(server));

  /** An API with the list of customers alone. */
  async function serve(account: string, limits: Partial<CsvLimits> = {}, onBatch = () => {}): Promise<void> {
    const { direct } = test.database;
    const counting = {
      ...test.database,
      direct: {
        ...direct,
        rows: <Row>(statement: Parameters<typeof direct.rows<Row>>[0]) => {
          onBatch();
          return direct.rows(statement);
        },
      },
    } as typeof test.database;
    const { path, handler } = listOperation({
      path: '/customers',
      operationId: 'listCustomers',
      summary: '',
      resource: 'customers',
      query: listCustomersQuery,
      responseData: customerResource,
      errors: [],
      csv: createCsvExport({
        database: counting,
        exports: createCsvExports({ ...CSV_LIMITS, batchTurnMs: 0, ...limits }),
        name: 'customers',
        columns: CUSTOMER_COLUMNS,
        listed: accountCustomers,
        selected: STORED_CUSTOMER,
        present: presentCustomer,
      }),
      handle: async () => pageResponse({ page: 1, limit: 1 }, { rows: [], total: 0 }, (row) => row),
    });
    const authenticated: ApiHandler = (_request, response, next) => {
      response.locals.principal = principalWith({ merchantAccountId: account, scopes: ['customers:read'] });
      next();
    };
    const answerError: ApiErrorHandler = (error: unknown, _request, response, _next) => {
      const { status, code, details } = toApiError(error);
      if (response.headersSent) response.destroy();
      else response.status(status).json({ code, details });
    };
    server = createServer(express().get(path, authenticated, handler).use(answerError));
    await listenLocally(server);
  }

  const urlOf = (query = '') => `http://127.0.0.1:${portOf(server)}/customers${query}`;
  const read = (query = '', headers: Record<string, string> = CSV) => fetch(urlOf(query), { headers });

  /** Customers of an account of their own; each three are made in the same millisecond. */
  async function fill(count: number, padding = ''): Promise<string> {
    const account = await insertMerchantAccount(test.database);
    await test.database.$executeRaw`
      INSERT INTO customer (id, merchant_account_id, environment, reference, description, created_at, updated_at)
      SELECT 'cus_' || md5(${account}::text || n), ${account}, 'sandbox', 'K-' || n % 2, ${padding}::text,
        now() + n / 3 * interval '1 millisecond', now()
      FROM generate_series(1, ${count}::int) n`;
    return account;
  }

  it('has each row once, newest first, however many of them were made in one millisecond', async () => {
    const account = await fill(50);
    await serve(account, { batchRows: 7 });
    const response = await read();
    assert.deepEqual([response.status, response.headers.get('x-rows-truncated')], [200, 'false']);
    assert.match(response.headers.get('content-type') ?? '', /^text\/csv; charset=utf-8/);
    assert.match(
      response.headers.get('content-disposition') ?? '',
      /^attachment; filename="customers-sandbox-\d{8}T\d{6}Z\.csv"$/,
    );
    const expected = await test.database.customer.findMany({
      where: { merchantAccountId: account },
      orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    });
    const rows = recordsOf(await response.text());
    assert.deepEqual(
      rows.map(({ id, createdAt }) => [id, createdAt]),
      expected.map(({ id, createdAt }) => [id, createdAt.toISOString()]),
    );
    const filtered = recordsOf(await (await read('?reference=K-1')).text());
    assert.equal(filtered.length, 25);
    assert.deepEqual([...new Set(filtered.map(({ reference }) => reference))], ['K-1']);
  });

  it('has the newest rows up to the limit, and says so before the first of them', async () => {
    const account = await fill(12);
    await serve(account, { rows: 10, batchRows: 4 });
    const response = await read();
    assert.deepEqual(
      ['x-rows-truncated', 'x-row-limit'].map((name) => response.headers.get(name)),
      ['true', '10'],
    );
    assert.match(response.headers.get('content-disposition') ?? '', /-first-10\.csv"$/);
    assert.equal(recordsOf(await response.text()).length, 10);
    const all = await read('?reference=K-1');
    assert.equal(all.headers.get('x-rows-truncated'), 'false');
    assert.equal(recordsOf(await all.text()).length, 6);
  });

  it('is continued by a file that begins after its last row, with none lost or twice', async () => {
    const account = await fill(12);
    await serve(account, { rows: 8 });
    const rows = recordsOf(await (await read()).text());
    const further = recordsOf(await (await read(`?startingAfter=${rows.at(-1)?.id ?? ''}`)).text());
    assert.deepEqual([rows.length, further.length], [8, 4]);
    assert.equal(new Set([...rows, ...further].map(({ id }) => id)).size, 12);
    assert.equal((await read('?startingAfter=cus_1')).status, 404);
  });

  it('has no cell that a spreadsheet takes for a formula', async () => {
    const account = await insertMerchantAccount(test.database);
    for (const [index, description] of FORMULAS.entries()) {
      const id = `cus_${String(index).padStart(32, '0')}`;
      await test.database.customer.create({
        data: { id, merchantAccountId: account, environment: 'sandbox', description, name: 'a "b", c\r\nd' },
      });
    }
    await serve(account);
    const rows = recordsOf(await (await read()).text());
    const byId = rows.toSorted((a, b) => String(a.id).localeCompare(String(b.id)));
    assert.deepEqual(
      byId.map(({ description }) => description),
      FORMULAS.map((formula) => `'${formula}`),
    );
    assert.ok(rows.every(({ name }) => name === 'a "b", c\r\nd'));
  });

  it('has no formula for spreadsheets that separate cells by semicolons or tabs', async () => {
    const account = await insertMerchantAccount(test.database);
    const hidden = ['a;', 'a\t', ';', 'a\n', 'a\r\n', 'a;"', 'a; ', 'a;b;'];
    for (const [index, before] of hidden.entries()) {
      const id = `cus_f${String(index).padStart(31, '0')}`;
      const description = `${before}=1+1;${before}@now`;
      await test.database.customer.create({
        data: { id, merchantAccountId: account, environment: 'sandbox', description, name: '1; 2 - 3;\n4' },
      });
    }
    await serve(account);
    const rows = recordsOf(await (await read()).text());
    assert.deepEqual(
      rows.toSorted((a, b) => String(a.id).localeCompare(String(b.id))).map(({ description }) => description),
      hidden.map((before) => `${before}'=1+1;${before}'@now`),
    );
    assert.ok(rows.every(({ name }) => name === '1; 2 - 3;\n4'));
  });

  it('is searched for formulas in linear time', async () => {
    await serve(await fill(1, `a${'\n'.repeat(100_000)}b`));
    const startedAt = performance.now();
    await (await read()).text();
    const elapsedMs = performance.now() - startedAt;
    assert.ok(elapsedMs < 5_000, `${elapsedMs} ms`);
  });

  it('is written a few rows at a time, so that other requests are answered between them', async () => {
    await serve(await fill(500));
    const [response] = (await once(get(urlOf(), { headers: CSV }), 'response')) as [IncomingMessage];
    // Each is a chunk of the response, as the server wrote it.
    const lines: number[] = [];
    response.on('data', (chunk: Buffer) => lines.push(chunk.toString().split('\r\n').length - 1));
    await once(response, 'end');
    assert.equal(
      lines.reduce((sum, each) => sum + each),
      501,
    );
    assert.ok(Math.max(...lines) <= 50, `${lines.join(', ')} lines at once`);
  });

  it('is asked for by Accept alone, and has no pages', async () => {
    await serve(test.account);
    for (const accept of ['application/json', '*/*', 'text/html, */*;q=0.1', 'text/csv;q=0.5, application/json']) {
      const answer = await read('?page=1', { Accept: accept });
      assert.match(answer.headers.get('content-type') ?? '', /json/, accept);
    }
    const refused = await read('?page=1&limit=10');
    assert.equal(refused.status, 422);
    assert.match(await refused.text(), /"field":"page".*"field":"limit"/);
    const empty = await read();
    assert.equal(await empty.text(), `${Object.keys(CUSTOMER_COLUMNS).join(',')}\r\n`);
    for (const accept of ['TEXT/CSV', 'text/csv; charset=utf-8']) {
      const answer = await read('', { Accept: accept });
      assert.match(answer.headers.get('content-type') ?? '', /csv/, accept);
    }
    assert.equal((await read('', { Accept: 'application/xml' })).status, 406);
    const head = await fetch(urlOf(), { method: 'HEAD', headers: CSV });
    assert.deepEqual([head.status, head.headers.get('x-row-limit')], [200, '100000']);
  });

  it('is read no faster than the client takes it, ends when the client leaves, and makes room for the next', async () => {
    const account = await fill(20_000, 'x'.repeat(1_000));
    let batches = 0;
    await serve(account, { batchRows: 50, perMerchant: 1 }, () => void (batches += 1));
    const paused = await new Promise<IncomingMessage>((resolve, reject) => {
      get(urlOf(), { headers: CSV }, resolve).on('error', reject);
    });
    paused.pause();
    const settled = await eventually(async () => {
      const before = batches;
      await new Promise((resolve) => setTimeout(resolve, 300));
      assert.ok(before > 0);
      assert.equal(batches, before);
      return before;
    });
    assert.ok(settled < 400, `all ${settled} batches were read for a client that takes none`);
    const second = await read();
    assert.deepEqual([second.status, second.headers.get('retry-after')], [429, null]);
    assert.match(await second.text(), /too_many_exports/);
    paused.destroy();
    const third = await eventually(async () => {
      const answer = await read('?reference=nothing');
      await answer.text();
      return assert.equal(answer.status, 200);
    });
    assert.equal(third, undefined);
    assert.ok(batches < 400, 'the export went on without its client');
  });

  it('cuts off a client that takes too long', async () => {
    const account = await fill(20_000, 'x'.repeat(1_000));
    await serve(account, { durationMs: 1 });
    await assert.rejects(async () => (await read()).text());
  });
});

describe('the CSV files that a process makes at once', () => {
  it('are two of a merchant, which leaves the others to other merchants, and twenty in all', () => {
    const { acquire } = createCsvExports();
    const refusal = { code: 'RATE_LIMIT_EXCEEDED', message: /at most 2 of a merchant, and 20 of all merchants/ };
    const releases = Array.from({ length: 10 }, (_, merchant) => {
      const releasesOfMerchant = [acquire(`org_${merchant}`), acquire(`org_${merchant}`)];
      assert.throws(() => acquire(`org_${merchant}`), refusal);
      return releasesOfMerchant;
    });
    assert.throws(() => acquire('org_10'), refusal);
    releases[0]?.[0]?.();
    acquire('org_10');
  });
});
