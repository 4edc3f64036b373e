import type { ErrorCode } from '../../../domain/error-catalogue.ts';
import { ACCESS_CODES } from './access.ts';
import { MONEY_CODES } from './money.ts';
import { PAYMENT_CODES } from './payments.ts';
import { REQUEST_CODES } from './requests.ts';
import type { ErrorRequest } from './request-context.ts';

/** A request for every code of the catalogue; a missing code is a compile error. */
export const ERROR_REQUESTS: Readonly<Record<ErrorCode, ErrorRequest>> = {
  ...ACCESS_CODES,
  ...REQUEST_CODES,
  ...PAYMENT_CODES,
  ...MONEY_CODES,
};
