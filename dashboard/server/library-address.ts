import { z } from 'zod';
import { EMAIL_ADDRESS } from '../../domain/email-address.ts';
import type { Database } from '../../prisma/connection/client.ts';

/** A name that no mail server can have (RFC 2606). */
const ALIAS_DOMAIN = '@beyond-ascii.invalid';
const asLibraryTakes = z.email();

/**
 * The address that better-auth is given for an e-mail address: itself, or an alias for one that RFC 6531 allows and the library
 * refuses, which is most of those beyond ASCII. Two addresses never have the same alias.
 */
export function libraryAddressOf(address: string): string {
  if (!EMAIL_ADDRESS.test(address)) return address;
  const isTaken = asLibraryTakes.safeParse(address).success && !address.endsWith(ALIAS_DOMAIN);
  return isTaken ? address : `${Buffer.from(address, 'utf8').toString('hex')}${ALIAS_DOMAIN}`;
}

/** The e-mail address for which the library has this one. */
export function addressOf(libraryAddress: string): string {
  if (!libraryAddress.endsWith(ALIAS_DOMAIN)) return libraryAddress;
  return Buffer.from(libraryAddress.slice(0, -ALIAS_DOMAIN.length), 'hex').toString('utf8');
}

/** The same data with e-mail addresses for all aliases in it. */
export function withAddresses(data: unknown): unknown {
  if (typeof data === 'string') return addressOf(data);
  if (Array.isArray(data)) return data.map(withAddresses);
  if (!isPlainObject(data)) return data;
  return Object.fromEntries(Object.entries(data).map(([name, value]) => [name, withAddresses(value)]));
}

function isPlainObject(data: unknown): data is object {
  return typeof data === 'object' && data !== null && Object.getPrototypeOf(data) === Object.prototype;
}

/** The database as the library sees it: rows have e-mail addresses, the library reads and writes aliases. */
export function databaseOfLibrary(database: Database) {
  return database.$extends({
    query: {
      person: {
        $allOperations: ({ args, query }) => query(Object.assign({}, args, withAddresses(args))),
      },
    },
    result: {
      person: {
        email: { needs: { email: true }, compute: ({ email }) => libraryAddressOf(email) },
      },
    },
  });
}
