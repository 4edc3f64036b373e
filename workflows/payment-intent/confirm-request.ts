import { PAYMENT_METHOD_TYPES } from '../../domain/payment.ts';
import { SAVED_METHOD_USES } from '../../domain/saved-payment-method.ts';
import type { ConfirmRequest } from '../../protocol/messages.ts';
import { isOneOf, isRecord, isText } from '../shared/message-shape.ts';

/** Whether a message, or what is stored of one, is a confirm. */
export function isConfirmRequest(message: unknown): message is ConfirmRequest {
  return (
    isRecord(message) &&
    isText(message.paymentMethodId) &&
    isOneOf(PAYMENT_METHOD_TYPES, message.method) &&
    (message.cardLast4 === undefined || isLast4(message.cardLast4)) &&
    isTime(message.beginBefore) &&
    isTime(message.failOverBefore) &&
    (message.savedUse === undefined || isOneOf(SAVED_METHOD_USES, message.savedUse)) &&
    (message.returnUrlId === undefined || isText(message.returnUrlId))
  );
}

function isLast4(value: unknown): boolean {
  return typeof value === 'string' && /^\d{4}$/.test(value);
}

/** The database reads the text as a time. */
function isTime(value: unknown): boolean {
  return (
    typeof value === 'string' &&
    /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(value) &&
    !Number.isNaN(Date.parse(value))
  );
}
