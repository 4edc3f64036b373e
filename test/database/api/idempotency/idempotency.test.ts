import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, it } from 'mocha';
import { claimKey, type ClaimedExecution, type IdempotentRequest } from '../../../../api/idempotency/idempotency.ts';
import { jsonResponse } from '../../../../http/response.ts';
import { parseKeyring } from '../../../../vault/keyring.ts';
import { useTestDatabase } from '../../../support/database.ts';

const LOCK_MS = 200;

describe('the idempotency key of a request whose process was paused', () => {
  const keyring = parseKeyring(`k:${Buffer.alloc(32, 7).toString('base64')}`);
  const test = useTestDatabase();
  let keys = 0;

  const claim = (request: IdempotentRequest, lockMs: number) =>
    claimKey({ database: test.database, keyring, lockMs }, request, 're_1');

  async function claimed(request: IdempotentRequest, lockMs: number): Promise<ClaimedExecution> {
    const found = await claim(request, lockMs);
    assert.equal(found.kind, 'claimed');
    return found.claimed;
  }

  /** A request, and its repeat, which has claimed the key since the lock of the first one expired. */
  async function paused() {
    const request: IdempotentRequest = {
      merchantAccountId: 'mer_1',
      environment: 'sandbox',
      key: `order ${(keys += 1)}`,
      method: 'POST',
      target: '/api/v1/refunds',
      rawBody: Buffer.from('{}'),
      callerSecret: Buffer.from('salt of the caller'),
    };
    const first = await claimed(request, LOCK_MS);
    await wait(2 * LOCK_MS);
    const repeat = await claimed(request, 60_000);
    return { request, first, repeat };
  }

  it('keeps the response of the repeat', async () => {
    const { request, first, repeat } = await paused();
    assert.equal(await first.storeResponse({ status: 409, body: '{}' }), false);
    await assert.rejects(claim(request, LOCK_MS), { code: 'DUPLICATE_REQUEST' });
    assert.equal(await repeat.storeResponse(jsonResponse(201, { id: 're_1' })), true);
    const replayed = await claim(request, LOCK_MS);
    assert.equal(replayed.kind === 'replay' ? replayed.response.status : null, 201);
  });

  it('does not make the next repeat another execution', async () => {
    const { request, first, repeat } = await paused();
    assert.equal(await first.endExecution(422), false);
    await assert.rejects(claim(request, LOCK_MS), { code: 'DUPLICATE_REQUEST' });
    assert.equal(await repeat.releaseLock(), true);
    const next = await claimed(request, LOCK_MS);
    assert.deepEqual(next.execution, repeat.execution);
  });

  it('stays locked until the repeat has ended', async () => {
    const { request, first } = await paused();
    assert.equal(await first.releaseLock(), false);
    await assert.rejects(claim(request, LOCK_MS), { code: 'DUPLICATE_REQUEST' });
  });
});
