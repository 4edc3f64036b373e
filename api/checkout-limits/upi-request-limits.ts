import { hash } from 'node:crypto';
import type { Environment } from '../../domain/payment.ts';
import { HOUR_MS } from '../../domain/time.ts';
import { ApiError } from '../../domain/api-error.ts';
import { rateLimitExceeded } from '../../http/rate-limits/rate-limit.ts';
import type { Database } from '../../prisma/connection/client.ts';
import { decrementCounts, incrementCounts } from '../../prisma/queries/decline-count.ts';

/** Requests by UPI per hour in production. */
interface UpiRequestsPerHour {
  /** To one virtual payment address, phone number or e-mail address, from all merchants together. */
  readonly address: number;
  readonly account: number;
}

/** A person approves few payments in an hour; the largest shop asks for 28 in a second. */
const REQUESTS_PER_HOUR: UpiRequestsPerHour = { address: 10, account: 100_000 };

/** A confirm that asks somebody to approve a payment by UPI. */
export interface UpiConfirm {
  readonly environment: Environment;
  readonly merchantAccountId: string;
  /** The keyed digest of the virtual payment address; null for a payment by link or QR code. */
  readonly vpaDigest: string | null;
  /** What of it a provider may use to reach the customer. */
  readonly metadata: Readonly<Record<string, string>>;
}

/** Limits of the requests that whoever has a checkout page can have sent to strangers, over all API processes. */
export interface UpiRequestLimits {
  /** Counts a request before a provider is called. @throws ApiError `RATE_LIMIT_EXCEEDED` */
  count(confirm: UpiConfirm): Promise<void>;
}

/** The members of the metadata that providers use to reach the customer. */
const CONTACTS = ['customer_phone', 'customer_email'] as const;

export function createUpiRequestLimits(
  { direct }: Pick<Database, 'direct'>,
  limits = REQUESTS_PER_HOUR,
): UpiRequestLimits {
  return {
    async count(confirm) {
      // Nobody is asked for anything in the sandbox.
      const counted = confirm.environment === 'production' ? countersOf(confirm, limits) : [];
      if (counted.length === 0) return;
      const keys = counted.map(({ key }) => key);
      const rows = await direct.rows(incrementCounts(keys, { nowMs: Date.now(), windowMs: HOUR_MS }));
      const counts = new Map(rows.map((row) => [row.key, row]));
      const exceeded = counted.find(({ key, limit }) => (counts.get(key)?.points ?? 0) > limit);
      if (exceeded === undefined) return;
      // What is refused must not use up the limit of the account.
      await direct.execute(decrementCounts(keys));
      throw tooManyRequests(exceeded.limit, Number(counts.get(exceeded.key)?.expire ?? 0));
    },
  };
}

function countersOf({ merchantAccountId, vpaDigest, metadata }: UpiConfirm, limits: UpiRequestsPerHour) {
  const contacts = CONTACTS.map((name) => [name, contactOf(metadata[name])] as const);
  const addresses = [['vpa', vpaDigest] as const, ...contacts].flatMap(([kind, digest]) =>
    digest === null ? [] : [{ key: `upi-request:${kind}:${digest}`, limit: limits.address }],
  );
  const account = { key: `upi-request:account:${merchantAccountId}`, limit: limits.account };
  return [...addresses, account];
}

/** Of a contact however it is written; null without one. */
function contactOf(text: string | undefined): string | null {
  const plain = (text ?? '').toLowerCase().replaceAll(/[\s()-]/g, '');
  return plain === '' ? null : hash('sha256', plain, 'hex');
}

function tooManyRequests(limit: number, resetAtMs: number): ApiError {
  const { details, retryAfterSeconds } = rateLimitExceeded({ limit, remaining: 0, resetAtMs, exceeded: true });
  const resetAt = new Date(resetAtMs).toISOString();
  const message = `Too many requests by UPI: expected at most ${limit} an hour to one customer or of one account. Wait until ${resetAt}, or pay in another way.`;
  return new ApiError('RATE_LIMIT_EXCEEDED', { message, details, retryAfterSeconds });
}
