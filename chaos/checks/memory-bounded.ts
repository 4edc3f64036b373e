import type { Check } from './check.ts';

const MEBIBYTE = 1024 * 1024;
const LIMIT_BYTES = 700 * MEBIBYTE;
/** Third-party servers. */
const NOT_NODE: readonly string[] = ['temporal', 'postgres'];

/** No Node process exceeded its memory limit. */
export const memoryBounded: Check = {
  name: 'memory of each Node process is bounded',
  find: ({ memoryPeaks }) =>
    [...memoryPeaks]
      .filter(([name, bytes]) => !NOT_NODE.includes(name) && bytes > LIMIT_BYTES)
      .map(([name, bytes]) => ({
        intentId: null,
        what: `${name} took ${Math.round(bytes / MEBIBYTE)} MiB; ${LIMIT_BYTES / MEBIBYTE} are allowed`,
      })),
};
