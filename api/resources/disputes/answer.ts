import { requireId } from '../../../accounts/row-scope.ts';
import type { UpdateDispute, UploadDisputeFile } from '../../../contract/schemas/dispute.ts';
import { ApiError } from '../../../domain/api-error.ts';
import { type DisputeOperation, STATUS_OF_OPERATION } from '../../../domain/dispute.ts';
import { MAXIMUM_FILES_BYTES } from '../../../domain/dispute-evidence.ts';
import type { Principal } from '../../../domain/principal.ts';
import type { Database } from '../../../prisma/connection/client.ts';
import type { AccountScope } from '../../../prisma/fragments/conditions.ts';
import {
  deleteDisputeFile,
  requestOperation,
  selectDispute,
  type StoredDispute,
  storeDisputeFile,
  updateEvidence,
} from '../../../prisma/queries/dispute.ts';
import { sealDisputeFile } from '../../../vault/dispute-file.ts';
import { disputeAnswersOf } from '../../../providers/provider-kinds.ts';
import type { Keyring } from '../../../vault/keyring.ts';
import type { DisputeWorkflows } from '../../../workflow-client/dispute-workflows.ts';
import { TemporalUnavailableError } from '../../../workflow-client/temporal-errors.ts';
import { disputeInputOf } from '../../../workflow-client/workflow-inputs.ts';
import type { Execution } from '../../idempotency/idempotency.ts';

/** The dependencies of the operations on disputes. */
export interface DisputeDependencies {
  readonly database: Database;
  readonly keyring: Keyring;
  readonly disputeWorkflows: Pick<DisputeWorkflows, 'wake'>;
}

/** @throws ApiError `RESOURCE_NOT_FOUND` when the account has none of that id */
export async function readDispute(
  { direct }: Pick<Database, 'direct'>,
  scope: AccountScope,
  id: string,
): Promise<StoredDispute> {
  const stored = await direct.row(selectDispute(requireId('dispute', id), scope));
  if (stored === undefined) throw new ApiError('RESOURCE_NOT_FOUND');
  return stored;
}

/** @throws ApiError `RESOURCE_NOT_FOUND`, `STATE_CONFLICT` where the provider takes no answers from the engine */
async function readAnswerable(database: Database, scope: AccountScope, id: string): Promise<StoredDispute> {
  const stored = await readDispute(database, scope, id);
  const { provider } = stored.dispute;
  if (disputeAnswersOf(provider) !== null) return stored;
  throw new ApiError('STATE_CONFLICT', {
    message: "The engine cannot answer disputes of this provider. Answer in the provider's dashboard.",
    details: { provider, reason: 'not_supported_by_provider' },
  });
}

/**
 * Changes the texts of a draft.
 * @throws ApiError `RESOURCE_NOT_FOUND`, `STATE_CONFLICT` where the dispute can be answered no more
 */
export async function updateDraft(
  { database }: DisputeDependencies,
  scope: AccountScope,
  id: string,
  { evidence }: UpdateDispute,
): Promise<StoredDispute> {
  const stored = await readAnswerable(database, scope, id);
  const changed = await database.direct.row(updateEvidence(id, scope, evidence));
  if (changed === undefined) throw notAnswerable(stored);
  return readDispute(database, scope, id);
}

/**
 * Stores a file of a draft, encrypted.
 * @throws ApiError `RESOURCE_NOT_FOUND`, `STATE_CONFLICT` where the dispute can be answered no more, or its files would be too large
 */
export async function uploadFile(
  { database, keyring }: DisputeDependencies,
  scope: AccountScope,
  id: string,
  { kind, contentType, content }: UploadDisputeFile,
): Promise<StoredDispute> {
  const stored = await readAnswerable(database, scope, id);
  const bytes = Buffer.from(content, 'base64');
  const sealed = sealDisputeFile(keyring, { disputeId: id, kind, ...scopeOf(scope) }, bytes);
  const file = { kind, contentType, sizeBytes: bytes.length, ...sealed, maximumBytes: MAXIMUM_FILES_BYTES };
  const written = await database.direct.row(storeDisputeFile(id, scope, file));
  if (written === undefined) throw notAnswerable(stored);
  if (!written.isStored) throw tooLarge(bytes.length, written.otherBytes);
  return readDispute(database, scope, id);
}

function scopeOf({ merchantAccountId, environment }: AccountScope) {
  return { merchantAccountId, environment };
}

