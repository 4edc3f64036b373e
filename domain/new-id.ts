import { v7 } from 'uuid';
import { ID_PREFIXES, type ResourceKind } from './ids.ts';

/**
 * A new time-ordered id: the kind's prefix and a version 7 UUID (RFC 9562) without dashes.
 * Not for workflows, which derive ids from their intent so that replay gives the same ones.
 */
export function newId(kind: ResourceKind): string {
  return `${ID_PREFIXES[kind]}_${newUniquePart()}`;
}

/** The part of a new id after its prefix: 32 hexadecimal digits. */
export function newUniquePart(): string {
  return v7().replaceAll('-', '');
}
