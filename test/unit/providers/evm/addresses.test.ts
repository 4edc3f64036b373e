import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { mnemonicToAccount } from 'viem/accounts';
import { addressAt, isAccountPublicKey } from '../../../../providers/evm/addresses.ts';
import { TEST_XPUB } from '../../../support/evm-chain.ts';

const MNEMONIC = 'test test test test test test test test test test test junk';

describe('addresses of an extended public key', () => {
  it('are those that the wallet itself derives from its private key', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: 2 ** 31 - 1 }), async (addressIndex) => {
        const { address } = mnemonicToAccount(MNEMONIC, { addressIndex });
        assert.equal(await addressAt(TEST_XPUB, addressIndex), address.toLowerCase());
      }),
      { numRuns: 5, examples: [[0], [2 ** 31 - 1]] },
    );
  });

  it('are not derived of a private key, of another level of the wallet or of a mistyped key', () => {
    const wallet = mnemonicToAccount(MNEMONIC).getHdKey();
    assert.ok(isAccountPublicKey(TEST_XPUB));
    assert.ok(!isAccountPublicKey(wallet.privateExtendedKey));
    assert.ok(!isAccountPublicKey(wallet.publicExtendedKey));
    assert.ok(!isAccountPublicKey(`${TEST_XPUB.slice(0, -1)}1`));
    assert.ok(!isAccountPublicKey('xpub'));
  });
});
