import type { Logger } from 'pino';
import { ROLES, roleHas } from '../../domain/roles.ts';
import { HOUR_MS, MINUTE_MS } from '../../domain/time.ts';
import type { Mailer } from '../../mail/mailer.ts';
import { failingEndpointMail } from '../../mail/messages.ts';
import type { Database } from '../../prisma/connection/client.ts';
import { claimUnmailedFailures, FAILING_AT_ONCE } from '../../prisma/queries/failing-endpoint.ts';

/** An endpoint that fails for so long is somebody's work; shorter failures mend themselves. */
const TELL_AFTER_MS = HOUR_MS;
const LOOK_EVERY_MS = MINUTE_MS;
/** People of one team who get a mail at most. */
const MOST_RECIPIENTS = 20;
/** The roles that can do something about it. */
const ROLES_MAILED = ROLES.filter((role) => roleHas(role, 'webhook-endpoints:write'));

interface Dependencies {
  readonly database: Database;
  readonly mailer: Pick<Mailer, 'post'>;
  /** The origin of the dashboard. */
  readonly publicUrl: string;
}

/**
 * Tells the people who look after webhooks of each endpoint that has failed for an hour, once for each time that it fails. A mail that
 * the mail server does not take is lost.
 * @returns how many endpoints they were told of
 */
export async function tellOfFailingEndpoints({ database, mailer, publicUrl }: Dependencies): Promise<number> {
  const endpoints = await database.direct.rows(claimUnmailedFailures(TELL_AFTER_MS));
  for (const { webhookEndpointId, merchantAccountId, environment, failingSince, lastFailure } of endpoints) {
    const { name: accountName, merchant } = await database.merchantAccount.findUniqueOrThrow({
      where: { id: merchantAccountId },
      select: { name: true, merchant: { select: { id: true, name: true } } },
    });
    const people = await database.membership.findMany({
      where: { merchantId: merchant.id, role: { in: ROLES_MAILED }, person: { emailVerified: true } },
      select: { person: { select: { email: true } } },
      orderBy: { createdAt: 'asc' },
      take: MOST_RECIPIENTS,
    });
    const about = { merchantName: merchant.name, accountName, environment, failingSince, lastFailure };
    const page = `${publicUrl}/${environment}/${merchantAccountId}/webhook-endpoints/${webhookEndpointId}/show`;
    for (const { person } of people) mailer.post(failingEndpointMail({ ...about, to: person.email, url: page }));
  }
  return endpoints.length;
}

/** Looks for failing endpoints each minute, until it is stopped. */
export function watchFailingEndpoints(dependencies: Dependencies, logger: Logger): { stop(): Promise<void> } {
  let run: Promise<void> = Promise.resolve();
  const look = async (): Promise<void> => {
    try {
      while ((await tellOfFailingEndpoints(dependencies)) === FAILING_AT_ONCE);
    } catch (error) {
      logger.warn({ err: error }, 'people were not told of failing webhook endpoints');
    }
  };
  const timer = setInterval(() => {
    run = run.then(look);
  }, LOOK_EVERY_MS);
  return {
    async stop() {
      clearInterval(timer);
      await run;
    },
  };
}
