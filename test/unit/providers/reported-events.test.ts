import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'mocha';
import { meaningOf as meaningAtCashfree } from '../../../providers/cashfree/webhook.ts';
import { ADYEN_EVENTS } from '../../../providers/adyen/webhook.ts';
import { meaningOf as meaningAtStripe } from '../../../providers/stripe/webhook.ts';

/** The events of Adyen's list of standard webhooks. */
const ADYEN = `
  ACH_NOTIFICATION_OF_CHANGE AUTHORISATION AUTHORISATION_ADJUSTMENT AUTORESCUE CANCELLATION CANCEL_AUTORESCUE CANCEL_OR_REFUND CAPTURE
  CAPTURE_FAILED CHARGEBACK CHARGEBACK_REVERSED DIRECT_DEBIT_NOTICE_OF_CHANGE_NOTIFICATION DISPUTE_DEFENSE_PERIOD_ENDED EXPIRE
  INFORMATION_SUPPLIED ISSUER_COMMENTS ISSUER_RESPONSE_TIMEFRAME_EXPIRED MANUAL_REVIEW_ACCEPT MANUAL_REVIEW_REJECT
  NOTIFICATION_OF_CHARGEBACK NOTIFICATION_OF_FRAUD OFFER_CLOSED ORDER_CLOSED ORDER_OPENED PAIDOUT_REVERSED PAYOUT_DECLINE PAYOUT_EXPIRE
  PAYOUT_THIRDPARTY POSTPONED_REFUND PREARBITRATION_ACCEPTED PREARBITRATION_DECLINED PREARBITRATION_ISSUER_WITHDRAWN
  PREARBITRATION_LOST PREARBITRATION_OPEN PREARBITRATION_WON RECURRING_CONTRACT REFUND REFUNDED_REVERSED REFUND_FAILED REFUND_WITH_DATA
  REPORT_AVAILABLE REQUEST_FOR_INFORMATION SCHEME_ARBITRATION SCHEME_ARBITRATION_LOST SCHEME_ARBITRATION_WON SECOND_CHARGEBACK
  TECHNICAL_CANCEL VOID_PENDING_REFUND`
  .trim()
  .split(/\s+/);

/** The events of Cashfree's pages about webhooks. */
const CASHFREE = `
  PAYMENT_SUCCESS_WEBHOOK PAYMENT_FAILED_WEBHOOK PAYMENT_USER_DROPPED_WEBHOOK PAYMENT_CHARGES_WEBHOOK REFUND_STATUS_WEBHOOK
  REFUND_SUCCESS_WEBHOOK AUTO_REFUND_STATUS_WEBHOOK DISPUTE_CREATED DISPUTE_UPDATED DISPUTE_CLOSED SETTLEMENT_INITIATED
  SETTLEMENT_SUCCESS SETTLEMENT_FAILED SETTLEMENT_REVERSED VENDOR_SETTLEMENT_INITIATED VENDOR_SETTLEMENT_SUCCESS
  VENDOR_SETTLEMENT_FAILED VENDOR_SETTLEMENT_REVERSED INSTRUMENT_ACTIVE_WEBHOOK SUBSCRIPTION_STATUS_CHANGE PAYMENT_LINK_EVENT
  PAYMENT_FORM_ORDER_WEBHOOK ABANDONED_CHECKOUT`
  .trim()
  .split(/\s+/);

/** Groups of Stripe's events that move or dispute the money of a payment, and those that change saved cards. */
const MONEY_AT_STRIPE =
  /^(?:(?:charge|payment_intent|refund|radar|review)\.|payment_method\.(?:automatically_updated|detached)$)/;

/** Every event to which a webhook endpoint at Stripe can subscribe, by the types of Stripe's own package. */
function stripeEvents(): readonly string[] {
  const types = readFileSync('node_modules/stripe/esm/resources/WebhookEndpoints.d.ts', 'utf8');
  return [...new Set([...types.matchAll(/'([a-z_0-9]+(?:\.[a-z_0-9]+)+)'/g)].map(([, name = '']) => name))];
}

/** The names in the first column of a vendor's table, as expressions. */
function rowsOf(vendor: string): readonly RegExp[] {
  const page = readFileSync(path.join('docs', 'providers', 'reports.md'), 'utf8');
  const section = page.split(/^## /m).find((text) => text.startsWith(`${vendor}\n`)) ?? assert.fail(vendor);
  const cells = section.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| every'));
  const names = cells.flatMap((line) =>
    [...(line.split('|')[1] ?? '').matchAll(/`([^`]+)`/g)].map(([, name = '']) => name),
  );
  return names.map((name) => new RegExp(`^${name.replaceAll('.', '\\.').replaceAll('*', '.*')}$`));
}

describe('the table of what vendors report', () => {
  const published = {
    Adyen: ADYEN,
    Cashfree: CASHFREE,
    Stripe: stripeEvents().filter((name) => MONEY_AT_STRIPE.test(name)),
  };
  for (const [vendor, events] of Object.entries(published)) {
    it(`has a row for every event of ${vendor} about money`, () => {
      assert.ok(events.length > 15, `${events.length} events`);
      const rows = rowsOf(vendor);
      const missing = events.filter((name) => !rows.some((row) => row.test(name)));
      assert.deepEqual(missing, []);
    });
  }

  it('is what the adapters do', () => {
    assert.deepEqual(
      ADYEN.filter((name) => !ADYEN_EVENTS.has(name)),
      [],
    );
    const handled = stripeEvents().filter((name) => meaningAtStripe(name) !== 'nothing');
    assert.deepEqual(
      handled.filter((name) => !MONEY_AT_STRIPE.test(name)),
      [],
    );
    assert.deepEqual(['refund.created', 'charge.dispute.created', 'review.opened'].map(meaningAtStripe), [
      'refund',
      'dispute',
      'question',
    ]);
    assert.deepEqual(
      CASHFREE.filter((name) => meaningAtCashfree(name) === 'question'),
      [],
    );
  });

  it('is linked from the page of each vendor', () => {
    const vendors = readdirSync('docs/providers').filter((name) =>
      ['adyen.md', 'cashfree.md', 'stripe.md'].includes(name),
    );
    for (const name of vendors)
      assert.match(readFileSync(path.join('docs/providers', name), 'utf8'), /\(reports\.md#/, name);
  });
});
