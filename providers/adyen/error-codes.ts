import type { CardDeclineReason, Declined, Failed } from '../../domain/provider-outcome.ts';

type DeclineCode = Declined['code'];

interface Refusal {
  /** Adyen's own words, which its webhooks carry instead of the code. */
  readonly text: string;
  readonly code: DeclineCode | Extract<Failed['code'], 'FRAUD_DETECTED'>;
  readonly reason?: CardDeclineReason;
}

/** Every `refusalReasonCode` that Adyen documents. */
export const REFUSALS: Readonly<Record<string, Refusal>> = {
  2: { text: 'Refused', code: 'CARD_DECLINED' },
  3: { text: 'Referral', code: 'CARD_DECLINED' },
  4: { text: 'Acquirer Error', code: 'PAYMENT_DECLINED' },
  5: { text: 'Blocked Card', code: 'CARD_DECLINED' },
  6: { text: 'Expired Card', code: 'CARD_DECLINED', reason: 'expired_card' },
  7: { text: 'Invalid Amount', code: 'PAYMENT_DECLINED' },
  8: { text: 'Invalid Card Number', code: 'CARD_DECLINED' },
  9: { text: 'Issuer Unavailable', code: 'PAYMENT_DECLINED' },
  10: { text: 'Not supported', code: 'CARD_DECLINED' },
  11: { text: '3D Not Authenticated', code: 'CARD_DECLINED', reason: 'authentication_failed' },
  12: { text: 'Not enough balance', code: 'INSUFFICIENT_FUNDS' },
  14: { text: 'Acquirer Fraud', code: 'FRAUD_DETECTED' },
  15: { text: 'Cancelled', code: 'PAYMENT_DECLINED' },
  16: { text: 'Shopper Cancelled', code: 'PAYMENT_DECLINED' },
  17: { text: 'Invalid Pin', code: 'CARD_DECLINED' },
  18: { text: 'Pin tries exceeded', code: 'CARD_DECLINED' },
  19: { text: 'Pin validation not possible', code: 'CARD_DECLINED' },
  20: { text: 'FRAUD', code: 'FRAUD_DETECTED' },
  21: { text: 'Not Submitted', code: 'PAYMENT_DECLINED' },
  22: { text: 'FRAUD-CANCELLED', code: 'FRAUD_DETECTED' },
  23: { text: 'Transaction Not Permitted', code: 'CARD_DECLINED' },
  24: { text: 'CVC Declined', code: 'CARD_DECLINED' },
  25: { text: 'Restricted Card', code: 'CARD_DECLINED' },
  26: { text: 'Revocation Of Auth', code: 'CARD_DECLINED' },
  27: { text: 'Declined Non Generic', code: 'CARD_DECLINED' },
  28: { text: 'Withdrawal amount exceeded', code: 'LIMIT_EXCEEDED' },
  29: { text: 'Withdrawal count exceeded', code: 'LIMIT_EXCEEDED' },
  31: { text: 'Issuer Suspected Fraud', code: 'FRAUD_DETECTED' },
  32: { text: 'AVS Declined', code: 'CARD_DECLINED' },
  33: { text: 'Card requires online pin', code: 'CARD_DECLINED' },
  34: { text: 'No checking account available on Card', code: 'CARD_DECLINED' },
  35: { text: 'No savings account available on Card', code: 'CARD_DECLINED' },
  36: { text: 'Mobile pin required', code: 'CARD_DECLINED' },
  37: { text: 'Contactless fallback', code: 'CARD_DECLINED' },
  38: { text: 'Authentication required', code: 'CARD_DECLINED' },
  39: { text: 'RReq not received from DS', code: 'CARD_DECLINED', reason: 'authentication_failed' },
  40: { text: 'Current AID is in Penalty Box', code: 'CARD_DECLINED' },
  41: { text: 'CVM Required Restart Payment', code: 'CARD_DECLINED' },
  42: { text: '3DS Authentication Error', code: 'CARD_DECLINED', reason: 'authentication_failed' },
  43: { text: 'Online PIN required', code: 'CARD_DECLINED' },
  44: { text: 'Try another interface', code: 'CARD_DECLINED' },
  45: { text: 'Chip downgrade mode', code: 'CARD_DECLINED' },
  46: { text: 'Transaction blocked by Adyen to prevent excessive retry fees', code: 'PAYMENT_DECLINED' },
};

const REFUSAL_BY_TEXT: ReadonlyMap<string, Refusal> = new Map(
  Object.values(REFUSALS).map((refusal) => [refusal.text.toLowerCase(), refusal]),
);

const UNKNOWN_REFUSAL: Refusal = { text: '', code: 'PAYMENT_DECLINED' };

