import { hash } from 'node:crypto';
import { DAY_MS, SECOND_MS } from '../../domain/time.ts';
import type { Database } from '../../prisma/connection/client.ts';
import { decrementCounts, incrementCounts } from '../../prisma/queries/decline-count.ts';
import { ApiError } from '../../domain/api-error.ts';

/** Mails in 24 hours that invite to the teams of one merchant. */
export const INVITATION_MAILS_PER_MERCHANT = 100;
/** Mails in 24 hours that invite one e-mail address, from all merchants together, so that nobody can flood strangers with them. */
export const INVITATION_MAILS_PER_ADDRESS = 10;

/** Who invites, and whom. */
interface InvitationMailCount {
  readonly merchantId: string;
  /** In lower case. */
  readonly email: string;
}

/**
 * Counts a mail before the invitation is written, so that many at once cannot pass a limit together.
 * @returns a function that takes the count back, to call if no mail is sent
 * @throws ApiError `RATE_LIMIT_EXCEEDED`
 */
export async function countInvitationMail(
  { direct }: Pick<Database, 'direct'>,
  { merchantId, email }: InvitationMailCount,
): Promise<() => Promise<void>> {
  const limits = [
    {
      key: `invitation-merchant:${merchantId}`,
      limit: INVITATION_MAILS_PER_MERCHANT,
      subject: 'for the team of one merchant',
    },
    {
      key: `invitation-address:${hash('sha256', email, 'hex')}`,
      limit: INVITATION_MAILS_PER_ADDRESS,
      subject: 'to one e-mail address',
    },
  ];
  const keys = limits.map(({ key }) => key);
  const rows = await direct.rows(incrementCounts(keys, { nowMs: Date.now(), windowMs: DAY_MS }));
  // A count that cannot be taken back stays until its day ends.
  const takeBack = () => direct.execute(decrementCounts(keys)).then(nothing, nothing);
  const counts = new Map(rows.map((row) => [row.key, row]));
  const exceeded = limits.find(({ key, limit }) => (counts.get(key)?.points ?? 0) > limit);
  if (exceeded === undefined) return takeBack;
  await takeBack();
  throw tooManyMails(exceeded, Number(counts.get(exceeded.key)?.expire ?? 0));
}

const nothing = (): void => undefined;

function tooManyMails(
  { limit, subject }: { readonly limit: number; readonly subject: string },
  resetAtMs: number,
): ApiError {
  const resetAt = new Date(resetAtMs).toISOString();
  return new ApiError('RATE_LIMIT_EXCEEDED', {
    message: `Too many invitations: expected at most ${limit} mails a day ${subject}. Send it again after ${resetAt}.`,
    details: { limit, remaining: 0, resetAt },
    retryAfterSeconds: Math.max(1, Math.ceil((resetAtMs - Date.now()) / SECOND_MS)),
  });
}
