import type { Advised } from '../../domain/decline-advice.ts';
import type { CardDeclineReason, Declined, Failed } from '../../domain/provider-outcome.ts';
import {
  adviceIn,
  advise,
  ISSUER_DECLINE,
  merchantAdviceOf,
  networkCodeIn,
  overruledBy,
  visaAdviceOf,
} from '../network-advice.ts';

const NEVER = advise('never');
const LATER = advise('later');
const ELSEWHERE = advise('elsewhere');
const AUTHENTICATE = advise('authenticate');
const CORRECT_DATA = advise('correct_data');

type DeclineCode = Declined['code'];

interface Refusal extends Pick<Advised, 'advice' | 'isIssuerDecline'> {
  /** Adyen's own words, which its webhooks carry instead of the code. */
  readonly text: string;
  readonly code: DeclineCode | Extract<Failed['code'], 'FRAUD_DETECTED'>;
  readonly reason?: CardDeclineReason;
}

/** Every `refusalReasonCode` that Adyen documents. */
export const REFUSALS: Readonly<Record<string, Refusal>> = {
  2: { text: 'Refused', code: 'CARD_DECLINED', ...ISSUER_DECLINE },
  3: { text: 'Referral', code: 'CARD_DECLINED', ...ISSUER_DECLINE },
  4: { text: 'Acquirer Error', code: 'PAYMENT_DECLINED', ...ELSEWHERE },
  5: { text: 'Blocked Card', code: 'CARD_DECLINED', ...NEVER },
  6: { text: 'Expired Card', code: 'CARD_DECLINED', reason: 'expired_card', ...CORRECT_DATA },
  7: { text: 'Invalid Amount', code: 'PAYMENT_DECLINED', ...CORRECT_DATA },
  8: { text: 'Invalid Card Number', code: 'CARD_DECLINED', ...CORRECT_DATA },
  9: { text: 'Issuer Unavailable', code: 'PAYMENT_DECLINED', ...ELSEWHERE },
  10: { text: 'Not supported', code: 'CARD_DECLINED', ...ISSUER_DECLINE },
  11: { text: '3D Not Authenticated', code: 'CARD_DECLINED', reason: 'authentication_failed', ...AUTHENTICATE },
  12: { text: 'Not enough balance', code: 'INSUFFICIENT_FUNDS', ...LATER },
  14: { text: 'Acquirer Fraud', code: 'FRAUD_DETECTED', ...NEVER },
  15: { text: 'Cancelled', code: 'PAYMENT_DECLINED', ...LATER },
  16: { text: 'Shopper Cancelled', code: 'PAYMENT_DECLINED', ...LATER },
  17: { text: 'Invalid Pin', code: 'CARD_DECLINED', ...CORRECT_DATA },
  18: { text: 'Pin tries exceeded', code: 'CARD_DECLINED', ...LATER },
  19: { text: 'Pin validation not possible', code: 'CARD_DECLINED', ...LATER },
  20: { text: 'FRAUD', code: 'FRAUD_DETECTED', ...NEVER },
  21: { text: 'Not Submitted', code: 'PAYMENT_DECLINED', ...ELSEWHERE },
  22: { text: 'FRAUD-CANCELLED', code: 'FRAUD_DETECTED', ...NEVER },
  23: { text: 'Transaction Not Permitted', code: 'CARD_DECLINED', ...NEVER },
  24: { text: 'CVC Declined', code: 'CARD_DECLINED', ...CORRECT_DATA },
  25: { text: 'Restricted Card', code: 'CARD_DECLINED', ...LATER },
  26: { text: 'Revocation Of Auth', code: 'CARD_DECLINED', ...NEVER },
  27: { text: 'Declined Non Generic', code: 'CARD_DECLINED', ...ISSUER_DECLINE },
  28: { text: 'Withdrawal amount exceeded', code: 'LIMIT_EXCEEDED', ...LATER },
  29: { text: 'Withdrawal count exceeded', code: 'LIMIT_EXCEEDED', ...LATER },
  31: { text: 'Issuer Suspected Fraud', code: 'FRAUD_DETECTED', ...NEVER },
  32: { text: 'AVS Declined', code: 'CARD_DECLINED', ...CORRECT_DATA },
  33: { text: 'Card requires online pin', code: 'CARD_DECLINED', ...AUTHENTICATE },
  34: { text: 'No checking account available on Card', code: 'CARD_DECLINED', ...CORRECT_DATA },
  35: { text: 'No savings account available on Card', code: 'CARD_DECLINED', ...CORRECT_DATA },
  36: { text: 'Mobile pin required', code: 'CARD_DECLINED', ...AUTHENTICATE },
  37: { text: 'Contactless fallback', code: 'CARD_DECLINED', ...AUTHENTICATE },
  38: { text: 'Authentication required', code: 'CARD_DECLINED', ...AUTHENTICATE },
  39: { text: 'RReq not received from DS', code: 'CARD_DECLINED', reason: 'authentication_failed', ...AUTHENTICATE },
  40: { text: 'Current AID is in Penalty Box', code: 'CARD_DECLINED', ...LATER },
  41: { text: 'CVM Required Restart Payment', code: 'CARD_DECLINED', ...AUTHENTICATE },
  42: { text: '3DS Authentication Error', code: 'CARD_DECLINED', reason: 'authentication_failed', ...AUTHENTICATE },
  43: { text: 'Online PIN required', code: 'CARD_DECLINED', ...AUTHENTICATE },
  44: { text: 'Try another interface', code: 'CARD_DECLINED', ...AUTHENTICATE },
  45: { text: 'Chip downgrade mode', code: 'CARD_DECLINED', ...AUTHENTICATE },
  46: { text: 'Transaction blocked by Adyen to prevent excessive retry fees', code: 'PAYMENT_DECLINED', ...NEVER },
};

