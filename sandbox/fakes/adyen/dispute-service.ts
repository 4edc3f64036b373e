import type { AcceptDisputeResponse } from '@adyen/api-library/lib/src/typings/disputes/acceptDisputeResponse.js';
import type { DefenseReasonsResponse } from '@adyen/api-library/lib/src/typings/disputes/defenseReasonsResponse.js';
import { z } from 'zod';
import { DAY_MS } from '../../../domain/time.ts';
import type { FakeDispute } from './disputes.ts';
import { type Report, serviceError } from './operations.ts';
import type { FakeAmount } from './payment.ts';
import type { FakeAdyenStore, FakeReply } from './store.ts';

/** With the name of the operation. */
export const DISPUTE_PATH = /^\/ca\/services\/DisputeService\/v30\/([A-Za-z]+)$/;

const ANSWER_WITHIN_MS = 14 * DAY_MS;

interface Account {
  readonly store: FakeAdyenStore;
  readonly report: Report;
}

/** As in Adyen's own example. */
const REASONS = [
  {
    defenseReasonCode: 'GoodsWereAsDescribed',
    satisfied: false,
    defenseDocumentTypes: [
      { defenseDocumentTypeCode: 'GoodsWereAsDescribed', requirementLevel: 'Required', available: false },
      { defenseDocumentTypeCode: 'TIDorInvoice', requirementLevel: 'Required', available: false },
    ],
  },
  {
    defenseReasonCode: 'SupplyDefenseMaterial',
    satisfied: false,
    defenseDocumentTypes: [
      { defenseDocumentTypeCode: 'TIDorInvoice', requirementLevel: 'Optional', available: false },
      { defenseDocumentTypeCode: 'DefenseMaterial', requirementLevel: 'Required', available: false },
    ],
  },
];

const named = { merchantAccountCode: z.string(), disputePspReference: z.string() };
const disputeSchema = z.strictObject(named);
const documentsSchema = z.strictObject({
  ...named,
  defenseDocuments: z
    .array(
      z.strictObject({
        defenseDocumentTypeCode: z.string().min(1),
        contentType: z.enum(['application/pdf', 'image/jpeg', 'image/tiff']),
        content: z.base64(),
      }),
    )
    .min(1),
});
const defenseSchema = z.strictObject({ ...named, defenseReasonCode: z.string() });

/** Answers a request to the service for disputes. */
export function answerDisputeService(account: Account, operation: string, body: unknown): FakeReply {
  const reference = z.looseObject({ disputePspReference: z.string() }).safeParse(body).data?.disputePspReference ?? '';
  const dispute = account.store.disputes.find(reference);
  if (dispute === undefined) return refused('Dispute not found');
  switch (operation) {
    case 'retrieveApplicableDefenseReasons':
      disputeSchema.parse(body);
      return done({ defenseReasons: isOpen(dispute) ? REASONS : [] });
    case 'supplyDefenseDocument':
      if (!isOpen(dispute)) return refused('The dispute cannot be defended');
      for (const { defenseDocumentTypeCode } of documentsSchema.parse(body).defenseDocuments)
        dispute.documents.add(defenseDocumentTypeCode);
      return done({});
    case 'defendDispute':
      return defend(account, dispute, defenseSchema.parse(body).defenseReasonCode);
    case 'acceptDispute':
      disputeSchema.parse(body);
      return accept(account, dispute);
    default:
      return serviceError(404, '000', 'Not found');
  }
}

/** The bank takes the money of an attempt back. @returns the reference of the dispute */
export function openDispute(account: Account, attemptId: string, amount: FakeAmount): string {
  const { store } = account;
  const payment = store.paymentsOf(attemptId).find(({ status }) => status === 'captured');
  if (payment === undefined) throw new Error(`${attemptId} was not captured`);
  const dispute = store.disputes.open(store.nextReference(), payment, amount);
  const defensePeriodEndsAt = new Date(Date.now() + ANSWER_WITHIN_MS).toISOString();
  const dueDate = { defensePeriodEndsAt, defendable: 'true', chargebackReasonCode: '10.4' };
  tell(account, dispute, 'NOTIFICATION_OF_CHARGEBACK', dueDate);
  tell(account, dispute, 'CHARGEBACK', dueDate);
  return dispute.pspReference;
}

/** The bank decides. */
export function decideDispute(account: Account, pspReference: string, isWon: boolean): void {
  const dispute = account.store.disputes.find(pspReference);
  if (dispute === undefined) throw new Error(`there is no dispute ${pspReference}`);
  dispute.status = isWon ? 'Won' : 'Lost';
  tell(account, dispute, isWon ? 'CHARGEBACK_REVERSED' : 'DISPUTE_DEFENSE_PERIOD_ENDED');
}

function defend(account: Account, dispute: FakeDispute, reasonCode: string): FakeReply {
  const reason = REASONS.find(({ defenseReasonCode }) => defenseReasonCode === reasonCode);
  const isSatisfied = reason?.defenseDocumentTypes.every(
    ({ requirementLevel, defenseDocumentTypeCode: code }) =>
      requirementLevel !== 'Required' || dispute.documents.has(code),
  );
  if (!isOpen(dispute) || isSatisfied !== true || dispute.documents.size === 0)
    return refused('The dispute cannot be defended');
  dispute.submitted += 1;
  dispute.status = 'Pending';
  tell(account, dispute, 'INFORMATION_SUPPLIED');
  return done({});
}

function accept(account: Account, dispute: FakeDispute): FakeReply {
  if (!isOpen(dispute)) return refused('The dispute cannot be accepted');
  dispute.accepted += 1;
  dispute.status = 'Accepted';
  tell(account, dispute, 'DISPUTE_DEFENSE_PERIOD_ENDED');
  return done({});
}

function isOpen({ status }: FakeDispute): boolean {
  return status === 'Undefended';
}

function tell(
  { report }: Account,
  { pspReference, payment, amount, status }: FakeDispute,
  eventCode: string,
  more: Readonly<Record<string, string>> = {},
): void {
  const { pspReference: originalReference, reference: merchantReference } = payment;
  const dispute = { disputeStatus: status, ...more };
  report({ eventCode, success: true, pspReference, originalReference, merchantReference, amount, dispute });
}

function done(more: Pick<DefenseReasonsResponse, 'defenseReasons'>): FakeReply {
  const body = { ...more, disputeServiceResult: { success: true } } satisfies AcceptDisputeResponse;
  return { status: 200, body };
}

function refused(errorMessage: string): FakeReply {
  return { status: 200, body: { disputeServiceResult: { success: false, errorMessage } } };
}
