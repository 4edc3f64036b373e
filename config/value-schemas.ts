import { z } from 'zod';
import { type Environment, ENVIRONMENTS } from '../domain/payment.ts';
import { parseJson } from '../domain/json.ts';
import { isLoopback, parseIpRange } from '../domain/ip-address.ts';
import { decodeKey, KEY_BYTES, KeysFormatError, parseKeyTexts, parsePlainKeys } from '../domain/named-keys.ts';
import { PROVIDER_KIND_NAMES } from '../domain/provider-account.ts';

const ADDRESS_GROUPS = ['loopback', 'linklocal', 'uniquelocal'];
export const SIMULATOR_NAME = /^[a-z][a-z0-9_-]{0,31}$/;

export interface SimulatorAddress {
  readonly name: string;
  readonly url: string;
}

/** A simulator as the engine knows it; no other simulator has its secrets. */
export interface SimulatorConnection extends SimulatorAddress {
  readonly apiKey: string;
  /** `whsec_…` */
  readonly webhookSecret: string;
}

export const text = z.string();

export function wholeNumber(minimum: number, maximum: number) {
  return z
    .string()
    .regex(/^\d{1,12}$/)
    .transform(Number)
    .refine((value) => value >= minimum && value <= maximum);
}

/** A comma-separated list; empty items are left out. */
export function list() {
  return z.string().transform((value) =>
    value
      .split(',')
      .map((item) => item.trim())
      .filter((item) => item !== ''),
  );
}

export function url(protocols: readonly string[]) {
  return z.string().refine((value) => URL.canParse(value) && protocols.includes(new URL(value).protocol));
}

/** Parses `name=address` pairs; names must differ. */
export function toSimulators(items: readonly string[], context: z.RefinementCtx): SimulatorAddress[] {
  const simulators = items.map((item) => {
    const separator = item.indexOf('=');
    return { name: item.slice(0, Math.max(separator, 0)), url: item.slice(separator + 1).replace(/\/+$/, '') };
  });
  const valid = simulators.every(
    ({ name, url: address }) => SIMULATOR_NAME.test(name) && /^https?:\/\/[^\s]+$/.test(address),
  );
  const unique = new Set(simulators.map(({ name }) => name)).size === simulators.length;
  if (!valid || !unique) context.addIssue({ code: 'custom', message: 'simulators' });
  return simulators;
}

/** The addresses of providers' APIs, by kind, from `kind=address` pairs; kinds must be known and differ, and have a vendor. */
export function toApiUrls(items: readonly string[], context: z.RefinementCtx): ReadonlyMap<string, string> {
  const kinds: readonly string[] = PROVIDER_KIND_NAMES.filter((kind) => kind !== 'evm');
  const addresses = toSimulators(items, context);
  if (!addresses.every(({ name }) => kinds.includes(name))) context.addIssue({ code: 'custom', message: 'kinds' });
  return new Map(addresses.map(({ name, url: address }) => [name, address]));
}

/** Kinds with a vendor, whose limits of requests an adapter keeps to. */
const VENDOR_KINDS: readonly string[] = PROVIDER_KIND_NAMES.filter((kind) => kind !== 'evm' && kind !== 'simulator');

/** Limits of requests a second, by kind, from `kind=number` pairs; kinds must differ, and have a vendor. */
export function toRequestLimits(items: readonly string[], context: z.RefinementCtx): ReadonlyMap<string, number> {
  const pairs = items.map((item) => /^([a-z]+)=([1-9]\d{0,3})$/.exec(item) ?? []);
  const limits = new Map(pairs.map(([, kind = '', limit]) => [kind, Number(limit)]));
  const valid = [...limits.keys()].every((kind) => VENDOR_KINDS.includes(kind));
  if (!valid || limits.size !== items.length) context.addIssue({ code: 'custom', message: 'limits' });
  return limits;
}

/** An account at a provider; the provider's adapter checks the credentials. */
export interface ConfiguredAccount {
  readonly name: string;
  readonly environment: Environment;
  readonly credentials: unknown;
}

const configuredAccounts = z
  .array(
    z.strictObject({
      name: z.string().regex(SIMULATOR_NAME),
      environment: z.enum(ENVIRONMENTS),
      credentials: z.unknown(),
    }),
  )
  .refine((accounts) => new Set(accounts.map(({ name }) => name)).size === accounts.length);

/** Parses a JSON array of accounts; names must differ. */
export function toAccounts(value: string, context: z.RefinementCtx): ConfiguredAccount[] {
  const { data } = configuredAccounts.safeParse(parseJson(value));
  if (data === undefined) context.addIssue({ code: 'custom', message: 'accounts' });
  return data ?? [];
}

/** A comma-separated list of `name=secret` pairs, by name; names must differ, and so must secrets. */
export function secretsByName(isSecret: (value: string) => boolean) {
  return list().transform((items, context) => {
    const pairs = items.map((item) => {
      const separator = item.indexOf('=');
      return [item.slice(0, Math.max(separator, 0)), item.slice(separator + 1)] as const;
    });
    const valid = pairs.every(([name, secret]) => SIMULATOR_NAME.test(name) && isSecret(secret));
    const unique = [0, 1].every((side) => new Set(pairs.map((pair) => pair[side])).size === pairs.length);
    if (!valid || !unique) context.addIssue({ code: 'custom', message: 'secrets' });
    return new Map(pairs);
  });
}

/** Whether this is an address, a CIDR range or the name of a group of addresses. */
export function isAddressGroup(value: string): boolean {
  return ADDRESS_GROUPS.includes(value) || parseIpRange(value) !== undefined;
}

/** Whether this is an origin as browsers send it: no path, no user name. */
export function isOrigin(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const { protocol, origin, href } = new URL(value);
  return /^https?:$/.test(protocol) && href === `${origin}/`;
}

/** Whether nobody on the way can read what is sent to an address: it has https, or is on this machine. */
export function isSecureOrLocal(address: string): boolean {
  const { protocol, hostname } = new URL(address);
  return protocol === 'https:' || isLoopback(hostname.replace(/^\[|\]$/g, ''));
}

/** Whether this is an address that security.txt may name (RFC 9116). */
export function isContact(value: string): boolean {
  return /^(mailto:[^\s@]+@[^\s@]+|tel:\+?[\d-]+|https:\/\/\S+)$/.test(value) && URL.canParse(value);
}

/** Whether these are root keys or private card keys that nobody encrypted, see `parsePlainKeys`. */
export function isPlainKeys(value: string): boolean {
  return isParsed(() => parsePlainKeys(value));
}

/** Whether this is `keyId:text[,keyId:text…]` with ids that differ; the texts are a key provider's. */
export function isEncryptedKeys(value: string): boolean {
  return isParsed(() => parseKeyTexts(value));
}

/** Whether this is `keyId:base64`, with a public card key of each of the two environments. */
export function isCardPublicKey(value: string): boolean {
  return !/[,\n]/.test(value) && isParsed(() => decodeKey(parseKeyTexts(value)[0], 2 * KEY_BYTES));
}

function isParsed(parse: () => unknown): boolean {
  try {
    parse();
    return true;
  } catch (error) {
    if (error instanceof KeysFormatError) return false;
    throw error;
  }
}
