import assert from 'node:assert/strict';
import { before, describe, it } from 'mocha';
import { claimKey, type IdempotentRequest } from '../../../api/idempotency/idempotency.ts';
import { responseWithSecrets } from '../../../http/response.ts';
import { parseKeyring } from '../../../vault/keyring.ts';
import { storedResponseContext } from '../../../vault/stored-response.ts';
import { useTestDatabase } from '../../support/database.ts';

const SECRET = 'whsec_of_a_test';
const RESPONSE = responseWithSecrets(201, { id: 'whe_1' }, { secret: SECRET });

describe('stored responses with secrets', () => {
  const keyring = parseKeyring(`k:${Buffer.alloc(32, 7).toString('base64')}`);
  const test = useTestDatabase();
  const request: IdempotentRequest = {
    merchantAccountId: 'mer_1',
    environment: 'sandbox',
    key: 'order 1',
    method: 'POST',
    target: '/api/v1/webhook-endpoints',
    rawBody: Buffer.from('{}'),
    callerSecret: Buffer.from('salt of the caller'),
  };

  before(async () => {
    const claim = await claimKey(dependencies(), request, 'whe_1');
    assert.equal(claim.kind, 'claimed');
    await claim.claimed.storeResponse(RESPONSE);
  });

  const dependencies = () => ({ database: test.database, keyring, lockMs: 1_000 });
  const replay = async (callerSecret: string) => {
    const claim = await claimKey(dependencies(), { ...request, callerSecret: Buffer.from(callerSecret) }, 'whe_2');
    assert.equal(claim.kind, 'replay');
    return claim.response.body;
  };

  it('are replayed as they were to the same caller', async () => {
    assert.equal(await replay('salt of the caller'), RESPONSE.body);
  });

  it('are replayed to others without the secrets, and say why', async () => {
    const { data } = JSON.parse(await replay('salt of another key')) as { data: object };
    const { notice, ...shown } = data as { notice: string };
    assert.deepEqual(shown, { id: 'whe_1', secret: null });
    assert.match(notice, /shown once/);
  });

  it('cannot be read with the keys of the installation', async () => {
    const row = await test.database.idempotencyRecord.findFirstOrThrow();
    const { responseKeyId: keyId, responseBody, responseSecretBody } = row;
    assert.ok(keyId !== null && responseBody !== null && responseSecretBody !== null);
    const context = storedResponseContext(request);
    assert.doesNotMatch(keyring.open({ keyId, ciphertext: responseBody }, context).toString(), /whsec/);
    assert.throws(() => keyring.open({ keyId, ciphertext: responseSecretBody }, context));
  });
});
