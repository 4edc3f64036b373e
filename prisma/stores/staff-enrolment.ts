import { hash, randomBytes } from 'node:crypto';
import { newUniquePart } from '../../domain/new-id.ts';
import { DAY_MS } from '../../domain/time.ts';
import type { Prisma } from '../generated/client.ts';

/** How the identifiers of these rows begin. A change of the password, with which a new member of the staff begins, leaves them. */
export const ENROLMENT_LINK = 'staff-second-factor:';
const ENROLMENT_MS = DAY_MS;
const TOKEN_BYTES = 32;

type Rows = Pick<Prisma.TransactionClient, 'personVerification'>;

/** Makes the link with which one of the staff sets a second factor up, in place of those before. @returns its token */
export async function openEnrolment(rows: Rows, personId: string): Promise<string> {
  await closeEnrolments(rows, personId);
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  const expiresAt = new Date(Date.now() + ENROLMENT_MS);
  const data = { id: newUniquePart(), identifier: identifierOf(token), value: personId, expiresAt };
  await rows.personVerification.create({ data });
  return token;
}

/** Whether a token is that of a person's link. */
export async function isOpenEnrolment(rows: Rows, personId: string, token: string): Promise<boolean> {
  const where = { identifier: identifierOf(token), value: personId, expiresAt: { gt: new Date() } };
  return (await rows.personVerification.count({ where })) > 0;
}

/** Ends the links of a person. */
export async function closeEnrolments(rows: Rows, personId: string): Promise<void> {
  await rows.personVerification.deleteMany({ where: { value: personId, identifier: { startsWith: ENROLMENT_LINK } } });
}

/** The path in the dashboard of a link. */
export function enrolmentPath(token: string): string {
  return `/console?enrolment=${token}`;
}

function identifierOf(token: string): string {
  return `${ENROLMENT_LINK}${hash('sha256', token, 'hex')}`;
}
