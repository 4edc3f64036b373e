import { createHmac } from 'node:crypto';
import type { PaymentWebhook, RefundWebhook } from 'cashfree-pg';
import type { SignedWebhook } from '../edge.ts';
import type { LedgerEvent } from './ledger.ts';

const PAYMENT_EVENTS: Readonly<Record<string, string>> = {
  SUCCESS: 'PAYMENT_SUCCESS_WEBHOOK',
  FAILED: 'PAYMENT_FAILED_WEBHOOK',
  USER_DROPPED: 'PAYMENT_USER_DROPPED_WEBHOOK',
};

/** The body of a webhook. */
export function webhookBodyOf(event: LedgerEvent): Buffer {
  const time = new Date().toISOString();
  if (event.kind === 'refund') {
    const body = { data: { refund: event.refund }, event_time: time, type: 'REFUND_STATUS_WEBHOOK' };
    return Buffer.from(JSON.stringify(body satisfies RefundWebhook));
  }
  if (event.kind === 'dispute') {
    const { order_details, customer_details, ...dispute } = event.dispute;
    const data = { dispute: zoned(dispute), order_details, customer_details };
    return Buffer.from(JSON.stringify({ data, event_time: time, type: event.type }));
  }
  const { order, payment } = event;
  // As in Cashfree's samples: the payment does not name its order, and its failure stands beside it.
  const { order_id: _, error_details: failure, is_captured: __, ...shown } = payment;
  const { order_id = '', order_amount = 0, order_currency = '' } = order;
  const body = {
    data: {
      order: { order_id, order_amount, order_currency },
      payment: shown,
      customer_details: { customer_id: order.customer_details?.customer_id ?? '' },
      ...(failure === undefined ? {} : { error_details: failure }),
    },
    event_time: time,
    type: PAYMENT_EVENTS[payment.payment_status ?? ''] ?? '',
  };
  return Buffer.from(JSON.stringify(body satisfies PaymentWebhook));
}

/** In webhooks times have their zone. */
function zoned(dispute: object): object {
  const entries = Object.entries(dispute);
  return Object.fromEntries(
    entries.map(([name, value]) => [name, /_(?:at|by)$/.test(name) ? `${String(value)}+05:30` : value]),
  );
}

/** Signs a body with the client secret, as of now or of another time. */
export function signWebhook(body: Buffer, clientSecret: string, at = new Date()): SignedWebhook {
  const timestamp = String(at.getTime());
  const signature = createHmac('sha256', clientSecret).update(timestamp).update(body).digest('base64');
  return {
    body,
    headers: {
      'content-type': 'application/json',
      'x-webhook-version': '2025-01-01',
      'x-webhook-timestamp': timestamp,
      'x-webhook-signature': signature,
    },
  };
}
