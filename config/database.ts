import { accessSync, constants } from 'node:fs';
import { isLoopback } from '../domain/ip-address.ts';
import { required } from './read-variables.ts';
import type { VariableName, Values } from './variables.ts';

export const DATABASE_VARIABLES = [
  'DATABASE_URL',
  'DATABASE_ALLOW_PLAINTEXT',
] as const satisfies readonly VariableName[];

/** The address of the database. One on another machine must ask for TLS and verify the server, unless a setting allows less. */
export function databaseUrl(values: Values<(typeof DATABASE_VARIABLES)[number]>, problems: string[]): string {
  const url = required(values.DATABASE_URL, 'DATABASE_URL', '', problems);
  if (url !== '' && !values.DATABASE_ALLOW_PLAINTEXT && !isSafe(new URL(url))) {
    problems.push(
      'DATABASE_URL names another machine, so it must ask for verified TLS: ?sslmode=verify-full, with &sslrootcert=FILE for an ' +
        'authority of your own. On a private network, DATABASE_ALLOW_PLAINTEXT=true permits less.',
    );
  }
  if (url !== '') checkFiles(new URL(url), problems);
  return url;
}

/** Files of certificates that the address names; the driver's own message would name neither the variable nor the reason. */
function checkFiles({ searchParams }: URL, problems: string[]): void {
  for (const parameter of ['sslrootcert', 'sslcert', 'sslkey']) {
    const file = searchParams.get(parameter);
    if (file !== null && !isReadable(file)) {
      problems.push(`The file that ${parameter} in DATABASE_URL names cannot be read.`);
    }
  }
}

function isReadable(file: string): boolean {
  try {
    accessSync(file, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}

/** A `host` in the query, such as the folder of a Unix socket, wins over the host of the address. */
function isSafe({ hostname, searchParams }: URL): boolean {
  const host = searchParams.get('host') ?? hostname.replace(/^\[|\]$/g, '');
  return host.startsWith('/') || isLoopback(host) || searchParams.get('sslmode') === 'verify-full';
}
