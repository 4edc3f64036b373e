import { randomBytes } from 'node:crypto';
import type { AuditAction } from '../../domain/audit.ts';
import { DAY_MS } from '../../domain/time.ts';
import type { Mailer } from '../../mail/mailer.ts';
import { invitationMail } from '../../mail/messages.ts';
import type { Database } from '../../prisma/connection/client.ts';
import type { Invitation, Prisma } from '../../prisma/generated/client.ts';
import { hashSecret } from '../../vault/key-secret.ts';
import { ApiError } from '../../domain/api-error.ts';
import type { CreateInvitation } from '../../contract/schemas/team.ts';
import { changeTeam, recordTeamChange, type TeamAuthor } from '../team-members/team-change.ts';
import { countInvitationMail } from './mail-limits.ts';
import { describeInvitation, readInvitation } from './stored-invitation.ts';
import { presentInvitation } from '../../contract/presenters/team.ts';

/** Members and invitations of one team together. */
const MAXIMUM_TEAM = 200;
const VALID_MS = 7 * DAY_MS;
const TOKEN_BYTES = 32;
/** How often an invitation is sent again at most: each sending is a mail to somebody who may not want it. */
const MAXIMUM_SENT = 5;

/** How invitations are sent. */
interface InvitationSender {
  readonly mailer: Mailer;
  /** The origin of the dashboard. */
  readonly dashboardUrl: string;
}

export interface InvitationDependencies {
  readonly database: Database;
  /** Null where the API has no mail server or does not know the dashboard. */
  readonly invitationSender: InvitationSender | null;
}

/**
 * Invites an e-mail address. The mail goes out whether or not somebody signs in with that address already.
 * @throws ApiError `STATE_CONFLICT` where the address is invited or in the team, or the team is full; `RATE_LIMIT_EXCEEDED` after
 *   too many mails of a day
 */
export async function createInvitation(
  { database, invitationSender }: InvitationDependencies,
  author: TeamAuthor,
  { id, fields }: { readonly id: string; readonly fields: CreateInvitation },
): Promise<Invitation> {
  const sender = requireSender(invitationSender);
  const mail = { merchantId: author.merchantId, email: fields.email };
  const { row, token } = await countedMail(database, mail, () => insertInvitation(database, author, { id, fields }));
  await send(database, sender, row, token);
  return row;
}

/** Counts the mail, then writes the invitation and sends it; a mail that cannot be sent is not counted. */
async function countedMail<Written>(
  database: Database,
  mail: { readonly merchantId: string; readonly email: string },
  write: () => Promise<Written>,
): Promise<Written> {
  const takeBack = await countInvitationMail(database, mail);
  try {
    return await write();
  } catch (error) {
    await takeBack();
    throw error;
  }
}

/**
 * Writes an invitation, without sending it. An interrupted execution of the same request has lost its token, so that the
 * invitation gets a new one.
 * @returns the row, and the token for the link, which is not stored
 * @throws ApiError `STATE_CONFLICT` where the address is invited or in the team, or the team is full
 */
export async function insertInvitation(
  database: Database,
  author: TeamAuthor,
  { id, fields }: { readonly id: string; readonly fields: CreateInvitation },
): Promise<{ readonly row: Invitation; readonly token: string }> {
  const { merchantId } = author;
  const token = newToken();
  const row = await changeTeam(database, author, async (transaction) => {
    await requireRoom(transaction, merchantId, { id, email: fields.email });
    const before = await transaction.invitation.findUnique({ where: { id } });
    const after = await transaction.invitation.upsert({
      where: { id },
      create: { id, merchantId, ...fields, invitedById: author.actor.id, ...tokenColumns(token) },
      update: tokenColumns(token),
    });
    if (before === null) await record(transaction, author, 'invitation.created', { before: null, after });
    return after;
  });
  return { row, token };
}

/**
 * Sends an invitation again, with another link, valid for 7 days more.
 * @throws ApiError `RESOURCE_NOT_FOUND`, `STATE_CONFLICT`, `RATE_LIMIT_EXCEEDED`
 */
