/** The texts of a merchant's answer to a dispute, and what each says. */
export const DISPUTE_EVIDENCE_MEANINGS = {
  explanation: 'Why the payment is right, in your own words.',
  productDescription: 'What was sold.',
  customerName: 'The name of the customer.',
  customerEmailAddress: 'The e-mail address of the customer.',
  customerPurchaseIp: 'The IP address from which the customer ordered.',
  billingAddress: 'The billing address of the customer.',
  shippingAddress: 'Where the product was sent.',
  shippingCarrier: 'Who delivered it, such as DHL.',
  shippingTrackingNumber: 'The number by which the carrier finds the delivery.',
  shippingDate: 'When it was sent.',
  serviceDate: 'When the service was provided.',
  accessActivityLog: 'Proof that the customer used a digital product, such as times and addresses of sign-ins.',
  refundPolicyDisclosure: 'How the customer was shown the refund policy before the payment.',
  refundRefusalExplanation: 'Why the customer is not entitled to a refund.',
  cancellationPolicyDisclosure: 'How the customer was shown the cancellation policy before the payment.',
  cancellationRebuttal: 'Why the subscription was not canceled in time.',
  duplicateChargeExplanation: 'Why two payments that look alike are for different things.',
} as const;
export type DisputeEvidenceMember = keyof typeof DISPUTE_EVIDENCE_MEANINGS;
export const DISPUTE_EVIDENCE_MEMBERS = Object.keys(DISPUTE_EVIDENCE_MEANINGS) as readonly DisputeEvidenceMember[];

/** The texts that a merchant has entered. */
export type DisputeEvidence = Readonly<Partial<Record<DisputeEvidenceMember, string>>>;

/** Characters of one text. */
export const MAXIMUM_EVIDENCE_LENGTH = 20_000;

/** What a file of the answer shows. An answer has one file of each kind at most. */
export const DISPUTE_FILE_MEANINGS = {
  receipt: 'the receipt or the invoice',
  customer_communication: 'what was written with the customer',
  customer_signature: "the customer's signature",
  shipping_documentation: 'proof of the delivery',
  service_documentation: 'proof of the service',
  refund_policy: 'the refund policy',
  cancellation_policy: 'the cancellation policy',
  duplicate_charge_documentation: 'proof that two payments are for different things',
  other: 'anything else',
} as const;
export type DisputeFileKind = keyof typeof DISPUTE_FILE_MEANINGS;
export const DISPUTE_FILE_KINDS = Object.keys(DISPUTE_FILE_MEANINGS) as [DisputeFileKind, ...DisputeFileKind[]];

/** The beginning of a file of each type, by which its content is recognised. */
const FILE_BEGINNINGS = {
  'application/pdf': Buffer.from('%PDF-'),
  'image/png': Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
  'image/jpeg': Buffer.from([0xff, 0xd8, 0xff]),
} as const;
export type DisputeFileType = keyof typeof FILE_BEGINNINGS;
export const DISPUTE_FILE_TYPES = Object.keys(FILE_BEGINNINGS) as [DisputeFileType, ...DisputeFileType[]];

/** Schemes' limits are about these. */
export const MAXIMUM_FILE_BYTES = 2 * 1024 * 1024;
/** Of all files of one answer: what the strictest provider takes. */
export const MAXIMUM_FILES_BYTES = 4 * 1024 * 1024;

/** Whether the content of a file is what its type says. */
export function isOfType(content: Uint8Array, type: DisputeFileType): boolean {
  const beginning = FILE_BEGINNINGS[type];
  return Buffer.compare(content.subarray(0, beginning.length), beginning) === 0;
}