const REFUSAL_BY_TEXT: ReadonlyMap<string, Refusal> = new Map(
  Object.values(REFUSALS).map((refusal) => [refusal.text.toLowerCase(), refusal]),
);

const UNKNOWN_REFUSAL: Refusal = { text: '', code: 'PAYMENT_DECLINED' };

/** What a reply says of its refusal besides the code. */
export interface RawRefusal {
  readonly merchantAdviceCode?: string | undefined;
  /** The acquirer's words, which begin with the network's code. */
  readonly refusalReasonRaw?: string | undefined;
  /** Adyen's name of the card's brand. */
  readonly paymentMethod?: string | undefined;
}

/** Translates a refusal in a reply. A code that is not documented becomes `PAYMENT_DECLINED`, without an advice of its own. */
export function refusalOf(
  refusalReasonCode: string | null | undefined,
  providerPaymentId: string | null,
  raw: RawRefusal = {},
): Declined | Failed {
  const refusal = REFUSALS[refusalReasonCode ?? ''] ?? UNKNOWN_REFUSAL;
  const { code, reason } = refusal;
  const advised = adviceOf(refusal, raw);
  if (code === 'FRAUD_DETECTED') return { kind: 'failed', providerPaymentId, code, ...advised };
  return declined(code, reason, providerPaymentId, advised);
}

/** The raw codes of the networks mean what each network says: Visa's apply to its cards alone. */
function adviceOf(refusal: Refusal, { merchantAdviceCode, refusalReasonRaw, paymentMethod }: RawRefusal): Advised {
  const networkCode = networkCodeIn(refusalReasonRaw);
  const isVisa = paymentMethod?.startsWith('visa') === true;
  const structured = [
    merchantAdviceOf(networkCodeIn(merchantAdviceCode)),
    isVisa ? visaAdviceOf(networkCode) : undefined,
  ];
  const advised = overruledBy(refusal, structured);
  return { ...advised, ...(networkCode === undefined ? {} : { networkCode }) };
}

/**
 * Translates a refusal in a webhook. The signature does not cover the reason, so the reason only chooses the message, and an advice
 * on which the engine itself would charge again is left out.
 */
export function reportedRefusalOf(text: string | undefined, providerPaymentId: string): Declined {
  const { code, reason, advice } = REFUSAL_BY_TEXT.get((text ?? '').toLowerCase()) ?? UNKNOWN_REFUSAL;
  const isActedOn = advice === 'elsewhere' || advice === 'authenticate';
  const advised = advice === undefined || isActedOn ? {} : { advice };
  return declined(code === 'FRAUD_DETECTED' ? 'PAYMENT_DECLINED' : code, reason, providerPaymentId, advised);
}

function declined(
  code: DeclineCode,
  reason: CardDeclineReason | undefined,
  providerPaymentId: string | null,
  advised: Advised,
): Declined {
  const details = reason === undefined ? {} : { details: { reason } };
  return { kind: 'declined', providerPaymentId, code, ...details, ...advised };
}

