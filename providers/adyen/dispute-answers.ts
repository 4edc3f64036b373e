import type { AcceptDisputeRequest } from '@adyen/api-library/lib/src/typings/disputes/acceptDisputeRequest.js';
import type { DefendDisputeRequest } from '@adyen/api-library/lib/src/typings/disputes/defendDisputeRequest.js';
import type { DefenseReasonsRequest } from '@adyen/api-library/lib/src/typings/disputes/defenseReasonsRequest.js';
import type { SupplyDefenseDocumentRequest } from '@adyen/api-library/lib/src/typings/disputes/supplyDefenseDocumentRequest.js';
import type { DisputeReport } from '../../domain/dispute.ts';
import type { DisputeAnswer, DisputeAnswerOutcome } from '../payment-provider.ts';
import type { DisputeAnswers } from '../provider-kind.ts';
import type { ProviderAnswer } from '../provider-http.ts';
import { type CallDisputes, isSuccess, readAnswer, unrecognised } from './client.ts';
import { chooseDefense } from './defense.ts';
import { defenseReasonsSchema, disputeReplySchema } from './messages.ts';

/** One merchant account at Adyen's service for disputes. */
interface Account {
  readonly merchantAccount: string;
  readonly call: CallDisputes;
}

type Refused = Extract<DisputeAnswerOutcome, { readonly kind: 'refused' }>;

const FILE_TYPES: ReadonlySet<string> = new Set(['application/pdf', 'image/jpeg']);

/** Adyen takes documents alone. */
export const problemWithEvidence: DisputeAnswers['problemWith'] = ({ evidence, files }) => {
  if (Object.keys(evidence).length > 0)
    return 'Expected files alone, because Adyen takes no texts; got texts. Put them into a PDF, remove them (null), and send again.';
  if (files.some(({ contentType }) => !FILE_TYPES.has(contentType)))
    return 'Expected PDF or JPEG files, which Adyen takes; got a PNG. Send it in one of these types.';
  return null;
};

/** Supplies the documents, which changes nothing yet, then defends the dispute with the reason that they fit. */
export async function submitEvidence(
  { merchantAccount, call }: Account,
  answer: DisputeAnswer,
  signal: AbortSignal,
): Promise<DisputeAnswerOutcome> {
  const { providerReference: disputePspReference, files, begin } = answer;
  const named = { merchantAccountCode: merchantAccount, disputePspReference };
  const asked = await call('retrieveApplicableDefenseReasons', named satisfies DefenseReasonsRequest, signal);
  const notAllowed = refusalIn(asked);
  if (notAllowed !== null) return notAllowed;
  const defense = chooseDefense(readAnswer(asked, defenseReasonsSchema).defenseReasons, files);
  if ('reason' in defense) return { kind: 'refused', providerResponse: { ...defense } };
  const defenseDocuments = defense.documents.map(({ typeCode: defenseDocumentTypeCode, file }) => ({
    defenseDocumentTypeCode,
    contentType: file.contentType,
    content: file.content.toString('base64'),
  }));
  const documents = { ...named, defenseDocuments } satisfies SupplyDefenseDocumentRequest;
  const notSupplied = refusalIn(await call('supplyDefenseDocument', documents, signal));
  if (notSupplied !== null) return notSupplied;
  await begin();
  const body = { ...named, defenseReasonCode: defense.reasonCode } satisfies DefendDisputeRequest;
  const refusal = refusalIn(await call('defendDispute', body, signal));
  return refusal ?? { kind: 'answered', reports: [reportOf(answer, 'defendDispute', 'under_review')] };
}

/** Gives the dispute up. */
export async function acceptDispute(
  { merchantAccount, call }: Account,
  answer: DisputeAnswer,
  signal: AbortSignal,
): Promise<DisputeAnswerOutcome> {
  const { providerReference: disputePspReference, begin } = answer;
  await begin();
  const body = { merchantAccountCode: merchantAccount, disputePspReference } satisfies AcceptDisputeRequest;
  const refusal = refusalIn(await call('acceptDispute', body, signal));
  return refusal ?? { kind: 'answered', reports: [reportOf(answer, 'acceptDispute', 'lost')] };
}

/** The refusal of a request, also where Adyen answers it with a success that is none; null where it was carried out. */
function refusalIn(answer: ProviderAnswer): Refused | null {
  const isDone = isSuccess(answer) && readAnswer(answer, disputeReplySchema).disputeServiceResult.success;
  return isDone ? null : { kind: 'refused', providerResponse: unrecognised(answer).providerResponse };
}

/** What a call has done, as of now; Adyen's webhooks say the rest. */
function reportOf(
  { providerReference }: DisputeAnswer,
  providerEvent: string,
  status: NonNullable<DisputeReport['status']>,
): DisputeReport {
  return {
    providerReference,
    providerEvent,
    stage: null,
    status,
    unknownStatus: null,
    reason: null,
    networkReasonCode: null,
    amountMinor: null,
    currency: null,
    respondBy: null,
    isDefendable: null,
    funds: null,
    occurredAt: new Date().toISOString(),
  };
}
