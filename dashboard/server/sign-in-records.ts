import type { Logger } from 'pino';
import { type Actor, ANONYMOUS, type SignInEvent } from '../../domain/audit.ts';
import { newId } from '../../domain/new-id.ts';
import { ENVIRONMENTS } from '../../domain/payment.ts';
import { redactText } from '../../domain/redaction.ts';
import type { Database } from '../../prisma/connection/client.ts';

/** What happened at the sign-in, and from where. */
export interface SignInRecord {
  readonly event: SignInEvent;
  /** Whose sign-in it is, by id or e-mail address; unknown addresses are in the process's log alone. */
  readonly of: { readonly personId: string } | { readonly email: string };
  /** Whether the person is known to have acted: somebody who fails may be anybody. */
  readonly isByPerson: boolean;
  readonly address: string;
  readonly userAgent: string | undefined;
  /** How the session began, or why it did not. */
  readonly details?: Readonly<Record<string, string | boolean>>;
}

/** Writes what happens at the sign-in into the audit log of the person's merchant, and of the platform for its staff. */
export interface SignInRecords {
  /** Resolves once it is written. */
  write(record: SignInRecord): Promise<void>;
  /** Writes it beside the answer, whose time must tell nothing. */
  writeLater(record: SignInRecord): void;
  /** Resolves once all is written. */
  close(): Promise<void>;
}

const LONGEST_USER_AGENT = 300;

export function createSignInRecords(database: Database, logger: Logger): SignInRecords {
  const open = new Set<Promise<void>>();
  const write = async (record: SignInRecord): Promise<void> => {
    const person = await findPerson(database, record.of);
    logger.info({ event: record.event, personId: person?.id, address: record.address, ...record.details }, 'sign-in');
    if (person === null) return;
    const { membership, platformStaff } = person;
    if (membership !== null) {
      const rows = ENVIRONMENTS.map((environment) => auditRow(record, person.id, { ...membership, environment }));
      await database.auditEvent.createMany({ data: rows });
    }
    // Not `create`, which would read the row: the dashboard may write the log, and read none of it.
    if (platformStaff !== null) await database.platformAuditEvent.createMany({ data: [platformRow(record, person)] });
  };
  return {
    write,
    writeLater(record) {
      const writing = write(record)
        .catch((error: unknown) => logger.error({ err: error, event: record.event }, 'a sign-in could not be recorded'))
        .finally(() => open.delete(writing));
      open.add(writing);
    },
    async close() {
      await Promise.all(open);
    },
  };
}

function findPerson(database: Database, of: SignInRecord['of']) {
  return database.person.findUnique({
    where: 'personId' in of ? { id: of.personId } : { email: of.email.trim().toLowerCase() },
    select: {
      id: true,
      email: true,
      membership: { select: { merchantId: true } },
      platformStaff: { select: { personId: true } },
    },
  });
}

function auditRow(
  record: SignInRecord,
  personId: string,
  { merchantId, environment }: { readonly merchantId: string; readonly environment: string },
) {
  const { type, id, address } = actorOf(record, personId);
  return {
    id: newId('auditEvent'),
    merchantId,
    environment,
    action: `team_member.${record.event}`,
    resourceId: personId,
    actorType: type,
    actorId: id,
    actorAddress: address,
    after: stateOf(record),
  };
}

function platformRow(record: SignInRecord, { id: personId, email }: { readonly id: string; readonly email: string }) {
  const { type, id, address } = actorOf(record, personId);
  return {
    id: newId('platformAuditEvent'),
    action: `staff.${record.event}`,
    resourceId: personId,
    resourceName: email,
    actorType: type,
    actorId: id,
    actorName: record.isByPerson ? email : id,
    actorAddress: address,
    reason: Object.entries(stateOf(record))
      .map(([name, value]) => `${name}: ${value}`)
      .join(', '),
  };
}

function actorOf({ isByPerson, address }: SignInRecord, personId: string): Actor {
  return isByPerson ? { type: 'person', id: personId, address } : { ...ANONYMOUS, address };
}

function stateOf({ details = {}, userAgent = '' }: SignInRecord) {
  return { ...details, userAgent: redactText(userAgent.slice(0, LONGEST_USER_AGENT)) };
}
