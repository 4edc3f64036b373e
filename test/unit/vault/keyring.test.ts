import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { KeyringFormatError, parseKeyring, SealBrokenError } from '../../../vault/keyring.ts';

const newKey = (id: string) => `${id}:${randomBytes(32).toString('base64')}`;

describe('keyring', () => {
  const keyring = parseKeyring(newKey('k1'));
  const bytes = fc.uint8Array({ maxLength: 300 });

  it('opens what it sealed', () => {
    fc.assert(
      fc.property(bytes, fc.string(), (data, associated) => {
        assert.deepEqual(keyring.open(keyring.seal(data, associated), associated), Buffer.from(data));
      }),
    );
  });

  it('never encrypts the same data to the same bytes', () => {
    const [first, second] = [keyring.seal(Buffer.from('x'), 'a'), keyring.seal(Buffer.from('x'), 'a')];
    assert.notDeepEqual(first.ciphertext, second.ciphertext);
  });

  it('rejects a sealed value with any one bit flipped', () => {
    fc.assert(
      fc.property(bytes, fc.nat(), (data, position) => {
        const { keyId, ciphertext } = keyring.seal(data, 'row');
        const bit = position % (ciphertext.length * 8);
        ciphertext.set([(ciphertext.at(bit >> 3) ?? 0) ^ (1 << (bit & 7))], bit >> 3);
        assert.throws(() => keyring.open({ keyId, ciphertext }, 'row'), SealBrokenError);
      }),
    );
  });

  it('rejects other associated data, and a truncated value', () => {
    const sealed = keyring.seal(Buffer.from('4242'), 'pm_1');
    assert.throws(() => keyring.open(sealed, 'pm_2'), SealBrokenError);
    for (const length of [0, 11, 27, sealed.ciphertext.length - 1]) {
      const cut = { keyId: sealed.keyId, ciphertext: sealed.ciphertext.subarray(0, length) };
      assert.throws(() => keyring.open(cut, 'pm_1'), SealBrokenError);
    }
  });

  it('seals with the newest key and opens values of older keys', () => {
    const [older, newer] = [newKey('2025'), newKey('2026')];
    const before = parseKeyring(older).seal(Buffer.from('kept'), 'row');
    const rotated = parseKeyring(`${newer},\n${older}\n`);
    assert.equal(rotated.open(before, 'row').toString(), 'kept');
    assert.equal(rotated.seal(Buffer.from('new'), 'row').keyId, '2026');
    assert.throws(() => parseKeyring(newer).open(before, 'row'), SealBrokenError);
  });

  it('fingerprints equal data equally, also after a rotation of the keys', () => {
    const [older, newer] = [newKey('2025'), newKey('2026')];
    const [before] = parseKeyring(older).fingerprints(Buffer.from('body'));
    const after = parseKeyring(`${newer},${older}`).fingerprints(Buffer.from('body'));
    assert.equal(after[1], before);
    assert.notEqual(after[0], before);
    assert.notDeepEqual(keyring.fingerprints(Buffer.from('body')), keyring.fingerprints(Buffer.from('other')));
  });

  it('derives the same secret for the same label only', () => {
    assert.deepEqual(keyring.deriveSecrets('pi_1', 48), keyring.deriveSecrets('pi_1', 48));
    assert.notDeepEqual(keyring.deriveSecrets('pi_1', 48), keyring.deriveSecrets('pi_2', 48));
  });

  for (const [what, text] of [
    ['nothing', ''],
    ['no id', randomBytes(32).toString('base64')],
    ['a short key', `k:${randomBytes(31).toString('base64')}`],
    ['a long key', `k:${randomBytes(33).toString('base64')}`],
    ['text that is not base64', `k:${'!'.repeat(44)}`],
    ['one id twice', `${newKey('k')},${newKey('k')}`],
  ] as const) {
    it(`rejects ${what}, without repeating the text`, () => {
      assert.throws(
        () => parseKeyring(text),
        (error) => error instanceof KeyringFormatError && (text === '' || !error.message.includes(text)),
      );
    });
  }
});
