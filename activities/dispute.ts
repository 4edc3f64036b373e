import { ApplicationFailure } from '@temporalio/activity';
import { ApplicationFailureCategory } from '@temporalio/common';
import type { DisputeOperation, DisputeReport } from '../domain/dispute.ts';
import type { DisputeState } from '../domain/dispute-plan.ts';
import { type KnownDispute, stepOfAnswer, stepOfOperation, stepOfReminder } from '../domain/dispute-step.ts';
import type { PaymentError } from '../domain/payment.ts';
import type { PaymentStep } from '../domain/payment-step.ts';
import type { Database } from '../prisma/connection/client.ts';
import { beginOperation, selectDisputeFiles, selectDisputeForWork, undoBeginning } from '../prisma/queries/dispute.ts';
import type { RowOf } from '../prisma/connection/statement.ts';
import type {
  DisputeAnswer,
  DisputeAnswerOutcome,
  DisputeReference,
  EvidenceFile,
  PaymentProvider,
} from '../providers/payment-provider.ts';
import { withEventIds } from '../providers/dispute-reports.ts';
import { CredentialsRefusedError } from '../providers/provider-errors.ts';
import type { ProviderRegistry } from '../providers/provider-registry.ts';
import type { DisputeActivities, DisputeAnswerRequest, DisputeReminder } from '../protocol/dispute-activities.ts';
import { openDisputeFile } from '../vault/dispute-file.ts';
import type { Keyring } from '../vault/keyring.ts';
import { retryWhileDatabaseIsUnavailable, withHeartbeat } from './provider-calls.ts';
import { recordDispute } from './record-dispute.ts';

export interface DisputeDependencies {
  readonly database: Pick<Database, 'direct'>;
  readonly registry: Pick<ProviderRegistry, 'find'>;
  readonly keyring: Keyring;
}

/** The activities of a dispute's workflow. */
export function createDisputeActivities(dependencies: DisputeDependencies): DisputeActivities {
  return {
    readDispute: (disputeId) => readDispute(dependencies, disputeId),
    remindOfDispute: (reminder) => remindOfDispute(dependencies, reminder),
    answerDispute: (request) => answerDispute(dependencies, request),
    inquireDispute: (disputeId) => inquireDispute(dependencies, disputeId),
  };
}

type Work = RowOf<ReturnType<typeof selectDisputeForWork>>;

function read({ database }: DisputeDependencies, disputeId: string): Promise<Work | undefined> {
  return database.direct.row(selectDisputeForWork(disputeId));
}

async function readDispute(dependencies: DisputeDependencies, disputeId: string): Promise<DisputeState | null> {
  const work = await read(dependencies, disputeId);
  if (work === undefined) return null;
  const { dispute } = work;
  const { stage, status, reason, currency, operation, operation_id: operationId } = dispute;
  return {
    stage,
    status,
    reason,
    amountMinor: dispute.amount_minor,
    currency,
    respondBy: dispute.respond_by === null ? null : new Date(dispute.respond_by).toISOString(),
    withdrawnMinor: dispute.amount_withdrawn_minor,
    operation: operation === null || operationId === null ? null : { id: operationId, kind: operation },
    createdAt: new Date(dispute.created_at).toISOString(),
  };
}

async function remindOfDispute(
  dependencies: DisputeDependencies,
  { disputeId, respondBy, hours }: DisputeReminder,
): Promise<void> {
  const work = await read(dependencies, disputeId);
  if (work?.dispute.status !== 'needs_response' || work.dispute.respond_by === null) return;
  if (Date.parse(work.dispute.respond_by) !== Date.parse(respondBy)) return;
  const stepId = `${disputeId}:response due:${respondBy}:${hours}`;
  await record(dependencies, work, stepId, (known) => stepOfReminder(known, hours));
}

/** An operation that is not known to have ended. */
interface Begun {
  readonly work: Work;
  readonly operationId: string;
  readonly kind: DisputeOperation;
}

