import { ERROR_CATALOGUE, type ErrorCode, type ErrorType } from '../../domain/error-catalogue.ts';

/** When each type of error happens. */
export const ERROR_TYPE_MEANINGS: Readonly<Record<ErrorType, string>> = {
  authentication_error: 'the API key, the signature or the time of the request is not accepted',
  permission_error: 'the API key may not do this',
  validation_error: 'the request is malformed, or a value in it is not valid',
  resource_error: 'the resource does not exist, or its state does not allow the operation',
  payment_error: 'the payment was refused or failed',
  refund_error: 'the refund was refused or failed',
  rate_limit_error: 'too many requests',
  provider_error: 'a provider failed',
  operational_error: 'no provider could carry out the payment, or a provider refused it for another reason',
  internal_error: 'the service failed or is overloaded',
};

/** Why each code is returned: what the page of errors says, without its links, which lead to other pages. */
export const ERROR_CODE_MEANINGS = Object.fromEntries(
  Object.entries(ERROR_CATALOGUE).map(([code, { why }]) => [code, why.replaceAll(/\[([^\]]+)\]\([^)]+\)/g, '$1')]),
) as Readonly<Record<ErrorCode, string>>;
