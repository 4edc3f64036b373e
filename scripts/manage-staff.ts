import { recordPlatformChange } from '../accounts/platform/audit.ts';
import { signInAddress } from '../contract/schemas/sign-in-address.ts';
import type { PlatformAction } from '../domain/audit.ts';
import { newId } from '../domain/new-id.ts';
import { UserError } from '../domain/user-error.ts';
import type { Database } from '../prisma/connection/client.ts';
import type { Prisma } from '../prisma/generated/client.ts';
import { closeEnrolments, openEnrolment } from '../prisma/stores/staff-enrolment.ts';
import { operatorAuthor } from './operator.ts';

/**
 * Makes a person one of the platform's staff. A person who does not exist is made, without a password: a mail for a new password
 * goes to the address only.
 * @returns whether the person was made, and the token of the link that sets a second factor up; null for who has one
 * @throws UserError for what is no e-mail address, or one that its person has not confirmed
 */
export async function addStaff(
  database: Database,
  { email: given, name }: { readonly email: string; readonly name?: string | undefined },
): Promise<{ readonly isNew: boolean; readonly enrolmentToken: string | null }> {
  const email = parseEmail(given);
  const author = operatorAuthor();
  return database.$transaction(async (transaction) => {
    const known = await transaction.person.findUnique({ where: { email } });
    // Whoever signed up with the address may be somebody else, who knows the password.
    if (known?.emailVerified === false) {
      throw new UserError(
        `Somebody signed up with ${email} and has not confirmed it. They must open the link in the mail first.`,
      );
    }
    const person = known ?? (await transaction.person.create({ data: newPerson(email, name) }));
    const staff = { personId: person.id, addedBy: author.name };
    const { count } = await transaction.platformStaff.createMany({ data: [staff], skipDuplicates: true });
    if (count > 0) await record(transaction, 'staff.added', person);
    const enrolmentToken = person.twoFactorEnabled ? null : await openEnrolment(transaction, person.id);
    return { isNew: known === null, enrolmentToken };
  });
}

function newPerson(email: string, name = '') {
  return { id: newId('person'), name, email, emailVerified: true };
}

/**
 * Takes the second factor of one of the staff, if there is one, with all sessions, and makes the link that sets another one up.
 * @returns its token
 * @throws UserError for who is none of the staff
 */
export async function enrolStaff(database: Database, given: string): Promise<string> {
  const email = parseEmail(given);
  return database.$transaction(async (transaction) => {
    const person = await transaction.person.findFirst({ where: { email, platformStaff: { isNot: null } } });
    if (person === null) throw noStaff(email);
    const where = { personId: person.id };
    await transaction.personSecondFactor.deleteMany({ where });
    await transaction.person.update({ where: { id: person.id }, data: { twoFactorEnabled: false } });
    await transaction.personSession.deleteMany({ where });
    await record(transaction, 'staff.second_factor_reset', person);
    return openEnrolment(transaction, person.id);
  });
}

function noStaff(email: string): UserError {
  return new UserError(`${email} is none of the staff. This lists them: npm run staff -- list`);
}

/** Ends a person's work for the platform, and every session of the person. @throws UserError for who is none of the staff */
export async function removeStaff(database: Database, given: string): Promise<void> {
  const email = parseEmail(given);
  await database.$transaction(async (transaction) => {
    const person = await transaction.person.findUnique({ where: { email } });
    const personId = person?.id ?? '';
    const { count } = await transaction.platformStaff.deleteMany({ where: { personId } });
    if (person === null || count === 0) throw noStaff(email);
    await closeEnrolments(transaction, personId);
    await transaction.personSession.deleteMany({ where: { personId } });
    await record(transaction, 'staff.removed', person);
  });
}

/** The staff of the platform, those who were added first at the top. */
export function listStaff(database: Database) {
  const person = { select: { email: true, name: true, twoFactorEnabled: true } };
  return database.platformStaff.findMany({ include: { person }, orderBy: { createdAt: 'asc' } });
}

function record(
  transaction: Prisma.TransactionClient,
  action: Extract<PlatformAction, `staff.${string}`>,
  { id, email }: { readonly id: string; readonly email: string },
): Promise<void> {
  return recordPlatformChange(transaction, operatorAuthor(), { action, resource: { id, name: email }, reason: null });
}

function parseEmail(text: string): string {
  const parsed = signInAddress.safeParse(text);
  if (!parsed.success) throw new UserError(`Expected an e-mail address; got "${text}".`);
  return parsed.data;
}