async function answerDispute(
  dependencies: DisputeDependencies,
  { disputeId, operationId }: DisputeAnswerRequest,
): Promise<void> {
  const work = await read(dependencies, disputeId);
  if (work?.dispute.operation == null || work.dispute.operation_id !== operationId) return;
  const operation: Begun = { work, operationId, kind: work.dispute.operation };
  if (!work.isCalled && isTooLate(work)) return end(dependencies, operation, [], tooLate(work));
  const provider = await findProvider(dependencies, work);
  const call = provider === undefined ? undefined : callOf(provider, operation.kind);
  if (provider === undefined || call === undefined) return end(dependencies, operation, [], cannotBeCalled(work));
  if (work.isCalled && (await isAnswered(dependencies, provider, operation))) return;
  await callOnce(dependencies, operation, call);
}

async function callOnce(
  dependencies: DisputeDependencies,
  operation: Begun,
  call: NonNullable<ReturnType<typeof callOf>>,
): Promise<void> {
  const { work } = operation;
  try {
    const request = await requestOf(dependencies, operation);
    const outcome = await withHeartbeat((signal) => undoingRefusals(dependencies, operation, call(request, signal)));
    const isRefused = outcome.kind === 'refused';
    await end(dependencies, operation, isRefused ? [] : outcome.reports, isRefused ? refused(work, outcome) : null);
  } catch (error) {
    if (!(error instanceof NotBegun)) throw error;
    if (error.isTooLate) await end(dependencies, operation, [], tooLate(work));
  }
}

/** Why an answer is not given: nobody asks for it any more, or the time to answer is over. */
class NotBegun extends Error {
  override readonly name = 'NotBegun';

  constructor(readonly isTooLate: boolean) {
    super('the answer may not be given any more');
  }
}

async function begin({ database }: DisputeDependencies, { work, operationId }: Begun): Promise<void> {
  const begun = await database.direct.row(beginOperation(work.dispute.id, operationId));
  if (begun === undefined || begun.isTooLate) throw new NotBegun(begun !== undefined);
}

/** A provider that refuses who calls it has done nothing: the call is made again once the credentials are right. */
async function undoingRefusals<T>(
  { database }: DisputeDependencies,
  { work, operationId }: Begun,
  calling: Promise<T>,
): Promise<T> {
  try {
    return await calling;
  } catch (error) {
    const isFirst = !work.isCalled;
    if (isFirst && error instanceof CredentialsRefusedError) {
      await database.direct.execute(undoBeginning(work.dispute.id, operationId));
    }
    throw error;
  }
}

function isTooLate({ dispute: { respond_by: respondBy } }: Work): boolean {
  return respondBy !== null && Date.parse(respondBy) <= Date.now();
}

function callOf(
  provider: PaymentProvider,
  kind: DisputeOperation,
): ((request: DisputeAnswer, signal: AbortSignal) => Promise<DisputeAnswerOutcome>) | undefined {
  return kind === 'submit' ? provider.submitEvidence?.bind(provider) : provider.acceptDispute?.bind(provider);
}

/**
 * Whether an earlier call has reached its provider, whose outcome is unknown. A provider that cannot be asked reports it: until then
 * the activity fails, so that it is repeated.
 * @returns false where the provider says that it has done nothing: then the call may be repeated under its key
 */
async function isAnswered(
  dependencies: DisputeDependencies,
  provider: PaymentProvider,
  operation: Begun,
): Promise<boolean> {
  const { work } = operation;
  if (provider.inquireDispute === undefined) throw waitsForReport(work);
  const reports = await ask(provider, work);
  const [first] = stepReports(reports);
  if (first === undefined) return false;
  await end(dependencies, operation, reports, null);
  return true;
}

/** Reports of something that only an answer, or the end of the dispute, leads to. */
function stepReports(reports: readonly DisputeReport[]): readonly DisputeReport[] {
  const latest = reports.toSorted((left, right) => Date.parse(left.occurredAt) - Date.parse(right.occurredAt));
  const decisive = latest.findLast(({ status }) => status !== null);
  return decisive === undefined || decisive.status === 'needs_response' ? [] : [decisive];
}

function ask(provider: PaymentProvider, work: Work): Promise<readonly DisputeReport[]> {
  const reference = referenceOf(work);
  return withHeartbeat(async (signal) => (await provider.inquireDispute?.(reference, signal)) ?? []);
}

