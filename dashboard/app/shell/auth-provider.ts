import type { AuthProvider } from 'react-admin';
import { signInAddress } from '../core/addresses.ts';
import { auth } from '../core/auth.ts';
import { RequestError } from '../core/request.ts';
import type { Session } from '../core/session.ts';

/** What reading and writing a resource needs, where its scope is not its own name. */
export const SCOPE_NAMES: Readonly<Record<string, string>> = {
  'team-members': 'team',
  invitations: 'team',
  'settlement-entries': 'settlements',
};

const READS = ['list', 'show', 'read', 'export'];

/** Tells react-admin what the person may do; the API checks it again. */
export function createAuthProvider({ person, scopes }: Pick<Session, 'person' | 'scopes'>): AuthProvider {
  return {
    login: () => Promise.resolve(),
    logout: async () => {
      // After a session has ended elsewhere there is nothing left to end.
      await auth.signOut().catch(() => undefined);
      location.assign('/sign-in');
      return false;
    },
    checkAuth: () => Promise.resolve(),
    checkError: (error: unknown) => {
      if (!(error instanceof RequestError) || error.status !== 401) return Promise.resolve();
      location.assign(signInAddress(location.pathname + location.search));
      return new Promise(() => undefined);
    },
    getIdentity: () => Promise.resolve({ id: person.id, fullName: person.name === '' ? person.email : person.name }),
    getPermissions: () => Promise.resolve(scopes),
    canAccess: ({ resource, action }) =>
      Promise.resolve(
        scopes.includes(`${SCOPE_NAMES[resource] ?? resource}:${READS.includes(action) ? 'read' : 'write'}`),
      ),
  };
}
