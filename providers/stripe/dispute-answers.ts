import type Stripe from 'stripe';
import type { z } from 'zod';
import type { DisputeEvidenceMember, DisputeFileKind } from '../../domain/dispute-evidence.ts';
import type { DisputeAnswer, DisputeAnswerOutcome, EvidenceFile } from '../payment-provider.ts';
import type { DisputeAnswers } from '../provider-kind.ts';
import { fileSchema, readDisputeSchema } from './messages.ts';
import { disputePathOf, inquireDispute, nowAtStripe, reportsOf } from './read-disputes.ts';
import { isRefused, type Refused, type StripeApi } from './stripe-api.ts';

type StripeEvidence = Stripe.DisputeUpdateParams.Evidence;

const TEXTS = {
  explanation: 'uncategorized_text',
  productDescription: 'product_description',
  customerName: 'customer_name',
  customerEmailAddress: 'customer_email_address',
  customerPurchaseIp: 'customer_purchase_ip',
  billingAddress: 'billing_address',
  shippingAddress: 'shipping_address',
  shippingCarrier: 'shipping_carrier',
  shippingTrackingNumber: 'shipping_tracking_number',
  shippingDate: 'shipping_date',
  serviceDate: 'service_date',
  accessActivityLog: 'access_activity_log',
  refundPolicyDisclosure: 'refund_policy_disclosure',
  refundRefusalExplanation: 'refund_refusal_explanation',
  cancellationPolicyDisclosure: 'cancellation_policy_disclosure',
  cancellationRebuttal: 'cancellation_rebuttal',
  duplicateChargeExplanation: 'duplicate_charge_explanation',
} as const satisfies Record<DisputeEvidenceMember, keyof StripeEvidence>;

const FILES = {
  receipt: 'receipt',
  customer_communication: 'customer_communication',
  customer_signature: 'customer_signature',
  shipping_documentation: 'shipping_documentation',
  service_documentation: 'service_documentation',
  refund_policy: 'refund_policy',
  cancellation_policy: 'cancellation_policy',
  duplicate_charge_documentation: 'duplicate_charge_documentation',
  other: 'uncategorized_file',
} as const satisfies Record<DisputeFileKind, keyof StripeEvidence>;

/** Characters that Stripe takes in all texts together. */
const MAXIMUM_CHARACTERS = 150_000;

/** Stripe takes every kind of text and file, but only so many characters together. */
export const problemWithEvidence: DisputeAnswers['problemWith'] = ({ evidence }) => {
  const characters = Object.values(evidence).join('').length;
  if (characters <= MAXIMUM_CHARACTERS) return null;
  return `Expected at most ${MAXIMUM_CHARACTERS} characters in all texts together, which is what Stripe takes; got ${characters}. Shorten them.`;
};

/** Uploads the files, which changes nothing of the dispute, then sends the evidence for good. */
export async function submitEvidence(
  api: StripeApi,
  answer: DisputeAnswer,
  signal: AbortSignal,
): Promise<DisputeAnswerOutcome> {
  const files: Partial<Record<string, string>> = {};
  for (const file of answer.files) {
    const uploaded = await upload(api, answer, file, signal);
    if (isRefused(uploaded)) return { kind: 'refused', providerResponse: uploaded.providerResponse };
    files[FILES[file.kind]] = uploaded.id;
  }
  const evidence = { ...textsOf(answer), ...files } satisfies StripeEvidence;
  const params = { evidence, submit: true } satisfies Stripe.DisputeUpdateParams;
  return answerWith(api, answer, { path: disputePathOf(answer.providerReference), params }, signal);
}

/** Gives the dispute up. */
export function acceptDispute(
  api: StripeApi,
  answer: DisputeAnswer,
  signal: AbortSignal,
): Promise<DisputeAnswerOutcome> {
  return answerWith(api, answer, { path: `${disputePathOf(answer.providerReference)}/close` }, signal);
}

function textsOf({ evidence }: DisputeAnswer): StripeEvidence {
  return Object.fromEntries(
    Object.entries(TEXTS).flatMap(([member, name]) => {
      const text = Object.entries(evidence).find(([each]) => each === member)?.[1];
      return text === undefined ? [] : [[name, text]];
    }),
  );
}

function upload(
  api: StripeApi,
  { operationId }: DisputeAnswer,
  { kind, contentType, content }: EvidenceFile,
  signal: AbortSignal,
): Promise<z.infer<typeof fileSchema> | Refused> {
  const extension = contentType.split('/')[1] ?? '';
  return api.upload(
    {
      path: '/v1/files',
      params: { purpose: 'dispute_evidence' satisfies Stripe.FileCreateParams.Purpose },
      file: { member: 'file', fileName: `${kind}.${extension}`, contentType, content },
      idempotencyKey: `${operationId}:${kind}`,
    },
    fileSchema,
    signal,
  );
}

/**
 * Sends what ends the dispute's wait for an answer, which its state lets happen once. It has no key: Stripe would store a 500 and answer
 * every repeat with it. Where Stripe refuses because an earlier request has come through after all, the dispute says so.
 */
async function answerWith(
  api: StripeApi,
  answer: DisputeAnswer,
  request: { readonly path: string; readonly params?: object },
  signal: AbortSignal,
): Promise<DisputeAnswerOutcome> {
  await answer.begin();
  const sentAt = nowAtStripe();
  const answered = await api.send({ method: 'POST', ...request }, readDisputeSchema, signal);
  if (!isRefused(answered)) return { kind: 'answered', reports: reportsOf(answered, sentAt) };
  const reports = await inquireDispute(api, answer, signal);
  const isOpen = reports.at(-1)?.status === 'needs_response';
  return isOpen ? { kind: 'refused', providerResponse: answered.providerResponse } : { kind: 'answered', reports };
}