async function inquireDispute(dependencies: DisputeDependencies, disputeId: string): Promise<void> {
  const work = await read(dependencies, disputeId);
  if (work === undefined) return;
  const provider = await findProvider(dependencies, work);
  if (provider?.inquireDispute === undefined) return;
  const answered = withEventIds(await ask(provider, work), 'inquiry');
  const last = answered.at(-1);
  if (last === undefined) return;
  await record(dependencies, work, `dispute ${disputeId} ${last.eventId}`, (known) => stepOfAnswer(known, answered));
}

async function end(
  dependencies: DisputeDependencies,
  { work, operationId }: Begun,
  reports: readonly DisputeReport[],
  error: PaymentError | null,
): Promise<void> {
  const answered = withEventIds(reports, operationId);
  const stepId = `dispute ${work.dispute.id} operation ${operationId}`;
  await record(dependencies, work, stepId, (known) => stepOfOperation(known, answered, { operationId, error }));
}

async function record(
  { database }: DisputeDependencies,
  { dispute }: Work,
  stepId: string,
  step: (known: KnownDispute) => PaymentStep | null,
): Promise<void> {
  const { id: disputeId, payment_intent_id: paymentIntentId, attempt_id: attemptId, provider } = dispute;
  await recordDispute(database, { disputeId, paymentIntentId, attemptId, provider, stepId, step });
}

function findProvider({ registry }: DisputeDependencies, { dispute }: Work): Promise<PaymentProvider | undefined> {
  return retryWhileDatabaseIsUnavailable(() => registry.find(dispute.provider));
}

function referenceOf({ dispute, providerPaymentId }: Work): DisputeReference {
  const { id: disputeId, environment, provider_reference: providerReference, attempt_id: attemptId } = dispute;
  return { disputeId, environment, providerReference, attemptId, providerPaymentId };
}

async function requestOf(dependencies: DisputeDependencies, operation: Begun): Promise<DisputeAnswer> {
  const { work, operationId, kind } = operation;
  const isSubmission = kind === 'submit';
  return {
    ...referenceOf(work),
    operationId,
    stage: work.dispute.stage,
    reason: work.dispute.reason,
    evidence: isSubmission ? work.evidence : {},
    files: isSubmission ? await filesOf(dependencies, work) : [],
    begin: () => begin(dependencies, operation),
  };
}

async function filesOf(
  { database, keyring }: DisputeDependencies,
  { dispute }: Work,
): Promise<readonly EvidenceFile[]> {
  const files = await database.direct.rows(selectDisputeFiles(dispute.id));
  return files.map(({ kind, contentType, ...row }) => ({
    kind,
    contentType,
    content: openDisputeFile(keyring, { ...row, disputeId: dispute.id, kind }, row),
  }));
}

/** Benign, because a provider may take days: the log would have a line for each try. */
function waitsForReport({ dispute: { provider, id } }: Work): ApplicationFailure {
  return ApplicationFailure.create({
    type: 'WAITS_FOR_REPORT',
    category: ApplicationFailureCategory.BENIGN,
    message: `${provider} has not answered for ${id}, and cannot be asked: it reports the outcome by webhook`,
  });
}

function tooLate({ dispute: { provider } }: Work): PaymentError {
  return {
    code: 'STATE_CONFLICT',
    message: 'The time to answer was over before the provider could be called.',
    details: { provider, reason: 'response_time_over' },
  };
}

function cannotBeCalled({ dispute: { provider } }: Work): PaymentError {
  return {
    code: 'STATE_CONFLICT',
    message:
      "The engine cannot answer disputes there: the account was deleted, or the provider takes no answers. Answer in the provider's dashboard.",
    details: { provider, reason: 'not_supported_by_provider' },
  };
}

function refused(
  { dispute: { provider } }: Work,
  { providerResponse }: Extract<DisputeAnswerOutcome, { readonly kind: 'refused' }>,
): PaymentError {
  return {
    code: 'TSP_ERROR',
    message: 'The provider refused the answer. Change it as the provider says, and send it again.',
    details: { provider, reason: 'refused_by_provider', providerResponse },
  };
}
