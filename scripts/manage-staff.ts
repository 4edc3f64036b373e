import { recordPlatformChange } from '../accounts/platform/audit.ts';
import { signInAddress } from '../contract/schemas/sign-in-address.ts';
import { newId } from '../domain/new-id.ts';
import { UserError } from '../domain/user-error.ts';
import type { Database } from '../prisma/client.ts';
import type { Prisma } from '../prisma/generated/client.ts';
import { operatorAuthor } from './operator.ts';

/**
 * Makes a person one of the platform's staff. A person who does not exist is made, without a password: a mail for a new password
 * goes to the address only.
 * @returns whether the person was made
 * @throws UserError for what is no e-mail address, or one that its person has not confirmed
 */
export async function addStaff(
  database: Database,
  { email: given, name }: { readonly email: string; readonly name?: string | undefined },
): Promise<{ readonly isNew: boolean }> {
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
    return { isNew: known === null };
  });
}

function newPerson(email: string, name = '') {
  return { id: newId('person'), name, email, emailVerified: true };
}

/** Ends a person's work for the platform, and every session of the person. @throws UserError for who is none of the staff */
export async function removeStaff(database: Database, given: string): Promise<void> {
  const email = parseEmail(given);
  await database.$transaction(async (transaction) => {
    const person = await transaction.person.findUnique({ where: { email } });
    const personId = person?.id ?? '';
    const { count } = await transaction.platformStaff.deleteMany({ where: { personId } });
    if (person === null || count === 0) {
      throw new UserError(`${email} is none of the staff. This lists them: npm run staff -- list`);
    }
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
  action: 'staff.added' | 'staff.removed',
  { id, email }: { readonly id: string; readonly email: string },
): Promise<void> {
  return recordPlatformChange(transaction, operatorAuthor(), { action, resource: { id, name: email }, reason: null });
}

function parseEmail(text: string): string {
  const parsed = signInAddress.safeParse(text);
  if (!parsed.success)
    throw new UserError(`Expected an e-mail address, whose part before the @ is ASCII; got "${text}".`);
  return parsed.data;
}
