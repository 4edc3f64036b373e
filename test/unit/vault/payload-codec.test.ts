import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { defaultPayloadConverter, type Payload } from '@temporalio/common';
import { describe, it } from 'mocha';
import { SealBrokenError } from '../../../vault/envelope.ts';
import { parseKeyring } from '../../../vault/keyring.ts';
import { createPayloadCodec } from '../../../vault/payload-codec.ts';

const newKey = (id: string): string => `${id}:${randomBytes(32).toString('base64')}`;

describe('payload codec', () => {
  const key = newKey('k1');
  const encrypting = createPayloadCodec(parseKeyring(key), { encrypts: true });
  const switchedOff = createPayloadCodec(parseKeyring(key), { encrypts: false });
  const payload = defaultPayloadConverter.toPayload({ description: 'Lamp for Ms Zaphira' });

  const sealed = async (): Promise<Payload> => {
    const [encrypted] = await encrypting.encode([payload]);
    assert.ok(encrypted);
    return encrypted;
  };
  const valuesOf = (payloads: Payload[]): unknown[] =>
    payloads.map((each) => defaultPayloadConverter.fromPayload<unknown>(each));

  it('returns what it has encrypted, and shows only the id of the key', async () => {
    const encrypted = await sealed();
    assert.deepEqual(Object.keys(encrypted.metadata ?? {}), ['encoding', 'encryption-key-id']);
    assert.equal(Buffer.from(encrypted.metadata?.encoding ?? []).toString(), 'binary/encrypted');
    assert.ok(!Buffer.from(encrypted.data ?? []).includes('Zaphira'));
    assert.deepEqual(valuesOf(await encrypting.decode([encrypted])), valuesOf([payload]));
  });

  it('reads payloads that were never encrypted', async () => {
    assert.deepEqual(await encrypting.decode([payload]), [payload]);
  });

  it('reads encrypted payloads after it was switched off, and encrypts no more', async () => {
    assert.deepEqual(valuesOf(await switchedOff.decode([await sealed()])), valuesOf([payload]));
    assert.deepEqual(await switchedOff.encode([payload]), [payload]);
  });

  it('reads payloads under an older key', async () => {
    const rotated = createPayloadCodec(parseKeyring(`${newKey('k2')},${key}`), { encrypts: true });
    assert.deepEqual(valuesOf(await rotated.decode([await sealed()])), valuesOf([payload]));
  });

  it('refuses a payload that was changed, or whose key is missing', async () => {
    const { metadata, data } = await sealed();
    const changed = Uint8Array.from(data ?? []);
    changed[changed.length - 1] = (changed.at(-1) ?? 0) ^ 1;
    await assert.rejects(encrypting.decode([{ metadata: metadata ?? {}, data: changed }]), SealBrokenError);
    const withoutKey = createPayloadCodec(parseKeyring(newKey('k2')), { encrypts: true });
    await assert.rejects(withoutKey.decode([await sealed()]), SealBrokenError);
  });
});
