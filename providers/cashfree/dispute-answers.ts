import { DISPUTE_EVIDENCE_MEMBERS, type DisputeFileKind } from '../../domain/dispute-evidence.ts';
import type { DisputeReport } from '../../domain/dispute.ts';
import { withEventIds } from '../dispute-reports.ts';
import type {
  AttemptReference,
  DisputeAnswer,
  DisputeAnswerOutcome,
  DisputeReference,
  ListedDispute,
} from '../payment-provider.ts';
import { ProviderOutageError } from '../provider-errors.ts';
import type { DisputeAnswers } from '../provider-kind.ts';
import { type CashfreeClient, doneOf, type Refusal } from './client.ts';
import { disputeReportOf } from './disputes.ts';
import type { CashfreeDispute } from './messages.ts';

/** How Cashfree names what a file shows. */
const DOCUMENT_TYPES: Readonly<Record<DisputeFileKind, string>> = {
  receipt: 'Statement of Service',
  customer_communication: 'Customer Withdrawal Letter',
  customer_signature: 'Delivery/Service Proof',
  shipping_documentation: 'Shipping Proof',
  service_documentation: 'Proof of Service Used',
  refund_policy: 'Terms & Conditions',
  cancellation_policy: 'Terms & Conditions',
  duplicate_charge_documentation: 'Statement of Service',
  other: 'Business model explanation',
};

/** Cashfree names no event in its answers. */
const ASKED = 'DISPUTE_ASKED';

/** One file, so that one call is the whole answer: Cashfree examines the first one that it gets. The texts are its note. */
export const problemWithEvidence: DisputeAnswers['problemWith'] = ({ files }) =>
  files.length === 1
    ? null
    : `Expected one file, which is what Cashfree takes with the texts as its note; got ${files.length}. Put all into one PDF.`;

/** Uploads the file. It has no key, because Cashfree would repeat a stored error: the state of the dispute lets it happen once. */
export async function submitEvidence(
  client: CashfreeClient,
  answer: DisputeAnswer,
  signal: AbortSignal,
): Promise<DisputeAnswerOutcome> {
  const [file, ...others] = answer.files;
  const problem = problemWithEvidence(answer);
  if (file === undefined || others.length > 0) return { kind: 'refused', providerResponse: { reason: problem ?? '' } };
  const open = await requireOpen(client, answer, signal);
  if ('kind' in open) return open;
  await answer.begin();
  const { kind, contentType, content } = file;
  const note = noteOf(answer);
  const fields = { doc_type: DOCUMENT_TYPES[kind], ...(note === '' ? {} : { note }) };
  const fileName = `${kind}.${contentType.split('/')[1] ?? ''}`;
  const sent = await client.uploadDocument(
    answer.providerReference,
    { fields, file: { member: 'file', fileName, contentType, content } },
    signal,
  );
  const reports = await inquireDispute(client, answer, signal);
  if (sent.kind === 'refused' && isOpen(reports)) return refusedBy(sent);
  // Cashfree has the document; what it says of it may come a moment later.
  return { kind: 'answered', reports: isOpen(reports) ? [...reports, underReview(answer)] : reports };
}

/** Gives the dispute up. */
export async function acceptDispute(
  client: CashfreeClient,
  answer: DisputeAnswer,
  signal: AbortSignal,
): Promise<DisputeAnswerOutcome> {
  const open = await requireOpen(client, answer, signal);
  if ('kind' in open) return open;
  await answer.begin();
  const accepted = await client.acceptDispute(answer.providerReference, signal);
  if (accepted.kind === 'done') return { kind: 'answered', reports: [reportOf(accepted.value)] };
  const reports = await inquireDispute(client, answer, signal);
  return isOpen(reports) ? refusedBy(accepted) : { kind: 'answered', reports };
}

export async function inquireDispute(
  client: CashfreeClient,
  { providerReference }: Pick<DisputeReference, 'providerReference'>,
  signal: AbortSignal,
): Promise<readonly DisputeReport[]> {
  return [reportOf(doneOf(await client.getDispute(providerReference, signal)))];
}

/** The disputes of an attempt's order. */
export async function findDisputes(
  client: CashfreeClient,
  { attemptId }: Pick<AttemptReference, 'attemptId'>,
  signal: AbortSignal,
): Promise<readonly ListedDispute[]> {
  const found = await client.getDisputes(attemptId, signal);
  if (found.kind === 'refused' && found.meaning === 'not_found') return [];
  return doneOf(found).map((dispute) => ({
    attemptId,
    providerPaymentId: null,
    reports: withEventIds([reportOf(dispute)]),
  }));
}

/** What Cashfree says of a dispute that can be answered no more ends the operation; nothing is sent then. */
async function requireOpen(
  client: CashfreeClient,
  answer: DisputeAnswer,
  signal: AbortSignal,
): Promise<DisputeAnswerOutcome | readonly DisputeReport[]> {
  const reports = await inquireDispute(client, answer, signal);
  return isOpen(reports) ? reports : { kind: 'answered', reports };
}

function isOpen(reports: readonly DisputeReport[]): boolean {
  const status = reports.at(-1)?.status ?? null;
  return status === null || status === 'needs_response';
}

function reportOf(dispute: CashfreeDispute): DisputeReport {
  return disputeReportOf(dispute, ASKED);
}

/** @throws ProviderOutageError where the answer does not say that Cashfree itself refused this request */
function refusedBy({ meaning, status, providerResponse }: Refusal): DisputeAnswerOutcome {
  if (meaning === 'already_exists' || meaning === 'unknown_form')
    throw new ProviderOutageError('TSP_ERROR', `Cashfree answered with status ${status}`);
  return { kind: 'refused', providerResponse };
}

function underReview({ providerReference }: DisputeAnswer): DisputeReport {
  const updatedAt = new Date().toISOString();
  return disputeReportOf(
    { dispute_id: providerReference, dispute_status: 'DISPUTE_DOCS_RECEIVED', updated_at: updatedAt },
    ASKED,
  );
}

function noteOf({ evidence }: DisputeAnswer): string {
  return DISPUTE_EVIDENCE_MEMBERS.flatMap((member) => {
    const text = evidence[member];
    return text === undefined ? [] : [`${member}: ${text}`];
  }).join('\n');
}
