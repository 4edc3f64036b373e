import { createHash } from 'node:crypto';

/**
 * The form of addresses and transactions on each network. All are invented: Bitcoin's belong to the test network, the
 * others begin with a marker, and none has a valid checksum.
 */
interface Network {
  readonly confirmationsRequired: number;
  readonly addressPrefix: string;
  readonly addressAlphabet: string;
  readonly addressLength: number;
  readonly hashPrefix: string;
}

const HEXADECIMAL = '0123456789abcdef';
const BECH32 = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l';
const BASE58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const HASH_LENGTH = 64;

const ETHEREUM: Network = {
  confirmationsRequired: 12,
  addressPrefix: '0x5a4db0c55a4db0c5',
  addressAlphabet: HEXADECIMAL,
  addressLength: 42,
  hashPrefix: '0x',
};

const BITCOIN: Network = {
  confirmationsRequired: 3,
  addressPrefix: 'tb1q',
  addressAlphabet: BECH32,
  addressLength: 42,
  hashPrefix: '',
};

const NETWORKS: Readonly<Record<string, Network>> = {
  bitcoin: BITCOIN,
  ethereum: ETHEREUM,
  polygon: { ...ETHEREUM, confirmationsRequired: 128 },
  tron: {
    confirmationsRequired: 19,
    addressPrefix: 'TSandbox',
    addressAlphabet: BASE58,
    addressLength: 34,
    hashPrefix: '',
  },
};

/** How many blocks have to follow before a deposit counts. */
export function confirmationsRequiredOn(network: string): number {
  return networkOf(network).confirmationsRequired;
}

/** The address for the deposit of a payment: the same at each call. */
export function depositAddressOf(network: string, paymentId: string): string {
  const { addressPrefix, addressAlphabet, addressLength } = networkOf(network);
  return addressPrefix + textOf(`address ${paymentId}`, addressAlphabet, addressLength - addressPrefix.length);
}

/** The hash of the transaction that deposits for a payment: the same at each call. */
export function transactionHashOf(network: string, paymentId: string): string {
  return networkOf(network).hashPrefix + textOf(`transaction ${paymentId}`, HEXADECIMAL, HASH_LENGTH);
}

function networkOf(network: string): Network {
  return NETWORKS[network] ?? ETHEREUM;
}

function textOf(input: string, alphabet: string, length: number): string {
  const bytes = createHash('sha512').update(input).digest();
  return [...bytes.subarray(0, length)].map((byte) => alphabet[byte % alphabet.length]).join('');
}
