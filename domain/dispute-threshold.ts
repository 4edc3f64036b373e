/** From which share of disputes on a card scheme acts against a merchant. */
export interface DisputeThreshold {
  readonly network: 'visa' | 'mastercard';
  /** As the scheme calls it. */
  readonly programme: string;
  /** From 0 to 1, of the payments of a calendar month. */
  readonly rate: number;
  /** Disputes of a month below which the scheme does not act. */
  readonly minimumDisputes: number;
  /** Whether warnings of fraud count as disputes. */
  readonly countsFraudWarnings: boolean;
}

/**
 * As the schemes have published them for 2026, outside the Middle East and North Africa. Mastercard divides by the payments of the
 * month before; what counts in the end is what the acquirer reports.
 */
export const DISPUTE_THRESHOLDS: readonly DisputeThreshold[] = [
  { network: 'visa', programme: 'VAMP', rate: 0.015, minimumDisputes: 1_500, countsFraudWarnings: true },
  { network: 'mastercard', programme: 'ECM', rate: 0.015, minimumDisputes: 100, countsFraudWarnings: false },
  { network: 'mastercard', programme: 'HECM', rate: 0.03, minimumDisputes: 300, countsFraudWarnings: false },
];
