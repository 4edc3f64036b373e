import assert from 'node:assert/strict';
import { chown, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'mocha';
import { createDatabase } from '../../../prisma/connection/client.ts';
import { waitForDatabase } from '../../../prisma/connection/wait-for-database.ts';
import { makeCertificates } from '../../support/certificates.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';

describe('a database that speaks TLS', () => {
  let test: TestDatabase;
  let folder: string;

  before(async () => {
    test = await createTestDatabase();
    folder = await mkdtemp(path.join(tmpdir(), 'payment-engine-tls-'));
    const certificates = await makeCertificates();
    await writeFile(path.join(folder, 'authority.pem'), certificates.authority);
    await writeFile(path.join(folder, 'other.pem'), (await makeCertificates()).authority);
    const [{ data_directory: data } = assert.fail()] = await test.database.$queryRaw<
      { data_directory: string }[]
    >`SHOW data_directory`;
    const { uid, gid } = await stat(data);
    for (const [name, content] of Object.entries({
      'server.crt': certificates.server.certificate,
      'server.key': certificates.server.key,
    })) {
      const file = path.join(data, name);
      await writeFile(file, content, { mode: 0o600 });
      await chown(file, uid, gid);
    }
    await setTls('on');
  });
  after(async () => {
    await setTls('off');
    await rm(folder, { recursive: true, force: true });
    await test.close();
  });

  async function setTls(value: 'on' | 'off'): Promise<void> {
    await test.database.$executeRawUnsafe(`ALTER SYSTEM SET ssl = ${value}`);
    await test.database.$executeRaw`SELECT pg_reload_conf()`;
    await eventually(async () => assert.deepEqual(await test.database.$queryRaw`SHOW ssl`, [{ ssl: value }]));
  }

  function addressWith(query: Readonly<Record<string, string>>): string {
    const url = new URL(test.url);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    return url.href;
  }

  const verified = (authority: string) => ({ sslmode: 'verify-full', sslrootcert: path.join(folder, authority) });

  it('is used over TLS by every connection', async () => {
    const url = addressWith(verified('authority.pem'));
    await waitForDatabase(url);
    const database = createDatabase({ url, poolSize: 1 });
    try {
      const rows = await database.$queryRaw`SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()`;
      assert.deepEqual(rows, [{ ssl: true }]);
    } finally {
      await database.$disconnect();
    }
  });

  it('is refused when its certificate is of another authority', async () => {
    const refused = waitForDatabase(addressWith(verified('other.pem')), { giveUpAfterMs: 0 });
    await assert.rejects(refused, /certificate/i);
  });
});