/** Errors of a request that blame what the customer entered, or what the merchant account does not take. */
const REQUEST_ERRORS: Readonly<
  Record<string, { readonly code: DeclineCode; readonly reason?: CardDeclineReason } & Pick<Advised, 'advice'>>
> = {
  101: { code: 'CARD_DECLINED', ...CORRECT_DATA }, // Invalid card number
  102: { code: 'CARD_DECLINED', ...CORRECT_DATA }, // Unable to determine variant
  103: { code: 'CARD_DECLINED', ...CORRECT_DATA }, // CVC is not the right length
  104: { code: 'CARD_DECLINED', ...CORRECT_DATA }, // Billing address problem
  105: { code: 'CARD_DECLINED', reason: 'authentication_failed', ...AUTHENTICATE }, // Invalid PaRes from issuer
  106: { code: 'PAYMENT_DECLINED', ...LATER }, // This session was already used previously
  109: { code: 'CARD_DECLINED', ...CORRECT_DATA }, // Invalid variant
  117: { code: 'CARD_DECLINED', ...CORRECT_DATA }, // Invalid billing address
  127: { code: 'CARD_DECLINED', ...CORRECT_DATA }, // Account holder missing
  128: { code: 'CARD_DECLINED', ...CORRECT_DATA }, // Card holder missing
  129: { code: 'CARD_DECLINED', reason: 'expired_card', ...CORRECT_DATA }, // Expiry date invalid
  131: { code: 'CARD_DECLINED', ...CORRECT_DATA }, // Billing address problem: city
  132: { code: 'CARD_DECLINED', ...CORRECT_DATA }, // Billing address problem: street
  133: { code: 'CARD_DECLINED', ...CORRECT_DATA }, // Billing address problem: house number or name
  134: { code: 'CARD_DECLINED', ...CORRECT_DATA }, // Billing address problem: country
  135: { code: 'CARD_DECLINED', ...CORRECT_DATA }, // Billing address problem: state or province
  137: { code: 'LIMIT_EXCEEDED', ...ELSEWHERE }, // Invalid amount specified
  138: { code: 'UNSUPPORTED_CURRENCY_PAIR', ...ELSEWHERE }, // Unsupported currency specified
  140: { code: 'CARD_DECLINED', reason: 'expired_card', ...CORRECT_DATA }, // Invalid expiry month or year, or in the past
  141: { code: 'CARD_DECLINED', ...CORRECT_DATA }, // Invalid expiry month or year
  144: { code: 'CARD_DECLINED', ...CORRECT_DATA }, // Invalid start month
  145: { code: 'CARD_DECLINED', ...CORRECT_DATA }, // Invalid start year
  153: { code: 'CARD_DECLINED', ...CORRECT_DATA }, // Invalid CVC
  172: { code: 'PAYMENT_DECLINED', ...CORRECT_DATA }, // Encrypted data used outside of valid time period
  174: { code: 'PAYMENT_DECLINED', ...CORRECT_DATA }, // Unable to decrypt data
  175: { code: 'PAYMENT_DECLINED', ...CORRECT_DATA }, // Unable to parse JSON data: of the encrypted card
  181: { code: 'PAYMENT_DECLINED', ...CORRECT_DATA }, // Invalid shopperEmail
  182: { code: 'CARD_DECLINED', ...CORRECT_DATA }, // Invalid selected brand
  193: { code: 'CARD_DECLINED', ...CORRECT_DATA }, // Bin details not found
  194: { code: 'CARD_DECLINED', ...CORRECT_DATA }, // Billing address missing
  800: { code: 'PAYMENT_DECLINED', ...NEVER }, // Contract not found
  802: { code: 'PAYMENT_DECLINED', ...NEVER }, // Invalid contract
  803: { code: 'PAYMENT_DECLINED', ...NEVER }, // PaymentDetail not found
  805: { code: 'PAYMENT_DECLINED', ...NEVER }, // Recurring detail not available for the contract
  905: { code: 'PAYMENT_DECLINED', ...ELSEWHERE },
  '905_1': { code: 'PAYMENT_DECLINED', ...ELSEWHERE },
  '905_3': { code: 'PAYMENT_DECLINED', ...ELSEWHERE },
};

/** Translates the error of a request; null where it is none of `REQUEST_ERRORS`. */
export function requestErrorOf(errorCode: string): Declined | null {
  const found = REQUEST_ERRORS[errorCode];
  return found === undefined ? null : declined(found.code, found.reason, null, adviceIn(found));
}
