import type { Database } from '../prisma/connection/client.ts';
import {
  CREDENTIALS_TEST,
  noteAcceptedCredentials,
  noteRefusedCredentials,
} from '../prisma/queries/provider-account.ts';
import type { ProviderOperation } from '../providers/around-calls.ts';
import type { RefusalNotes } from '../providers/note-refusals.ts';
import type { NotedAccount } from './provider-accounts.ts';

/** The alert when a provider refuses the credentials of an account. */
export const PROVIDER_CREDENTIALS_REFUSED = 'PROVIDER_CREDENTIALS_REFUSED';

type RefusalLog = Readonly<Record<'error' | 'info' | 'warn', (fields: object, message: string) => void>>;

/** Keeps in an account's row since when its provider refuses the credentials, tells the merchant by an event, and logs an alert. */
export function accountRefusals(
  { direct }: Pick<Database, 'direct'>,
  logger: RefusalLog,
  account: NotedAccount,
): RefusalNotes {
  const { id: provider } = account;
  const noting = async (work: () => Promise<void>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      logger.warn({ provider, err: error }, 'whether a provider refuses the credentials could not be noted');
    }
  };
  return {
    refused: (operation, reason) =>
      noting(async () => {
        if (account.refusal !== null && !account.refusal.isOfEarlier) return;
        const noted = await direct.row(noteRefusedCredentials(account, operation));
        account.refusal = { operation, isOfEarlier: false };
        if (noted !== undefined) logRefusal(logger, { provider, operation, reason });
      }),
    accepted: (operation) =>
      noting(async () => {
        if (!showsAccepted(account, operation)) return;
        const noted = await direct.row(noteAcceptedCredentials(account, operation));
        account.refusal = null;
        if (noted !== undefined) logger.info({ provider, operation }, ACCEPTED);
      }),
  };
}

/** Whether an answered call shows that credentials work which were refused. Another operation may need more rights. */
function showsAccepted({ refusal }: NotedAccount, operation: ProviderOperation): boolean {
  return refusal !== null && (refusal.isOfEarlier || [operation, CREDENTIALS_TEST].includes(refusal.operation));
}

/** The same for a provider of the operator's settings, which has no row: the log alone tells of it. */
export function loggedRefusals(logger: Pick<RefusalLog, 'error' | 'info'>, provider: string): RefusalNotes {
  const refused = new Set<ProviderOperation>();
  return {
    refused: (operation, reason) => {
      if (!refused.has(operation)) logRefusal(logger, { provider, operation, reason });
      refused.add(operation);
      return Promise.resolve();
    },
    accepted: (operation) => {
      if (refused.delete(operation)) logger.info({ provider, operation }, ACCEPTED);
      return Promise.resolve();
    },
  };
}

const ACCEPTED = 'a provider accepts the credentials again';

function logRefusal(logger: Pick<RefusalLog, 'error'>, fields: object): void {
  logger.error({ alert: PROVIDER_CREDENTIALS_REFUSED, ...fields }, 'a provider refuses the credentials');
}