export async function resendInvitation(
  { database, invitationSender }: InvitationDependencies,
  author: TeamAuthor,
  id: string,
): Promise<Invitation> {
  const sender = requireSender(invitationSender);
  const token = newToken();
  const { merchantId } = author;
  const { email } = await readInvitation(database, author, id);
  const row = await countedMail(database, { merchantId, email }, () => renewInvitation(database, author, id, token));
  await send(database, sender, row, token);
  return row;
}

function renewInvitation(database: Database, author: TeamAuthor, id: string, token: string): Promise<Invitation> {
  return changeTeam(database, author, async (transaction) => {
    const before = await readInvitation(transaction, author, id);
    if (before.version >= MAXIMUM_SENT) {
      throw new ApiError('STATE_CONFLICT', {
        message: `An invitation is sent again at most ${MAXIMUM_SENT} times. Delete it and make another one.`,
      });
    }
    const data = { ...tokenColumns(token), version: { increment: 1 }, updatedAt: new Date() };
    const after = await transaction.invitation.update({ where: { id }, data });
    await record(transaction, author, 'invitation.resent', { before, after });
    return after;
  });
}

/** Withdraws an invitation. @throws ApiError `RESOURCE_NOT_FOUND` */
export async function deleteInvitation(database: Database, author: TeamAuthor, id: string): Promise<void> {
  await changeTeam(database, author, async (transaction) => {
    const before = await readInvitation(transaction, author, id);
    const { count } = await transaction.invitation.deleteMany({ where: { id, merchantId: author.merchantId } });
    if (count === 0) throw new ApiError('RESOURCE_NOT_FOUND');
    await record(transaction, author, 'invitation.deleted', { before, after: null });
  });
}

function record(
  transaction: Prisma.TransactionClient,
  author: TeamAuthor,
  action: AuditAction,
  rows: { readonly before: Invitation | null; readonly after: Invitation | null },
): Promise<void> {
  return recordTeamChange(transaction, { author, action, describe: describeInvitation }, rows);
}

async function requireRoom(
  transaction: Prisma.TransactionClient,
  merchantId: string,
  { id, email }: { readonly id: string; readonly email: string },
): Promise<void> {
  const [members, invitations, sameMembers, sameInvitations] = await Promise.all([
    transaction.membership.count({ where: { merchantId } }),
    transaction.invitation.count({ where: { merchantId, id: { not: id } } }),
    transaction.membership.count({ where: { merchantId, person: { email } } }),
    transaction.invitation.count({ where: { merchantId, email, id: { not: id } } }),
  ]);
  if (sameMembers > 0) throw conflict('This e-mail address is in the team already.');
  if (sameInvitations > 0)
    throw conflict('This e-mail address is invited already. Send that invitation again, or delete it.');
  if (members + invitations >= MAXIMUM_TEAM)
    throw conflict(`A team has at most ${MAXIMUM_TEAM} members and invitations.`);
}

function conflict(message: string): ApiError {
  return new ApiError('STATE_CONFLICT', { message });
}

function newToken(): string {
  return randomBytes(TOKEN_BYTES).toString('base64url');
}

function tokenColumns(token: string) {
  return { tokenHash: hashSecret(token), expiresAt: new Date(Date.now() + VALID_MS) };
}

function requireSender(sender: InvitationSender | null): InvitationSender {
  if (sender !== null) return sender;
  throw new ApiError('SERVICE_UNAVAILABLE', {
    message:
      'Invitations cannot be sent: the API has no mail server (SMTP_URL, MAIL_FROM) or does not know the dashboard (DASHBOARD_URL).',
  });
}

/** The address in an invitation. @param dashboardUrl the origin of the dashboard */
export function invitationUrl(dashboardUrl: string, token: string): string {
  return `${dashboardUrl}/invitation?token=${token}`;
}

async function send(
  database: Database,
  { mailer, dashboardUrl }: InvitationSender,
  row: Invitation,
  token: string,
): Promise<void> {
  const merchant = await database.merchant.findUniqueOrThrow({ where: { id: row.merchantId } });
  const { role } = presentInvitation(row);
  const url = invitationUrl(dashboardUrl, token);
  mailer.post(invitationMail({ to: row.email, merchantName: merchant.name, role, url }));
}
