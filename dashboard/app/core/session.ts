import { createContext, useContext } from 'react';
import { type Environment, type Scope, send } from './request.ts';

export interface Account extends Scope {
  readonly name: string;
  readonly isSuspended: boolean;
}

/** Who is signed in, and what the person may do. */
export interface Session {
  readonly person: { readonly id: string; readonly name: string; readonly email: string };
  /** Whether the person is one of the staff of the platform too. */
  readonly isPlatformStaff: boolean;
  readonly merchantName: string;
  /** The suspension of the merchant by the platform; null without one. */
  readonly suspension: { readonly reason: string; readonly since: string } | null;
  readonly role: string;
  readonly scopes: readonly string[];
  readonly accounts: readonly Account[];
}

/** A session, and the account and environment that the address names. */
export interface Place extends Session {
  readonly account: Account;
}

const PlaceContext = createContext<Place | null>(null);
export const PlaceProvider = PlaceContext.Provider;

/** The session and the account of this page. */
export function usePlace(): Place {
  const place = useContext(PlaceContext);
  if (place === null) throw new Error('no session above this component');
  return place;
}

/** Whether the person's role has a scope, such as `refunds:write`. */
export function useMay(scope: string): boolean {
  return usePlace().scopes.includes(scope);
}

/** What the roles are called, and what they may do. */
export const ROLES: readonly { readonly id: string; readonly name: string; readonly meaning: string }[] = [
  { id: 'owner', name: 'Owner', meaning: 'everything, and the team' },
  {
    id: 'developer',
    name: 'Developer',
    meaning: 'API keys, webhooks, routes, limits, provider accounts and the test clock',
  },
  {
    id: 'support',
    name: 'Support',
    meaning: 'payments, payment links, refunds, disputes, customers and webhooks that are sent again',
  },
  { id: 'finance', name: 'Finance', meaning: 'payment links, refunds and disputes' },
  { id: 'read_only', name: 'Read-only', meaning: 'read everything, change nothing' },
];

export function roleName(id: string): string {
  return ROLES.find((role) => role.id === id)?.name ?? id;
}

interface Me {
  readonly person: { readonly id: string; readonly name: string; readonly email: string };
  readonly isPlatformStaff: boolean;
  readonly merchant: { readonly id: string; readonly name: string; readonly suspension: Session['suspension'] };
  readonly role: string;
  readonly scopes: readonly string[];
  readonly accounts: readonly {
    readonly id: string;
    readonly name: string;
    readonly environment: Environment;
    readonly status: string;
  }[];
}

/** @throws RequestError with status 401 when nobody is signed in */
export async function readSession(): Promise<Session> {
  const { data } = (await send('/api/v1/me')) as { data: Me };
  return {
    person: data.person,
    isPlatformStaff: data.isPlatformStaff,
    merchantName: data.merchant.name,
    suspension: data.merchant.suspension,
    role: data.role,
    scopes: data.scopes,
    accounts: data.accounts.map(({ id, name, environment, status }) => ({
      merchantId: id,
      name,
      environment,
      isSuspended: status === 'suspended',
    })),
  };
}

let early: Promise<Session> | null = null;

/** Begins to read the session while the pages' script is loaded. */
export function readSessionEarly(): void {
  early = readSession();
  early.catch(() => undefined);
}

/** The session that was asked for early, or else a new answer. @throws as `readSession` */
export function takeSession(): Promise<Session> {
  const session = early ?? readSession();
  early = null;
  return session;
}

/** The first part of the addresses of an account's pages. */
export function pathOf({ environment, merchantId }: Scope): string {
  return `/${environment}/${merchantId}`;
}
