import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { createSecretFinder } from '../../../../chaos/snapshot/secrets.ts';

const CARD = '4242424242424242';
const RANDOM = 'abcdefghijklmnopqrstuvwx0123456789ABCDEFGHIJKLMN';
const CLIENT_SECRET = `pi_0192aabbccddeeff00112233445566_secret_${RANDOM}`;
const find = createSecretFinder([{ what: 'a card', value: CARD }], [CLIENT_SECRET]);

describe('the search for secrets', () => {
  it('finds them in plain text and in hexadecimal', () => {
    assert.deepEqual(find(`x${CARD}y`), ['a card']);
    assert.deepEqual(find(`\\x${Buffer.from(`n=${CARD}`).toString('hex')}`), ['a card, in hexadecimal']);
  });

  it('finds text that has the form of a secret', () => {
    assert.deepEqual(find('{"cvc":"737"}'), ['a CVC']);
    assert.deepEqual(find('{\\"cvc\\": 1234}'), ['a CVC']);
    assert.deepEqual(find(`whsec_${'A'.repeat(32)}`), ['a webhook secret']);
    assert.deepEqual(find(`svc_test_${'A'.repeat(32)}`), ['an API key']);
    assert.deepEqual(find(`pi_${'0'.repeat(32)}_secret_`), ['a client secret']);
  });

  it('finds each meaningful part of a client secret', () => {
    for (const part of [RANDOM, RANDOM.slice(0, 24), RANDOM.slice(24)]) {
      assert.deepEqual(find(`salt=${part};`), ['a part of a client secret']);
    }
  });

  it('ignores ids, prefixes and null values', () => {
    const harmless = `pi_${'0'.repeat(32)} evt_${'1'.repeat(32)} svc_test_abcd "cvc":null "last4":"4242"`;
    assert.deepEqual(find(harmless), []);
  });
});
