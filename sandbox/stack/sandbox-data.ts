import { routesToSimulators } from '../../domain/simulator-routes.ts';

/** What the sandbox begins with. Fixed ids, so that seeding again changes the same rows. */

const unique = (number: number): string => `00000000000070008000${String(number).padStart(12, '0')}`;

export const SANDBOX_ENVIRONMENT = 'sandbox';
export const SANDBOX_MERCHANT = { id: `org_${unique(1)}`, name: 'Sandbox merchant' };
export const SANDBOX_ACCOUNTS = [
  { id: `mer_${unique(1)}`, name: 'Main account' },
  { id: `mer_${unique(2)}`, name: 'Second account' },
] as const;
/** The owner of the sandbox's merchant, who can sign in to the dashboard. */
export const SANDBOX_PERSON = { id: `per_${unique(1)}`, name: 'Sandbox owner', email: 'owner@sandbox.example' };
/** One of the staff of the platform, with the same password; the console asks for a second factor first. */
export const SANDBOX_STAFF = { id: `per_${unique(2)}`, name: 'Sandbox staff', email: 'staff@sandbox.example' };
export const SANDBOX_API_KEY_ID = `key_${unique(1)}`;

/** Payments go to the first one first. */
export const SANDBOX_SIMULATORS = ['alpha', 'beta'];

export const SANDBOX_ROUTES = routesToSimulators(SANDBOX_SIMULATORS).map((route, index) => ({
  id: `rt_${unique(index + 1)}`,
  ...route,
}));
