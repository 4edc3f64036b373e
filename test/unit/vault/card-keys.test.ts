import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { createCardKeyring, parseCardPublicKey, publicKeyOf } from '../../../vault/card-keys.ts';
import { SealBrokenError } from '../../../vault/envelope.ts';
import { KeysFormatError } from '../../../domain/named-keys.ts';

const newKey = (id: string) => ({ id, bytes: randomBytes(32) });
const ROW = { environment: 'sandbox', associatedData: 'pm_1' } as const;

describe('card keys', () => {
  const key = newKey('c1');
  const cards = createCardKeyring([key]);
  const sealer = parseCardPublicKey(publicKeyOf(key));

  it('seal with the public key what only the private key opens', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (data) => {
        assert.deepEqual(cards.open(sealer.seal(data, ROW), ROW), Buffer.from(data));
      }),
      { numRuns: 30 },
    );
    assert.deepEqual(Object.keys(sealer), ['seal']);
    assert.ok(!publicKeyOf(key).includes(key.bytes.toString('base64').slice(0, 20)));
    const others = createCardKeyring([newKey('c1')]);
    assert.throws(() => others.open(sealer.seal(Buffer.from('4242'), ROW), ROW), SealBrokenError);
  });

  it('do not open with a root key, nor with another id', () => {
    const { ciphertext } = sealer.seal(Buffer.from('4242'), ROW);
    for (const keyId of ['c1', 'root:c1', 'card:c2']) {
      assert.throws(() => cards.open({ keyId, ciphertext }, ROW), SealBrokenError);
    }
  });

  it('open nothing of another environment or row, and nothing that was changed', () => {
    const sealed = sealer.seal(Buffer.from('4242'), ROW);
    assert.throws(() => cards.open(sealed, { ...ROW, environment: 'production' }), SealBrokenError);
    assert.throws(() => cards.open(sealed, { ...ROW, associatedData: 'pm_2' }), SealBrokenError);
    for (const position of [0, 40, 79, 85, sealed.ciphertext.length - 1]) {
      const changed = Uint8Array.from(sealed.ciphertext);
      changed[position] = (changed[position] ?? 0) ^ 1;
      assert.throws(() => cards.open({ ...sealed, ciphertext: changed }, ROW), SealBrokenError);
    }
    for (const length of [0, 79, 80, 100]) {
      const cut = { ...sealed, ciphertext: sealed.ciphertext.subarray(0, length) };
      assert.throws(() => cards.open(cut, ROW), SealBrokenError);
    }
  });

  it('move a value to the newest key without encrypting it anew', () => {
    const newer = newKey('c2');
    const rotated = createCardKeyring([newer, key]);
    const before = sealer.seal(Buffer.from('4242'), ROW);
    assert.equal(rotated.open(before, ROW).toString(), '4242');
    const moved = rotated.rewrap(before, ROW);
    assert.ok(moved !== null && moved.keyId === 'card:c2');
    assert.deepEqual(moved.ciphertext.subarray(80), before.ciphertext.subarray(80));
    assert.equal(createCardKeyring([newer]).open(moved, ROW).toString(), '4242');
    assert.equal(rotated.rewrap(moved, ROW), null);
    assert.throws(() => rotated.rewrap(before, { ...ROW, associatedData: 'pm_2' }), SealBrokenError);
  });

  it('are rejected in another form', () => {
    const { id, bytes } = key;
    for (const text of ['', `${id}:${bytes.toString('base64')}`, `${publicKeyOf(key)},${publicKeyOf(newKey('c2'))}`]) {
      assert.throws(() => parseCardPublicKey(text), KeysFormatError);
    }
  });
});
