import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, it } from 'mocha';
import { clientSecretsOf } from '../../../vault/client-secret.ts';
import { parseKeyring } from '../../../vault/keyring.ts';

describe('client secret', () => {
  const newKey = (id: string) => `${id}:${randomBytes(32).toString('base64')}`;

  it("is the intent's id and 48 letters and digits", () => {
    const [secret] = clientSecretsOf(parseKeyring(newKey('k')), 'pi_1');
    assert.match(secret ?? '', /^pi_1_secret_[0-9A-Za-z]{48}$/);
  });

  it('is the same for a repeated creation, and different for every other intent and installation', () => {
    const key = newKey('k');
    assert.deepEqual(clientSecretsOf(parseKeyring(key), 'pi_1'), clientSecretsOf(parseKeyring(key), 'pi_1'));
    const secrets = [key, newKey('k')].flatMap((keys) =>
      ['pi_1', 'pi_2'].flatMap((id) => clientSecretsOf(parseKeyring(keys), id).map((secret) => secret.slice(12))),
    );
    assert.equal(new Set(secrets).size, 4);
  });

  it('is found again after a rotation of the vault keys', () => {
    const [older, newer] = [newKey('2025'), newKey('2026')];
    const [before] = clientSecretsOf(parseKeyring(older), 'pi_1');
    assert.equal(clientSecretsOf(parseKeyring(`${newer},${older}`), 'pi_1')[1], before);
  });
});
