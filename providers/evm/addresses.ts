import { ECDH } from 'node:crypto';
import { HDKey } from '@scure/bip32';

/** The part of a wallet whose addresses are given to payers (BIP 44). */
const EXTERNAL_CHAIN = 0;

/** Whether this is the extended public key of an account (`m/44'/60'/n'`), without a private key. */
export function isAccountPublicKey(extendedKey: string): boolean {
  try {
    const { depth, privateKey } = HDKey.fromExtendedKey(extendedKey);
    return depth === ACCOUNT_DEPTH && privateKey === null;
  } catch {
    return false;
  }
}

const ACCOUNT_DEPTH = 3;

/** Whether this begins like an extended private key. */
export function isPrivateKey(extendedKey: string): boolean {
  return /^\s*[a-z]prv/i.test(extendedKey);
}

/**
 * The address at `m/44'/60'/n'/0/index` of the account with that extended public key.
 * @param index from 0 to 2³¹ − 1
 * @returns `0x…`, lower case
 */
export async function addressAt(extendedPublicKey: string, index: number): Promise<string> {
  // Loaded late, because it takes 0.2 s: most installations have no such account.
  const { publicKeyToAddress } = await import('viem/utils');
  const account = HDKey.fromExtendedKey(extendedPublicKey);
  const { publicKey } = account.deriveChild(EXTERNAL_CHAIN).deriveChild(index);
  if (publicKey === null) throw new Error('an extended public key has a public key');
  const point = ECDH.convertKey(publicKey, 'secp256k1', undefined, 'hex', 'uncompressed');
  return publicKeyToAddress(`0x${String(point)}`).toLowerCase();
}
