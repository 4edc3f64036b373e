import { hash } from 'node:crypto';
import { recordCreations } from '../../accounts/audit.ts';
import { describeAccount } from '../../accounts/merchants/stored-account.ts';
import { createSimulatorRoutes } from '../../accounts/payment-routes/simulator-routes.ts';
import { ApiError } from '../../domain/api-error.ts';
import { describeMember, PERSON_COLUMNS } from '../../accounts/team-members/stored-member.ts';
import { newId } from '../../domain/new-id.ts';
import { type Environment, ENVIRONMENTS } from '../../domain/payment.ts';
import type { Role } from '../../domain/roles.ts';
import { type Database, transactionWithLock } from '../../prisma/connection/client.ts';
import type { Invitation, Prisma } from '../../prisma/generated/client.ts';
import { lockPerson } from '../../prisma/queries/lock.ts';
import type { SignedInPerson } from './signed-in-person.ts';

const ACCOUNT_NAME = 'Main account';
/** A person's first steps are audited without an address: they come from a link in a mail. */
const FROM_MAIL = 'e-mail';

/**
 * Makes the merchant that a person signed up for, with an account in each environment, unless the person is in a team.
 * @param simulators where its payments in the sandbox go
 */
export async function createMerchantOf(
  { database, simulators }: { readonly database: Database; readonly simulators: readonly string[] },
  personId: string,
): Promise<void> {
  await transactionWithLock(database, lockPerson(personId), async (transaction) => {
    const person = await transaction.person.findUniqueOrThrow({ where: { id: personId } });
    const isInTeam = (await transaction.membership.count({ where: { personId } })) > 0;
    if (person.merchantName === null || isInTeam) return;
    const merchantId = newId('merchant');
    await transaction.merchant.create({ data: { id: merchantId, name: person.merchantName } });
    for (const environment of ENVIRONMENTS) {
      const account = { id: newId('merchantAccount'), merchantId, environment, name: ACCOUNT_NAME };
      const rows = await transaction.merchantAccount.createManyAndReturn({ data: [account] });
      const author = authorOf(personId, merchantId, environment);
      await recordCreations(
        transaction,
        { author, action: 'merchant_account.created', describe: describeAccount },
        rows,
      );
    }
    await createSimulatorRoutes(transaction, authorOf(personId, merchantId, 'sandbox'), simulators);
    await join(transaction, { personId, merchantId, role: 'owner' });
  });
}

/** An invitation as the invited person sees it before signing in. */
export interface ShownInvitation {
  readonly merchantName: string;
  readonly email: string;
  readonly role: string;
}

/** What the link of an invitation says; null where it is unknown, withdrawn, accepted or expired. */
export async function findInvitation(database: Database, token: string): Promise<ShownInvitation | null> {
  const where = { tokenHash: hashToken(token), expiresAt: { gt: new Date() } };
  const found = await database.invitation.findUnique({ where, include: { merchant: true } });
  return found === null ? null : { merchantName: found.merchant.name, email: found.email, role: found.role };
}

/**
 * Takes a person into the team that invited the person's e-mail address, and uses the invitation up.
 * @throws ApiError `RESOURCE_NOT_FOUND` for an invitation of somebody else too, `STATE_CONFLICT` for who is in a team already
 */
export async function acceptInvitation(database: Database, person: SignedInPerson, token: string): Promise<void> {
  await transactionWithLock(database, lockPerson(person.id), async (transaction) => {
    const where = { tokenHash: hashToken(token), email: person.email, expiresAt: { gt: new Date() } };
    const invitation = person.emailVerified ? await transaction.invitation.findUnique({ where }) : null;
    if (invitation === null) {
      throw new ApiError('RESOURCE_NOT_FOUND', {
        message:
          'Expected an invitation for the e-mail address that you signed in with; this one is for another address, has expired, ' +
          'or was withdrawn. Ask an owner of the team for a new one.',
      });
    }
    if ((await transaction.membership.count({ where: { personId: person.id } })) > 0) {
      throw new ApiError('STATE_CONFLICT', {
        message: 'You are in a team already. Leave it first, or ask for an invitation of another e-mail address.',
      });
    }
    const { count } = await transaction.invitation.deleteMany({ where: { id: invitation.id } });
    if (count === 0) throw new ApiError('RESOURCE_NOT_FOUND');
    await join(transaction, { personId: person.id, merchantId: invitation.merchantId, role: roleOf(invitation) });
  });
}

function roleOf({ role }: Invitation): Role {
  return role as Role;
}

async function join(
  transaction: Prisma.TransactionClient,
  { personId, merchantId, role }: { readonly personId: string; readonly merchantId: string; readonly role: Role },
): Promise<void> {
  const data = { personId, merchantId, role };
  const member = await transaction.membership.create({ data, include: { person: PERSON_COLUMNS } });
  for (const environment of ENVIRONMENTS) {
    const author = authorOf(personId, merchantId, environment);
    await recordCreations(transaction, { author, action: 'team_member.joined', describe: describeMember }, [member]);
  }
}

function authorOf(personId: string, merchantId: string, environment: Environment) {
  return { merchantId, environment, actor: { type: 'person', id: personId, address: FROM_MAIL } } as const;
}

/** SHA-256, hex: what is stored of an invitation's token. */
function hashToken(token: string): string {
  return hash('sha256', token, 'hex');
}
