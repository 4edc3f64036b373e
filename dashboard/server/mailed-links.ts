import { hash } from 'node:crypto';
import { newUniquePart } from '../../domain/new-id.ts';
import { HOUR_MS } from '../../domain/time.ts';
import type { Database } from '../../prisma/connection/client.ts';
import { ENROLMENT_LINK } from '../../prisma/stores/staff-enrolment.ts';

/** How long a link in a mail is good for. */
export const LINK_MS = HOUR_MS;

/** The kinds of links, as the identifiers of their rows begin. The first is the library's own. */
export const RESET_LINK = 'reset-password:';
const CONFIRMATION_LINK = 'confirm-address:';

/** What is stored of a link's token: the kind, by which links of one person are found, and a hash. */
export function storedLink(kind: string, token: string): string {
  return `${kind}${hash('sha256', token, 'hex')}`;
}

/** Ends the links of a kind that a person has: a newer one takes their place. */
export async function endLinksOfKind(database: Database, kind: string, personId: string): Promise<void> {
  await database.personVerification.deleteMany({ where: { value: personId, identifier: { startsWith: kind } } });
}

/**
 * Ends everything that a person has begun by mail or password: all links, and sign-ins that lack their second factor. The link that an
 * operator gave one of the staff stays: it is no mail, and needs the password beside it.
 */
export async function endAllLinks(database: Database, personId: string): Promise<void> {
  await database.personVerification.deleteMany({
    where: { value: personId, NOT: { identifier: { startsWith: ENROLMENT_LINK } } },
  });
}

/** Opens the link that confirms an address, in place of those before. */
export async function openConfirmation(database: Database, personId: string, token: string): Promise<void> {
  await endLinksOfKind(database, CONFIRMATION_LINK, personId);
  await database.personVerification.create({
    data: {
      id: newUniquePart(),
      identifier: storedLink(CONFIRMATION_LINK, token),
      value: personId,
      expiresAt: new Date(Date.now() + LINK_MS),
    },
  });
}

/** Whether a link to confirm an address is the newest of its person. A second click on it changes nothing, and is no error. */
export async function isOpenConfirmation(database: Database, token: string): Promise<boolean> {
  const where = { identifier: storedLink(CONFIRMATION_LINK, token) };
  return (await database.personVerification.count({ where })) > 0;
}

/**
 * Removes a person who has never confirmed the address, with the name, password and merchant that somebody typed: whoever signs up
 * with the address later may be its owner.
 */
export async function removeUnconfirmed(database: Database, email: string): Promise<void> {
  const where = { email, emailVerified: false, membership: null };
  const found = await database.person.findFirst({ where, select: { id: true } });
  if (found === null) return;
  await endAllLinks(database, found.id);
  await database.person.deleteMany({ where: { ...where, id: found.id } });
}
