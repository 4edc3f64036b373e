import { newId } from '../domain/new-id.ts';
import { ENVIRONMENTS } from '../domain/payment.ts';
import {
  comparePayment,
  type Difference,
  DIFFERENCE_ACTIONS,
  isComparable,
  type ListedPayment,
  missingPayment,
  type RecordedAttempt,
  repairEventOf,
} from '../domain/reconciliation.ts';
import type { AccountScope } from '../prisma/fragments/conditions.ts';
import type { ReconciliationRun } from '../prisma/generated/client.ts';
import type { AccountCounts, ComparedPage, NewDifference } from '../prisma/queries/reconciliation.ts';
import type { PageToCompare } from './read-reconciliation-page.ts';

/** Compares a page with our rows, by the rules of the domain. */
export function comparePage(run: ReconciliationRun, page: PageToCompare): ComparedPage {
  const found = compareAll(page, run);
  return comparedPageOf(run, {
    compared: [...found.compared, ...page.missing],
    differences: [...found.differences, ...page.missing.map(missingPayment)],
    attemptIds: page.attemptIds,
    nextCursor: page.nextCursor,
  });
}

/** What was compared for a page, and what differs. */
type Comparison = Pick<ComparedPage, 'attemptIds' | 'nextCursor'> & {
  /** Null for each payment that is not ours. */
  readonly compared: ComparedAttempts;
  readonly differences: readonly Difference[];
};

/** The page with what is written for it: counts by account, rows of differences, and events of repairs. */
export function comparedPageOf(
  run: ReconciliationRun,
  { compared, differences, attemptIds, nextCursor }: Comparison,
): ComparedPage {
  return {
    runId: run.id,
    page: run.pages,
    nextCursor,
    compared: compared.length,
    attemptIds,
    accounts: countByAccount(run, compared, differences),
    differences: differences.map((difference) => newDifferenceOf(difference, run)),
    reports: differences.flatMap((difference) => {
      const event = repairEventOf(difference, run.provider, run.id);
      return event === null || difference.attempt === null
        ? []
        : [{ paymentIntentId: difference.attempt.paymentIntentId, event }];
    }),
  };
}

type ComparedAttempts = readonly (RecordedAttempt | null)[];

/** @returns the attempts that were compared, null for each payment that is not ours, and the differences */
function compareAll(
  { payments, recorded, window }: PageToCompare,
  { provider }: ReconciliationRun,
): { readonly compared: ComparedAttempts; readonly differences: readonly Difference[] } {
  const attempts = new Map(recorded.map((row) => [row.attemptId, row]));
  const pairs = payments
    .map((listed) => ({ listed, recorded: attempts.get(listed.attemptId ?? '') }))
    .filter(({ listed, recorded: attempt }) => !isOfOtherName(listed, attempt, provider))
    .map((pair) => (pair.recorded?.provider === provider ? pair : { ...pair, recorded: undefined }))
    .filter(({ listed, recorded: attempt }) => isComparable(listed, attempt, window));
  return {
    compared: pairs.map((pair) => pair.recorded ?? null),
    differences: pairs.flatMap((pair) => comparePayment(pair.listed, pair.recorded, window.to)),
  };
}

/** Two names may lead to one account at a vendor: then each lists the payments of both, and compares its own. */
function isOfOtherName(listed: ListedPayment, attempt: RecordedAttempt | undefined, provider: string): boolean {
  return (
    attempt !== undefined && attempt.provider !== provider && attempt.providerPaymentId === listed.providerPaymentId
  );
}

/** Everything listed at a merchant account's own account is the merchant's, even payments that are not ours. */
function countByAccount(
  run: ReconciliationRun,
  compared: ComparedAttempts,
  differences: readonly Difference[],
): readonly AccountCounts[] {
  const owner = ownerOf(run);
  if (owner !== null) return [{ ...owner, compared: compared.length, ...countActions(differences) }];
  const accounts = new Map(
    compared.flatMap((attempt) =>
      attempt === null ? [] : [[attempt.merchantAccountId, attempt.environment] as const],
    ),
  );
  return [...accounts].map(([merchantAccountId, environment]) => ({
    merchantAccountId,
    environment,
    compared: compared.filter((attempt) => attempt?.merchantAccountId === merchantAccountId).length,
    ...countActions(differences.filter(({ attempt }) => attempt?.merchantAccountId === merchantAccountId)),
  }));
}

function countActions(differences: readonly Difference[]): Pick<AccountCounts, 'repaired' | 'reported'> {
  const repaired = differences.filter(({ kind }) => DIFFERENCE_ACTIONS[kind] === 'repaired').length;
  return { repaired, reported: differences.length - repaired };
}

/** Whose account at the provider it is; null where accounts share the provider. */
function ownerOf({ merchantAccountId, environment }: ReconciliationRun): AccountScope | null {
  const known = ENVIRONMENTS.find((each) => each === environment);
  return merchantAccountId === null || known === undefined ? null : { merchantAccountId, environment: known };
}

/** A payment that is not ours belongs to the merchant account that owns the account at the provider, if there is one. */
function newDifferenceOf(difference: Difference, run: ReconciliationRun): NewDifference {
  const { kind, attempt, attemptId, refundId, providerPaymentId, ours, theirs } = difference;
  const account = attempt ?? ownerOf(run);
  return {
    kind,
    action: DIFFERENCE_ACTIONS[kind],
    merchantAccountId: account?.merchantAccountId ?? null,
    environment: account?.environment ?? null,
    paymentIntentId: attempt?.paymentIntentId ?? null,
    attemptId,
    refundId,
    providerPaymentId,
    ours,
    theirs,
    eventId: newId('event'),
  };
}