/** Translates a refusal in a reply. A code that is not documented becomes `PAYMENT_DECLINED`. */
export function refusalOf(
  refusalReasonCode: string | null | undefined,
  providerPaymentId: string | null,
): Declined | Failed {
  const { code, reason } = REFUSALS[refusalReasonCode ?? ''] ?? UNKNOWN_REFUSAL;
  if (code === 'FRAUD_DETECTED') return { kind: 'failed', providerPaymentId, code };
  return declined(code, reason, providerPaymentId);
}

/** Translates a refusal in a webhook. The signature does not cover the reason, so the reason only chooses the message. */
export function reportedRefusalOf(text: string | undefined, providerPaymentId: string): Declined {
  const { code, reason } = REFUSAL_BY_TEXT.get((text ?? '').toLowerCase()) ?? UNKNOWN_REFUSAL;
  return declined(code === 'FRAUD_DETECTED' ? 'PAYMENT_DECLINED' : code, reason, providerPaymentId);
}

function declined(
  code: DeclineCode,
  reason: CardDeclineReason | undefined,
  providerPaymentId: string | null,
): Declined {
  return { kind: 'declined', providerPaymentId, code, ...(reason === undefined ? {} : { details: { reason } }) };
}

/** Errors of a request that blame what the customer entered, or what the merchant account does not take. */
const REQUEST_ERRORS: Readonly<Record<string, { readonly code: DeclineCode; readonly reason?: CardDeclineReason }>> = {
  101: { code: 'CARD_DECLINED' }, // Invalid card number
  102: { code: 'CARD_DECLINED' }, // Unable to determine variant
  103: { code: 'CARD_DECLINED' }, // CVC is not the right length
  104: { code: 'CARD_DECLINED' }, // Billing address problem
  105: { code: 'CARD_DECLINED', reason: 'authentication_failed' }, // Invalid PaRes from issuer
  106: { code: 'PAYMENT_DECLINED' }, // This session was already used previously
  109: { code: 'CARD_DECLINED' }, // Invalid variant
  117: { code: 'CARD_DECLINED' }, // Invalid billing address
  127: { code: 'CARD_DECLINED' }, // Account holder missing
  128: { code: 'CARD_DECLINED' }, // Card holder missing
  129: { code: 'CARD_DECLINED', reason: 'expired_card' }, // Expiry date invalid
  131: { code: 'CARD_DECLINED' }, // Billing address problem: city
  132: { code: 'CARD_DECLINED' }, // Billing address problem: street
  133: { code: 'CARD_DECLINED' }, // Billing address problem: house number or name
  134: { code: 'CARD_DECLINED' }, // Billing address problem: country
  135: { code: 'CARD_DECLINED' }, // Billing address problem: state or province
  137: { code: 'LIMIT_EXCEEDED' }, // Invalid amount specified
  138: { code: 'UNSUPPORTED_CURRENCY_PAIR' }, // Unsupported currency specified
  140: { code: 'CARD_DECLINED', reason: 'expired_card' }, // Invalid expiry month or year, or in the past
  141: { code: 'CARD_DECLINED' }, // Invalid expiry month or year
  144: { code: 'CARD_DECLINED' }, // Invalid start month
  145: { code: 'CARD_DECLINED' }, // Invalid start year
  153: { code: 'CARD_DECLINED' }, // Invalid CVC
  172: { code: 'PAYMENT_DECLINED' }, // Encrypted data used outside of valid time period
  174: { code: 'PAYMENT_DECLINED' }, // Unable to decrypt data
  175: { code: 'PAYMENT_DECLINED' }, // Unable to parse JSON data: of the encrypted card
  181: { code: 'PAYMENT_DECLINED' }, // Invalid shopperEmail
  182: { code: 'CARD_DECLINED' }, // Invalid selected brand
  193: { code: 'CARD_DECLINED' }, // Bin details not found
  194: { code: 'CARD_DECLINED' }, // Billing address missing
  800: { code: 'PAYMENT_DECLINED' }, // Contract not found
  802: { code: 'PAYMENT_DECLINED' }, // Invalid contract
  803: { code: 'PAYMENT_DECLINED' }, // PaymentDetail not found
  805: { code: 'PAYMENT_DECLINED' }, // Recurring detail not available for the contract
  905: { code: 'PAYMENT_DECLINED' },
  '905_1': { code: 'PAYMENT_DECLINED' },
  '905_3': { code: 'PAYMENT_DECLINED' },
};

/** Translates the error of a request; null where it is none of `REQUEST_ERRORS`. */
export function requestErrorOf(errorCode: string): Declined | null {
  const found = REQUEST_ERRORS[errorCode];
  return found === undefined ? null : declined(found.code, found.reason, null);
}
