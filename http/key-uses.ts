import type { Logger } from 'pino';
import { isId } from '../domain/ids.ts';
import { LAST_USE_EVERY_MS } from '../domain/session-limits.ts';
import { SECOND_MS } from '../domain/time.ts';
import type { Database } from '../prisma/connection/client.ts';
import { addKeyUses, type KeyUse } from '../prisma/queries/key-use.ts';

/** A request whose signature is valid, whether or not it was answered with an error. */
interface SignedRequest extends Pick<KeyUse, 'address' | 'operation'> {
  readonly apiKeyId: string;
  readonly isRefused: boolean;
}

/** Counts requests by key, address and operation. Reads that succeed are in no log, so this says what a stolen key has read. */
export interface KeyUses {
  /** Takes a request, which is written later; those that are not of an API key are left out. Never throws. */
  note(request: SignedRequest): void;
  /** Writes what is left. */
  close(): Promise<void>;
}

/** How often it is looked whether the uses of a key are to be written. */
const LOOK_EVERY_MS = 5 * SECOND_MS;
/** Keys whose uses a process keeps at once. */
const MAXIMUM_KEYS = 10_000;
/** Pairs of address and operation of one key in a minute; the addresses of further ones are left out. */
const MAXIMUM_PAIRS = 200;
/** Stands for the addresses beyond the limit. */
const OTHER_ADDRESSES = 'others';

interface CountedUse extends Pick<KeyUse, 'address' | 'operation'> {
  requests: number;
  refused: number;
  readonly firstAtMs: number;
  lastAtMs: number;
}

/** The uses of one key that are not written yet, by address and operation. */
interface UsesOfKey {
  writtenAtMs: number;
  uses: Map<string, CountedUse>;
}

/** Counts in memory, and writes those of one key once a minute at most, beside the requests. */
export function createKeyUses(database: Pick<Database, 'direct'>, logger: Pick<Logger, 'warn'>): KeyUses {
  const keys = new Map<string, UsesOfKey>();
  let writing: Promise<void> = Promise.resolve();

  const write = async (isDue: (key: UsesOfKey) => boolean): Promise<void> => {
    for (const [id, key] of keys) {
      if (!isDue(key)) continue;
      const uses = [...key.uses.values()].map(writtenUse);
      if (uses.length === 0) {
        keys.delete(id);
        continue;
      }
      keys.set(id, { writtenAtMs: Date.now(), uses: new Map() });
      await database.direct.execute(addKeyUses(id, uses)).catch((error: unknown) => {
        logger.warn({ err: error, apiKeyId: id }, 'uses of an API key could not be counted');
      });
    }
  };
  const writeDue = () => write(({ writtenAtMs }) => writtenAtMs + LAST_USE_EVERY_MS <= Date.now());
  const timer = setInterval(() => {
    writing = writing.then(writeDue);
  }, LOOK_EVERY_MS);
  timer.unref();

  return {
    note({ apiKeyId, address, operation, isRefused }) {
      if (!isId('apiKey', apiKeyId)) return;
      const key = keys.get(apiKeyId) ?? { writtenAtMs: 0, uses: new Map<string, CountedUse>() };
      if (keys.size >= MAXIMUM_KEYS && !keys.has(apiKeyId)) return;
      keys.set(apiKeyId, key);
      const use = useOf(key, address, operation);
      use.requests += 1;
      use.refused += isRefused ? 1 : 0;
      use.lastAtMs = Date.now();
    },
    async close() {
      clearInterval(timer);
      await writing;
      await write(() => true);
    },
  };
}

function useOf({ uses }: UsesOfKey, address: string, operation: string): CountedUse {
  const found = uses.get(`${address} ${operation}`);
  if (found !== undefined) return found;
  const isBeyond = uses.size >= MAXIMUM_PAIRS && address !== OTHER_ADDRESSES;
  if (isBeyond) return useOf({ writtenAtMs: 0, uses }, OTHER_ADDRESSES, operation);
  const nowMs = Date.now();
  const use = { address, operation, requests: 0, refused: 0, firstAtMs: nowMs, lastAtMs: nowMs };
  uses.set(`${address} ${operation}`, use);
  return use;
}

function writtenUse({ firstAtMs, lastAtMs, ...use }: CountedUse): KeyUse {
  return { ...use, firstAt: new Date(firstAtMs).toISOString(), lastAt: new Date(lastAtMs).toISOString() };
}