function tooLarge(sizeBytes: number, otherBytes: number): ApiError {
  return new ApiError('STATE_CONFLICT', {
    message:
      `Expected at most ${MAXIMUM_FILES_BYTES} bytes in all files of the dispute; the other files have ${otherBytes}, and this one ` +
      `has ${sizeBytes}. Delete one, or make this one smaller.`,
    details: { reason: 'files_too_large', maximumBytes: MAXIMUM_FILES_BYTES, otherBytes, sizeBytes },
  });
}

/** Deletes a file of a draft. @throws ApiError `RESOURCE_NOT_FOUND`, `STATE_CONFLICT` */
export async function deleteFile(
  { database }: DisputeDependencies,
  scope: AccountScope,
  id: string,
  kind: string,
): Promise<StoredDispute> {
  const stored = await readDispute(database, scope, id);
  if (!stored.files.some((file) => file.kind === kind)) throw new ApiError('RESOURCE_NOT_FOUND');
  const deleted = await database.direct.row(deleteDisputeFile(id, scope, kind));
  if (deleted === undefined) throw notAnswerable(stored);
  return readDispute(database, scope, id);
}

/**
 * Requests that the provider takes the evidence, or that the money is given up. Row first, workflow second: once the row is written
 * the provider is called, whatever happens to this process or to Temporal, because the sweeper wakes the workflow.
 * @throws ApiError `RESOURCE_NOT_FOUND`, `MISSING_REQUIRED_FIELD` without evidence, `STATE_CONFLICT` also where the provider does not
 *   take this evidence
 */
export async function requestDisputeOperation(
  { database, disputeWorkflows }: DisputeDependencies,
  principal: Principal,
  { id, kind, execution }: { readonly id: string; readonly kind: DisputeOperation; readonly execution: Execution },
): Promise<StoredDispute> {
  const stored = await readAnswerable(database, principal, id);
  const { operationId } = execution;
  if (stored.dispute.operation_id !== operationId) {
    if (kind === 'submit') requireEvidence(stored);
    const { provider } = stored.dispute;
    const author = principal.actor.type === 'person' ? principal : null;
    const status = STATUS_OF_OPERATION[kind];
    const requested = { disputeId: id, account: principal, provider, kind, status, operationId, author };
    if ((await database.direct.row(requestOperation(requested))) === undefined) {
      throw notAnswerable(await readDispute(database, principal, id));
    }
  }
  await wakeIfPossible(disputeWorkflows, stored);
  return readDispute(database, principal, id);
}

async function wakeIfPossible(
  disputeWorkflows: Pick<DisputeWorkflows, 'wake'>,
  { dispute }: StoredDispute,
): Promise<void> {
  try {
    await disputeWorkflows.wake(disputeInputOf(dispute));
  } catch (error) {
    if (!(error instanceof TemporalUnavailableError)) throw error;
  }
}

function requireEvidence({ dispute: { provider }, evidence, files }: StoredDispute): void {
  if (Object.keys(evidence).length > 0 || files.length > 0) {
    const problem = disputeAnswersOf(provider)?.problemWith({ evidence, files }) ?? null;
    if (problem === null) return;
    throw new ApiError('STATE_CONFLICT', {
      message: problem,
      details: { provider, reason: 'evidence_not_taken_by_provider' },
    });
  }
  throw new ApiError('MISSING_REQUIRED_FIELD', {
    message: 'Expected evidence, because a submission is final; the dispute has none. Send texts or files first.',
    details: { field: 'evidence', reason: 'required' },
  });
}

function notAnswerable({
  dispute: { status, respond_by: respondBy, is_defendable: isDefendable },
}: StoredDispute): ApiError {
  const isOver = respondBy !== null && Date.parse(respondBy) <= Date.now();
  const details = { status, respondBy, isDefendable };
  if (status === 'needs_response' && isOver) {
    return new ApiError('STATE_CONFLICT', {
      message: `Expected an answer before ${respondBy}. The time to answer is over.`,
      details: { ...details, reason: 'response_time_over' },
    });
  }
  if (status === 'needs_response' && isDefendable === false) {
    return new ApiError('STATE_CONFLICT', {
      message:
        'Expected a dispute that can be defended; the provider says that this one cannot. Accept it, or leave it.',
      details: { ...details, reason: 'not_defendable' },
    });
  }
  if (status === 'needs_response') {
    return new ApiError('STATE_CONFLICT', {
      message:
        "The account at the provider was deleted, so the engine cannot answer there. Answer in the provider's dashboard.",
      details: { ...details, reason: 'provider_account_deleted' },
    });
  }
  return new ApiError('STATE_CONFLICT', {
    message: `Expected a dispute in needs_response; it is in ${status}.`,
    details: { ...details, reason: 'not_waiting_for_answer' },
  });
}
