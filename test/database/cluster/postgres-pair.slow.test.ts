import assert from 'node:assert/strict';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import pg from 'pg';
import { type PostgresPair, startPostgresPair } from '../../../cluster/postgres-pair.ts';
import { readTemporaryStackConfig } from '../../../config/sandbox.ts';
import { MINUTE_MS } from '../../../domain/time.ts';
import { createSupervisor, type Supervisor } from '../../../sandbox/stack/supervisor.ts';
import { eventually } from '../../support/eventually.ts';

const password = 'secret';

describe('a PostgreSQL server with a standby', function () {
  this.timeout(3 * MINUTE_MS);

  let folder: string;
  let supervisor: Supervisor;
  let pair: PostgresPair;

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'payment-cluster-'));
    await chmod(folder, 0o711);
    supervisor = createSupervisor({ dataDir: folder, report: () => undefined });
    const { settings } = readTemporaryStackConfig();
    pair = await startPostgresPair({ supervisor, folder, name: 'engine', password, settings, standby: 'synchronous' });
    await pair.startStandby();
  });

  afterEach(async () => {
    await pair.close();
    await supervisor.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const connect = async (): Promise<pg.Client> => {
    const client = new pg.Client({ host: '127.0.0.1', port: pair.port, user: 'postgres', password });
    client.on('error', () => undefined);
    await client.connect();
    return client;
  };

  /** Inserts numbers one after the other until the connection breaks. @returns those that were acknowledged */
  const insertUntilCut = async (client: pg.Client, acknowledged: number[]): Promise<void> => {
    for (let number = 1; ; number += 1) {
      try {
        await client.query('INSERT INTO paid VALUES ($1)', [number]);
        acknowledged.push(number);
      } catch {
        return;
      }
    }
  };

  it('loses nothing that was acknowledged when the primary is killed and the standby promoted', async () => {
    const writer = await connect();
    await writer.query('CREATE TABLE paid (number integer)');
    const acknowledged: number[] = [];
    const cut = insertUntilCut(writer, acknowledged);
    await eventually(async () => assert.ok(acknowledged.length > 50));
    await pair.failOver();
    await cut;
    const reader = await connect();
    const { rows } = await reader.query<{ number: number }>('SELECT number FROM paid ORDER BY number');
    const kept = new Set(rows.map(({ number }) => number));
    assert.deepEqual(
      acknowledged.filter((number) => !kept.has(number)),
      [],
    );
    await reader.query('INSERT INTO paid VALUES (0)');
    await reader.end();
  });
});
