import { hostname, userInfo } from 'node:os';
import type { PlatformAuthor } from '../accounts/platform/audit.ts';
import type { Actor } from '../domain/audit.ts';

/** The operator, as audit logs name who runs a command. */
export function operator(): Actor {
  return { type: 'operator', id: userName(), address: hostname() };
}

/** The operator, as the log of the platform names who runs a command. */
export function operatorAuthor(): PlatformAuthor {
  const actor = operator();
  return { actor, name: actor.id };
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    // A container may run as a user without a name.
    return String(process.getuid?.() ?? 'unknown');
  }
}
