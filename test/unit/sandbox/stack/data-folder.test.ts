import assert from 'node:assert/strict';
import { chmod, chown, mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'mocha';
import { lockDataFolder, prepareDataFolder, provideSecrets } from '../../../../sandbox/stack/data-folder.ts';
import { userMessageOf } from '../../../../sandbox/stack/explain-error.ts';
import { publicKeyOf } from '../../../../vault/card-keys.ts';
import { parsePlainKeys } from '../../../../domain/named-keys.ts';

describe('data folder', () => {
  let parent: string;

  before(async () => {
    parent = await mkdtemp(path.join(tmpdir(), 'payment-engine-data-'));
  });
  after(() => rm(parent, { recursive: true, force: true }));

  const messageOf = (failing: Promise<unknown>): Promise<string> =>
    failing.then(
      () => 'none',
      (error: unknown) => userMessageOf(error) ?? `not a user error: ${String(error)}`,
    );

  it('is created, with its parent folders, and exists after any number of calls', async () => {
    const folder = path.join(parent, 'a', 'b');
    await Promise.all([prepareDataFolder(folder), prepareDataFolder(folder)]);
    assert.ok((await stat(folder)).isDirectory());
  });

  it('is closed to other users, with all that is in it, whatever it was before', async () => {
    const folder = path.join(parent, 'open');
    const places = ['.', 'logs', 'logs/api.log', 'secrets.json', 'postgres', 'simulators', 'simulators/alpha.jsonl'];
    for (const name of ['logs', 'simulators', 'postgres']) await mkdir(path.join(folder, name), { recursive: true });
    for (const name of places) {
      if (path.extname(name) !== '') await writeFile(path.join(folder, name), '');
      await chmod(path.join(folder, name), 0o777);
    }
    for (const group of [0, 0o010]) {
      await chmod(folder, 0o767 | group);
      await prepareDataFolder(folder);
      const modes = await Promise.all(places.map(async (name) => (await stat(path.join(folder, name))).mode & 0o777));
      const isRoot = process.getuid?.() === 0;
      const expected = [isRoot ? 0o700 | group : 0o700, 0o700, 0o600, 0o600, 0o700, 0o700, 0o600];
      assert.deepEqual(modes, expected);
    }
  });

  it('is rejected with a user error if it belongs to another user', async function () {
    if (process.getuid?.() !== 0) this.skip();
    const folder = path.join(parent, 'foreign');
    await mkdir(folder);
    await chown(folder, 12_345, 12_345);
    assert.match(await messageOf(prepareDataFolder(folder)), /^The data folder .* belongs to another user/);
  });

  it('is rejected with a user error if it cannot be created', async () => {
    const file = path.join(parent, 'file');
    await writeFile(file, '');
    assert.match(await messageOf(prepareDataFolder(file)), /^There is a file where the data folder should be\./);
    assert.match(await messageOf(prepareDataFolder(path.join(file, 'below'))), /^There is a file /);
  });

  it('is rejected with a user error below /proc', async function () {
    if (process.platform !== 'linux') this.skip();
    assert.match(await messageOf(prepareDataFolder('/proc/payment-engine/data')), /^The data folder cannot be made/);
  });

  it('is locked by one process at a time', async () => {
    const unlock = await lockDataFolder(parent);
    assert.match(await messageOf(lockDataFolder(parent)), /^The payment engine already runs with this data folder/);
    unlock();
    const unlockAgain = await lockDataFolder(parent);
    unlockAgain();
  });

  it('gives each simulator secrets of its own, a pair of card keys, and keeps them', async () => {
    const folder = path.join(parent, 'fresh');
    await prepareDataFolder(folder);
    const secrets = await provideSecrets(folder);
    const { alpha, beta } = secrets.simulators;
    assert.ok(alpha.apiKey !== beta.apiKey && alpha.webhookSecret !== beta.webhookSecret);
    assert.equal(new Set(Object.values(secrets.databasePasswords)).size, 5);
    assert.equal(publicKeyOf(parsePlainKeys(secrets.cardKeys)[0]), secrets.cardPublicKey);
    assert.deepEqual(await provideSecrets(folder), secrets);
  });

  it('has an error message for damaged data that says how to keep it and how to start with empty data', async () => {
    await writeFile(path.join(parent, 'secrets.json'), '{');
    const message = await messageOf(provideSecrets(parent));
    assert.match(message, /is damaged: .*secrets\.json .*move the folder aside.*npm start -- --fresh$/);
  });
});
