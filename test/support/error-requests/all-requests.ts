import type { ErrorCode } from '../../../domain/error-catalogue.ts';
import { ACCESS_CODES } from './access.ts';
import { MONEY_CODES } from './money.ts';
import { PAYMENT_CODES } from './payments.ts';
import { REQUEST_CODES } from './requests.ts';
import type { ErrorRequest } from './request-context.ts';

/** For every code of the catalogue a request that meets it; the compiler misses a code that is in no row. */
export const ERROR_REQUESTS: Readonly<Record<ErrorCode, ErrorRequest>> = {
  ...ACCESS_CODES,
  ...REQUEST_CODES,
  ...PAYMENT_CODES,
  ...MONEY_CODES,
};
