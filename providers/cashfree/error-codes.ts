import type { Advised } from '../../domain/decline-advice.ts';
import type { Declined, Failed, OutageCode } from '../../domain/provider-outcome.ts';
import { advise, ISSUER_DECLINE } from '../network-advice.ts';

const NEVER = advise('never');
const LATER = advise('later');
const ELSEWHERE = advise('elsewhere');
const AUTHENTICATE = advise('authenticate');
const CORRECT_DATA = advise('correct_data');

/** What a refused request means, for the calls that the adapter makes. */
export type RefusalMeaning =
  | Declined['code']
  | OutageCode
  /** An order or refund of this id is there already. */
  | 'already_exists'
  | 'not_found'
  /** This refund cannot be made. */
  | 'refund_refused'
  /** The client id or secret is wrong, or has no right to this. */
  | 'credentials_refused'
  /** An error of Cashfree's that says nothing to the adapter. */
  | 'unrecognised'
  /** Not an error in Cashfree's form. */
  | 'unknown_form';

/** By Cashfree's code of the error. What the adapter never meets, such as errors of payment links, is left out. */
const MEANING_BY_CODE: ReadonlyMap<string, RefusalMeaning> = new Map<string, RefusalMeaning>([
  ['card_unsupported', 'CARD_DECLINED'],
  ['card_number_invalid', 'CARD_DECLINED'],
  ['card_submission_disabled', 'PAYMENT_DECLINED'],
  ['payment_method_unsupported', 'PAYMENT_DECLINED'],
  ['payment_method_invalid', 'PAYMENT_DECLINED'],
  ['payment_gateway_unsupported', 'PAYMENT_DECLINED'],
  ['authorize_only_invalid', 'PAYMENT_DECLINED'],
  ['order_amount_invalid', 'LIMIT_EXCEEDED'],
  ['payment_amount_invalid', 'LIMIT_EXCEEDED'],
  ['order_already_exists', 'already_exists'],
  ['order_id_already_exists', 'already_exists'],
  ['order_not_found', 'not_found'],
  ['order_get_not_found', 'not_found'],
  ['order_request_not_found', 'not_found'],
  ['order_id_post_not_found', 'not_found'],
  ['refund_get_not_found', 'not_found'],
  ['resource_get_not_found', 'not_found'],
  ['refund_amount_invalid', 'refund_refused'],
  ['refund_invalid', 'refund_refused'],
  ['refund_unsupported', 'refund_refused'],
  ['order_id_not_paid', 'refund_refused'],
  // The order has moved on: only an inquiry says how.
  ['order_inactive', 'TSP_ERROR'],
  ['order_id_voided', 'TSP_ERROR'],
  ['order_already_paid', 'TSP_ERROR'],
  ['orderpay_already_exists', 'TSP_ERROR'],
  ['payment_session_id_invalid', 'TSP_ERROR'],
  ['payment_gateway_inactive', 'TSP_UNAVAILABLE'],
  ['payment_gateway_inactive_request_failed', 'TSP_UNAVAILABLE'],
  ['api_request_timeout', 'TSP_TIMEOUT'],
  ['api_request_failed', 'TSP_ERROR'],
  ['bank_processing_failure', 'TSP_ERROR'],
  ['internal_error', 'TSP_ERROR'],
  ['order_create_failed', 'TSP_ERROR'],
  ['order_creation_faied', 'TSP_ERROR'], // so spelled
  ['order_pay_failed', 'TSP_ERROR'],
  ['refund_post_failed', 'TSP_ERROR'],
]);

/** What the refusal of a payment tells the merchant to do, by Cashfree's code of the error. */
const ADVICE_BY_CODE: ReadonlyMap<string, Advised> = new Map<string, Advised>([
  ['card_unsupported', ISSUER_DECLINE],
  ['card_number_invalid', CORRECT_DATA],
  ['card_submission_disabled', ELSEWHERE],
  ['payment_method_unsupported', ELSEWHERE],
  ['payment_method_invalid', CORRECT_DATA],
  ['payment_gateway_unsupported', ELSEWHERE],
  ['authorize_only_invalid', ELSEWHERE],
  ['order_amount_invalid', ELSEWHERE],
  ['payment_amount_invalid', ELSEWHERE],
]);

/** What a refused request tells the merchant to do; nothing where its code is in no table. */
export function adviceOfRefusal(code: string | null | undefined): Advised {
  return ADVICE_BY_CODE.get(code ?? '') ?? {};
}

