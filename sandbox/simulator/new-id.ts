import { v7 } from 'uuid';

/** An id that sorts by time: the prefix, an underscore, 32 hexadecimal digits. */
export function newId(prefix: string): string {
  return `${prefix}_${v7().replaceAll('-', '')}`;
}
