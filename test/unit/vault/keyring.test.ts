import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { ENVIRONMENTS } from '../../../domain/payment.ts';
import { SealBrokenError } from '../../../vault/envelope.ts';
import { parseKeyring, type Purpose, PURPOSES, type SealContext } from '../../../vault/keyring.ts';
import { KeysFormatError } from '../../../domain/named-keys.ts';

const newKey = (id: string) => `${id}:${randomBytes(32).toString('base64')}`;
const ROW: SealContext = { purpose: 'storedResponse', environment: 'sandbox', associatedData: 'row' };
const FINGERPRINT = { purpose: 'requestFingerprint', environment: 'sandbox' } as const;
const contextOf = (associatedData: string): SealContext => ({ ...ROW, associatedData });
const USES = (Object.keys(PURPOSES) as Purpose[]).flatMap((purpose) =>
  ENVIRONMENTS.map((environment) => ({ purpose, environment })),
);

describe('keyring', () => {
  const keyring = parseKeyring(newKey('k1'));
  const bytes = fc.uint8Array({ maxLength: 300 });

  it('opens what it sealed', () => {
    fc.assert(
      fc.property(bytes, fc.string(), (data, associated) => {
        const context = contextOf(associated);
        assert.deepEqual(keyring.open(keyring.seal(data, context), context), Buffer.from(data));
      }),
    );
  });

  it('never encrypts the same data to the same bytes', () => {
    const [first, second] = [keyring.seal(Buffer.from('x'), ROW), keyring.seal(Buffer.from('x'), ROW)];
    assert.notDeepEqual(first.ciphertext, second.ciphertext);
  });

  it('rejects a sealed value with any one bit flipped', () => {
    fc.assert(
      fc.property(bytes, fc.nat(), (data, position) => {
        const { keyId, ciphertext } = keyring.seal(data, ROW);
        const bit = position % (ciphertext.length * 8);
        ciphertext.set([(ciphertext.at(bit >> 3) ?? 0) ^ (1 << (bit & 7))], bit >> 3);
        assert.throws(() => keyring.open({ keyId, ciphertext }, ROW), SealBrokenError);
      }),
    );
  });

  it('rejects other associated data, and a truncated value', () => {
    const sealed = keyring.seal(Buffer.from('4242'), contextOf('pm_1'));
    assert.throws(() => keyring.open(sealed, contextOf('pm_2')), SealBrokenError);
    for (const length of [0, 11, 27, 59, 60, 87, sealed.ciphertext.length - 1]) {
      const cut = { keyId: sealed.keyId, ciphertext: sealed.ciphertext.subarray(0, length) };
      assert.throws(() => keyring.open(cut, contextOf('pm_1')), SealBrokenError);
    }
  });

  it('opens nothing that was sealed for another purpose or environment', () => {
    for (const use of USES) {
      const sealed = keyring.seal(Buffer.from('x'), { ...use, associatedData: 'row' });
      for (const other of USES) {
        const open = () => keyring.open(sealed, { ...other, associatedData: 'row' }).toString();
        if (other === use) assert.equal(open(), 'x');
        else assert.throws(open, SealBrokenError);
      }
    }
  });

  it('has one key for each purpose and environment, so that no two digests of the same data are equal', () => {
    const digests = USES.map((use) => keyring.fingerprints(Buffer.from('x'), use)[0]);
    assert.equal(new Set(digests).size, USES.length);
  });

  it('seals with the newest key and opens values of older keys', () => {
    const [older, newer] = [newKey('2025'), newKey('2026')];
    const before = parseKeyring(older).seal(Buffer.from('kept'), ROW);
    const rotated = parseKeyring(`${newer},\n${older}\n`);
    assert.equal(rotated.open(before, ROW).toString(), 'kept');
    assert.equal(rotated.seal(Buffer.from('new'), ROW).keyId, 'root:2026');
    assert.throws(() => parseKeyring(newer).open(before, ROW), SealBrokenError);
  });

  it('moves a value to the newest key without encrypting it anew, for this place only', () => {
    const [older, newer] = [newKey('2025'), newKey('2026')];
    const before = parseKeyring(older).seal(Buffer.from('kept'), ROW);
    const rotated = parseKeyring(`${newer},${older}`);
    const moved = rotated.rewrap(before, ROW);
    assert.ok(moved !== null);
    assert.equal(moved.keyId, 'root:2026');
    assert.deepEqual(moved.ciphertext.subarray(60), before.ciphertext.subarray(60));
    assert.notDeepEqual(moved.ciphertext.subarray(0, 60), before.ciphertext.subarray(0, 60));
    assert.equal(parseKeyring(newer).open(moved, ROW).toString(), 'kept');
    assert.equal(rotated.rewrap(moved, ROW), null);
    assert.throws(() => rotated.rewrap(before, contextOf('other row')), SealBrokenError);
    assert.throws(() => parseKeyring(newer).rewrap(before, ROW), SealBrokenError);
  });

  it('fingerprints equal data equally, also after a rotation of the keys', () => {
    const [older, newer] = [newKey('2025'), newKey('2026')];
    const fingerprints = (keys: string, data = 'body') =>
      parseKeyring(keys).fingerprints(Buffer.from(data), FINGERPRINT);
    const [before] = fingerprints(older);
    const after = fingerprints(`${newer},${older}`);
    assert.equal(after[1], before);
    assert.notEqual(after[0], before);
    assert.match(after[0], /^2026:[0-9a-f]{64}$/);
    assert.notDeepEqual(fingerprints(older), fingerprints(older, 'other'));
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
        (error) => error instanceof KeysFormatError && (text === '' || !error.message.includes(text)),
      );
    });
  }
});
