import type { Dispute } from '../../../sdk/server/generated/schemas.ts';

type Evidence = NonNullable<Dispute['evidence']>;
export type EvidenceText = Exclude<keyof Evidence, 'files'>;
export type EvidenceFileKind = Evidence['files'][number]['kind'];

interface Field {
  readonly label: string;
  readonly help: string;
  /** Whether it takes several lines. */
  readonly isLong?: boolean;
}

/** The texts of an answer, in the order of the form. */
export const EVIDENCE_TEXTS: Readonly<Record<EvidenceText, Field>> = {
  explanation: { label: 'Explanation', help: 'Why the payment is right, in your own words', isLong: true },
  productDescription: { label: 'Product', help: 'What was sold', isLong: true },
  customerName: { label: 'Name of the customer', help: 'As it was ordered' },
  customerEmailAddress: { label: 'E-mail of the customer', help: 'As it was ordered' },
  customerPurchaseIp: { label: 'IP address of the customer', help: 'From which it was ordered' },
  billingAddress: { label: 'Billing address', help: 'As it was ordered', isLong: true },
  shippingAddress: { label: 'Shipping address', help: 'Where the product was sent', isLong: true },
  shippingCarrier: { label: 'Carrier', help: 'Such as DHL' },
  shippingTrackingNumber: { label: 'Tracking number', help: 'By which the carrier finds the delivery' },
  shippingDate: { label: 'Date of shipping', help: 'When it was sent' },
  serviceDate: { label: 'Date of the service', help: 'When the service was provided' },
  accessActivityLog: {
    label: 'Use of a digital product',
    help: 'Times and addresses at which the customer signed in',
    isLong: true,
  },
  refundPolicyDisclosure: { label: 'Refund policy', help: 'How the customer was shown it', isLong: true },
  refundRefusalExplanation: { label: 'No refund', help: 'Why the customer is not entitled to one', isLong: true },
  cancellationPolicyDisclosure: { label: 'Cancellation policy', help: 'How the customer was shown it', isLong: true },
  cancellationRebuttal: { label: 'No cancellation', help: 'Why it was not canceled in time', isLong: true },
  duplicateChargeExplanation: {
    label: 'Two payments',
    help: 'Why two payments that look alike are for different things',
    isLong: true,
  },
};
export const EVIDENCE_TEXT_NAMES = Object.keys(EVIDENCE_TEXTS) as readonly EvidenceText[];

/** What a file can show. */
export const EVIDENCE_FILES: Readonly<Record<EvidenceFileKind, string>> = {
  receipt: 'Receipt or invoice',
  customer_communication: 'What was written with the customer',
  customer_signature: "The customer's signature",
  shipping_documentation: 'Proof of the delivery',
  service_documentation: 'Proof of the service',
  refund_policy: 'Refund policy',
  cancellation_policy: 'Cancellation policy',
  duplicate_charge_documentation: 'Proof that two payments are for different things',
  other: 'Anything else',
};

interface Proof {
  readonly texts: readonly EvidenceText[];
  readonly files: readonly EvidenceFileKind[];
}

const BY_CUSTOMER: Proof = {
  texts: ['customerName', 'customerEmailAddress', 'customerPurchaseIp', 'billingAddress', 'accessActivityLog'],
  files: ['customer_communication', 'customer_signature', 'receipt'],
};
const OF_SALE: Proof = { texts: ['productDescription'], files: ['receipt', 'customer_communication'] };

/** What convinces a bank most, by the reason of the dispute, besides the explanation. */
const PROOFS: Readonly<Record<Dispute['reason'], Proof>> = {
  fraudulent: BY_CUSTOMER,
  unrecognized: BY_CUSTOMER,
  authorization: BY_CUSTOMER,
  duplicate: { texts: ['duplicateChargeExplanation'], files: ['duplicate_charge_documentation', 'receipt'] },
  product_not_received: {
    texts: ['shippingAddress', 'shippingCarrier', 'shippingTrackingNumber', 'shippingDate', 'serviceDate'],
    files: ['shipping_documentation', 'service_documentation', 'customer_communication'],
  },
  product_unacceptable: {
    texts: ['productDescription', 'refundPolicyDisclosure', 'refundRefusalExplanation'],
    files: ['service_documentation', 'refund_policy', 'customer_communication'],
  },
  credit_not_processed: {
    texts: ['refundPolicyDisclosure', 'refundRefusalExplanation'],
    files: ['refund_policy', 'customer_communication'],
  },
  subscription_canceled: {
    texts: ['cancellationPolicyDisclosure', 'cancellationRebuttal', 'accessActivityLog'],
    files: ['cancellation_policy', 'customer_communication'],
  },
  amount_differs: OF_SALE,
  processing_error: OF_SALE,
  general: OF_SALE,
};

/** The texts that matter most for a reason, and the others. */
export function textsFor(reason: Dispute['reason']): Readonly<Record<'first' | 'others', readonly EvidenceText[]>> {
  const first: readonly EvidenceText[] = ['explanation', ...PROOFS[reason].texts];
  return { first, others: EVIDENCE_TEXT_NAMES.filter((name) => !first.includes(name)) };
}

/** The kinds of files, those that matter most for a reason first. */
export function fileKindsFor(reason: Dispute['reason']): readonly EvidenceFileKind[] {
  const first = PROOFS[reason].files;
  const all = Object.keys(EVIDENCE_FILES) as readonly EvidenceFileKind[];
  return [...first, ...all.filter((kind) => !first.includes(kind))];
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** The units in which the rest of a time is told, each from two of it on. */
const UNITS = [
  [DAY_MS, 'day'],
  [HOUR_MS, 'hour'],
  [MINUTE_MS, 'minute'],
] as const;

/** How much of the time to answer is left: `5 days`, `30 hours`; rounded down. @param respondBy ISO 8601 */
export function timeLeft(respondBy: string, nowMs = Date.now()): string {
  const leftMs = Date.parse(respondBy) - nowMs;
  if (leftMs <= 0) return 'Time is over';
  const [lengthMs, name] = UNITS.find(([unitMs]) => leftMs >= 2 * unitMs) ?? [MINUTE_MS, 'minute'];
  const count = Math.max(1, Math.floor(leftMs / lengthMs));
  return `${count} ${name}${count === 1 ? '' : 's'}`;
}

/** How urgent an answer is, as a colour. @param respondBy ISO 8601 */
export function urgencyOf(respondBy: string, nowMs = Date.now()): 'error' | 'warning' | 'default' {
  const leftMs = Date.parse(respondBy) - nowMs;
  if (leftMs < DAY_MS) return 'error';
  return leftMs < 3 * DAY_MS ? 'warning' : 'default';
}

/** Whether an answer would still be in time. */
export function isInTime({ respondBy }: Pick<Dispute, 'respondBy'>, nowMs = Date.now()): boolean {
  return respondBy === null || Date.parse(respondBy) > nowMs;
}

/** Whether nobody has to do anything about it any more. */
export function isOver({ status }: Pick<Dispute, 'status'>): boolean {
  return status === 'won' || status === 'lost' || status === 'closed';
}

/** Whether a provider is being told what the merchant wants. */
export function isBeingSent({ status }: Pick<Dispute, 'status'>): boolean {
  return status === 'submitting' || status === 'accepting';
}
