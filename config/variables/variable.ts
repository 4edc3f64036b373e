import { z } from 'zod';
import { parseIpRange } from '../../domain/ip-address.ts';
import { isAddressGroup, isOrigin, list, text, url, wholeNumber } from '../value-schemas.ts';

/** The programs that read settings: processes of the engine, its commands, and those of the sandbox. */
export type ProgramName =
  | 'api'
  | 'gateway'
  | 'worker'
  | 'dashboard'
  | 'codec-server'
  | 'migrate'
  | 'simulator'
  | 'demo'
  | 'mailbox'
  | 'start'
  | 'test';

/** One setting: an environment variable. Everything that is known of it stands in its entry, and nowhere else. */
export interface Variable {
  /** Parses the text. A variable without a default is null where it is not set. */
  readonly schema: z.ZodType;
  /** What the value must be, after the words "NAME must". */
  readonly must: string;
  /** The programs that read it. An operator gives a process these settings and no others. */
  readonly readBy: readonly ProgramName[];
  /** Whether the value is a secret. Without it, the value may stand in the file that NAME_FILE names. */
  readonly isSecret?: true;
  /** What it is for, as whole sentences. `docs/…md` becomes a link. */
  readonly description: string;
  /** A value to show where there is no default. */
  readonly example?: string;
}

/** The settings of one subject. */
export interface VariableGroup {
  readonly title: string;
  readonly variables: Readonly<Record<string, Variable>>;
}

/** A whole table of variables keeps the exact types of its schemas and of who reads them. */
export function variables<const Table extends Readonly<Record<string, Variable>>>(table: Table): Table {
  return table;
}

/** The programs that share most of their settings. */
export const ENGINE = ['api', 'worker'] as const;
export const SERVERS = ['api', 'gateway'] as const;
export const PAGES = ['api', 'dashboard'] as const;
export const HTTP_PROCESSES = ['api', 'gateway', 'dashboard'] as const;
export const PROCESSES = ['api', 'gateway', 'worker', 'dashboard'] as const;
export const KEY_HOLDERS = ['api', 'gateway', 'worker', 'codec-server'] as const;

export const HIGHEST_PORT = 65_535;

export const PORT = { schema: wholeNumber(1, HIGHEST_PORT), must: `be a port from 1 to ${HIGHEST_PORT}` };

export function port(byDefault: number) {
  return { ...PORT, schema: PORT.schema.default(byDefault) };
}

export function flag(byDefault: boolean) {
  const schema = z.enum(['true', 'false']).transform((value) => value === 'true');
  return { schema: schema.default(byDefault), must: 'be true or false' };
}

export function listenAddress() {
  return { schema: text.default('127.0.0.1'), must: 'be an address to listen on' };
}

/** `must` names the unit and the range, like "be days from 1 to 3650". */
export function numberFrom(minimum: number, maximum: number, byDefault: number, must: string) {
  return { schema: wholeNumber(minimum, maximum).default(byDefault), must };
}

export function milliseconds(minimum: number, maximum: number, byDefault: number) {
  return numberFrom(minimum, maximum, byDefault, `be milliseconds from ${minimum} to ${maximum}`);
}

/** What is counted, like "requests per minute". */
export function countOf(what: string, byDefault: number) {
  return numberFrom(1, 10_000_000, byDefault, `be ${what}, 1 or more`);
}

export function limitOf(what: string, byDefault: number) {
  return numberFrom(0, 10_000_000, byDefault, `be ${what}, or 0 for no limit`);
}

export function httpUrl(must: string) {
  return { schema: url(['http:', 'https:']), must };
}

export function origins(example: string) {
  const schema = list().refine((values) => values.every(isOrigin));
  return { schema: schema.default([]), must: `be a comma-separated list of origins like ${example}` };
}

export function addressGroups(byDefault: string[]) {
  const schema = list().refine((values) => values.every(isAddressGroup));
  return {
    schema: schema.default(byDefault),
    must: 'be a comma-separated list of addresses or CIDR ranges, or loopback, linklocal, uniquelocal',
  };
}

/** CDNs name ranges of these sizes; a larger one is not a proxy's, and lets everybody say from which address a request comes. */
const SHORTEST_PREFIX = { ipv4: 8, ipv6: 16 } as const;

/** The addresses of proxies. */
export function proxies() {
  const isProxies = (group: string): boolean => {
    const range = parseIpRange(group);
    return range === undefined || range[1] >= SHORTEST_PREFIX[range[0].kind()];
  };
  const { schema, must } = addressGroups([]);
  return {
    schema: schema.refine((groups) => groups.every(isProxies)),
    must: `${must}; a range of no more addresses than an IPv4 /8 or an IPv6 /16, because everybody in it may say where a request comes from`,
  };
}