/** By Cashfree's type of the error, where its code says nothing. */
const MEANING_BY_TYPE: ReadonlyMap<string, RefusalMeaning> = new Map<string, RefusalMeaning>([
  ['api_connection_error', 'TSP_UNAVAILABLE'],
  ['api_error', 'TSP_ERROR'],
  ['bad_gateway_error', 'TSP_ERROR'],
  ['rate_limit_error', 'TSP_UNAVAILABLE'],
  // The same key with another body: the earlier request is the one that counts.
  ['idempotency_error', 'TSP_ERROR'],
  ['authentication_error', 'credentials_refused'],
]);

const MEANING_BY_STATUS: Readonly<Record<number, RefusalMeaning>> = {
  403: 'credentials_refused',
  404: 'not_found',
  408: 'TSP_TIMEOUT',
  409: 'already_exists',
  425: 'TSP_UNAVAILABLE',
  429: 'TSP_UNAVAILABLE',
  503: 'TSP_UNAVAILABLE',
  504: 'TSP_TIMEOUT',
};

/** What a response other than 200 means. After a 5xx nobody knows whether the work was done, whatever its code says. */
export function meaningOf(
  status: number,
  { code, type }: { readonly code?: string | null | undefined; readonly type?: string | null | undefined },
): RefusalMeaning {
  if (status < 400 || status >= 500) return asOutage(MEANING_BY_STATUS[status]);
  if (status === 401) return 'credentials_refused';
  if (status === 429) return 'TSP_UNAVAILABLE';
  const known = MEANING_BY_CODE.get(code ?? '') ?? MEANING_BY_TYPE.get(type ?? '') ?? MEANING_BY_STATUS[status];
  return known ?? ((code ?? type ?? '') === '' ? 'unknown_form' : 'unrecognised');
}

function asOutage(meaning: RefusalMeaning | undefined): OutageCode {
  return isOutage(meaning) ? meaning : 'TSP_ERROR';
}

export function isOutage(meaning: RefusalMeaning | undefined): meaning is OutageCode {
  return meaning === 'TSP_ERROR' || meaning === 'TSP_TIMEOUT' || meaning === 'TSP_UNAVAILABLE';
}

/** Why a payment failed, by the reason or code that Cashfree gives, in lower case. */
const OUTCOME_BY_FAILURE: ReadonlyMap<string, FailureMeaning> = new Map<string, FailureMeaning>([
  ['insufficient_funds', { kind: 'declined', code: 'INSUFFICIENT_FUNDS', ...LATER }],
  ['insufficient_balance', { kind: 'declined', code: 'INSUFFICIENT_FUNDS', ...LATER }],
  ['limit_exceeded', { kind: 'declined', code: 'LIMIT_EXCEEDED', ...LATER }],
  ['transaction_limit_exceeded', { kind: 'declined', code: 'LIMIT_EXCEEDED', ...LATER }],
  ['auth_declined', { kind: 'declined', code: 'CARD_DECLINED', ...ISSUER_DECLINE }],
  [
    'authentication_failed',
    { kind: 'declined', code: 'CARD_DECLINED', reason: 'authentication_failed', ...AUTHENTICATE },
  ],
  ['card_expired', { kind: 'declined', code: 'CARD_DECLINED', reason: 'expired_card', ...CORRECT_DATA }],
  ['expired_card', { kind: 'declined', code: 'CARD_DECLINED', reason: 'expired_card', ...CORRECT_DATA }],
  ['bank_rejected', { kind: 'declined', code: 'PAYMENT_DECLINED', ...ISSUER_DECLINE }],
  ['transaction_declined', { kind: 'declined', code: 'PAYMENT_DECLINED', ...ISSUER_DECLINE }],
  ['bank_processing_failure', { kind: 'declined', code: 'PAYMENT_DECLINED', ...ELSEWHERE }],
  ['payment_gateway_inactive', { kind: 'declined', code: 'PAYMENT_DECLINED', ...ELSEWHERE }],
  ['issuer_not_available', { kind: 'declined', code: 'PAYMENT_DECLINED', ...ELSEWHERE }],
  ['risk_declined', { kind: 'failed', code: 'FRAUD_DETECTED', ...NEVER }],
  ['fraud_suspected', { kind: 'failed', code: 'FRAUD_DETECTED', ...NEVER }],
]);

type FailureMeaning = Pick<Advised, 'advice' | 'isIssuerDecline'> &
  (
    | {
        readonly kind: 'declined';
        readonly code: Declined['code'];
        readonly reason?: 'expired_card' | 'authentication_failed';
      }
    | { readonly kind: 'failed'; readonly code: Failed['code'] }
  );

/** The reason is more exact than the code. Whatever is unknown is a decline: another method may work. */
export function failureMeaningOf(reason: string | null, code: string | null): FailureMeaning {
  const known = [reason, code].map((word) => OUTCOME_BY_FAILURE.get((word ?? '').toLowerCase()));
  return known.find((meaning) => meaning !== undefined) ?? { kind: 'declined', code: 'PAYMENT_DECLINED' };
}
