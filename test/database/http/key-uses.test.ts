import assert from 'node:assert/strict';
import { before, describe, it } from 'mocha';
import pino from 'pino';
import { createKeyUses } from '../../../http/key-uses.ts';
import { keyUsesByAddress, keyUsesByOperation } from '../../../prisma/queries/key-use.ts';
import { newId } from '../../../domain/new-id.ts';
import { useAccount } from '../../support/account-fixture.ts';
import { insertApiKey } from '../../support/payment-rows.ts';

const READ = 'GET /payment-intents/{id}';
const REFUND = 'POST /refunds';

describe('the uses of an API key', () => {
  const test = useAccount();
  let apiKeyId: string;

  before(async () => {
    apiKeyId = await insertApiKey(test.database, test.account);
  });

  const openUses = () => createKeyUses(test.database, pino({ level: 'silent' }));
  const lastUse = async () => {
    const { lastUsedAt, lastUsedFrom, version } = await test.database.apiKey.findUniqueOrThrow({
      where: { id: apiKeyId },
    });
    return { isDated: lastUsedAt !== null, lastUsedFrom, version };
  };

  it('are counted by address and operation, reads too, with the last one at the key, over all processes', async () => {
    assert.deepEqual(await lastUse(), { isDated: false, lastUsedFrom: null, version: 0 });
    const [first, second] = [openUses(), openUses()];
    for (let request = 0; request < 3; request += 1) {
      first.note({ apiKeyId, address: '192.0.2.1', operation: READ, isRefused: false });
    }
    first.note({ apiKeyId: newId('person'), address: '192.0.2.9', operation: READ, isRefused: false });
    first.note({ apiKeyId: newId('apiKey'), address: '192.0.2.9', operation: READ, isRefused: false });
    await first.close();
    second.note({ apiKeyId, address: '198.51.100.7', operation: READ, isRefused: false });
    second.note({ apiKeyId, address: '198.51.100.7', operation: REFUND, isRefused: true });
    await second.close();

    assert.deepEqual(await lastUse(), { isDated: true, lastUsedFrom: '198.51.100.7', version: 0 });
    const counts = ({ requests, refused }: { requests: number; refused: number }) => [requests, refused];
    const byAddress = await test.database.direct.rows(keyUsesByAddress(apiKeyId, 10));
    assert.deepEqual(
      byAddress.map((row) => [row.address, ...counts(row)]),
      [
        ['198.51.100.7', 2, 1],
        ['192.0.2.1', 3, 0],
      ],
    );
    const byOperation = await test.database.direct.rows(keyUsesByOperation(apiKeyId, 10));
    assert.deepEqual(
      byOperation.map((row) => [row.operation, ...counts(row)]),
      [
        [READ, 4, 0],
        [REFUND, 1, 1],
      ],
    );
  });

  it('take a limited number of rows, from however many addresses the key is used', async () => {
    const key = await insertApiKey(test.database, test.account);
    const uses = openUses();
    for (let host = 0; host < 1_000; host += 1) {
      uses.note({ apiKeyId: key, address: `2001:db8::${host.toString(16)}`, operation: READ, isRefused: false });
    }
    await uses.close();
    const rows = await test.database.apiKeyUse.findMany({ where: { apiKeyId: key } });
    assert.equal(rows.length, 201);
    assert.equal(rows.find(({ address }) => address === 'others')?.requests, 800);
  });

  it('are one statement a key, whatever the number of requests', async () => {
    let statements = 0;
    const direct = { ...test.database.direct, execute: () => Promise.resolve((statements += 1)) };
    const uses = createKeyUses({ direct }, pino({ level: 'silent' }));
    for (let request = 0; request < 500; request += 1) {
      uses.note({ apiKeyId, address: '192.0.2.1', operation: READ, isRefused: false });
    }
    assert.equal(statements, 0);
    await uses.close();
    assert.equal(statements, 1);
  });
});
