import assert from 'node:assert/strict';
import { it } from 'mocha';
import { agreesWithRequest, type ProviderEvent, refundAgrees } from '../../../domain/provider-outcome.ts';
import { MINUTE_MS } from '../../../domain/time.ts';
import { WebhookVerificationError } from '../../../providers/provider-errors.ts';
import { approve, authorize, moneyOf, newAttempt, pay, refundOf, waitUntil } from './attempts.ts';
import { reportOfAttempt, reportOfRefund } from './reports.ts';
import { newSignal } from './requests.ts';
import type { ContractContext, SignedWebhook, WebhookControls } from './subject.ts';

/** Webhooks: what they report, and that only the provider's own are accepted. */
export function describeWebhooks(context: ContractContext): void {
  const { subject, can } = context;
  if (!can('webhooks')) return;

  const read = ({ body, headers }: SignedWebhook) => subject().provider.parseWebhook(body, headers).events;

  const readOrRefuse = (webhook: SignedWebhook) => {
    try {
      return read(webhook);
    } catch (error) {
      if (error instanceof WebhookVerificationError) return [];
      throw error;
    }
  };

  const controls = (): WebhookControls => {
    const { webhooks } = subject();
    assert.ok(webhooks !== undefined, 'the sandbox lacks webhooks, but does not say so');
    return webhooks;
  };

  /** The webhook that reports a payment's approval, and what it reports. */
  const approvalOf = async (
    attemptId: string,
  ): Promise<{ readonly webhook: SignedWebhook; readonly event: ProviderEvent }> => {
    for (;;) {
      await waitUntil(context, () => reportOfAttempt(subject(), attemptId)?.kind === 'approved');
      for (const webhook of controls().sent()) {
        for (const event of read(webhook)) {
          if (!('attemptId' in event) || event.attemptId !== attemptId || event.outcome.kind !== 'approved') continue;
          return { webhook, event };
        }
      }
    }
  };

  it('reports an approval with its attempt, amount and currency', async () => {
    const attempt = newAttempt(context);
    await approve(context, attempt);
    const { event } = await approvalOf(attempt.attemptId);
    assert.equal(event.provider, subject().provider.name);
    assert.ok(event.outcome.kind === 'approved' && agreesWithRequest(event.outcome, attempt));
    assert.equal(event.outcome.providerPaymentId, attempt.providerPaymentId);
  });

  if (can('other_amount')) {
    it('reports another amount than requested as the provider has it', async () => {
      const attempt = newAttempt(context, 'other_amount');
      await approve(context, attempt);
      const { event } = await approvalOf(attempt.attemptId);
      assert.ok(event.outcome.kind === 'approved');
      assert.notEqual(event.outcome.amountMinor, moneyOf(context).amountMinor);
    });
  }

  if (can('waiting')) {
    it("reports the customer's decision", async () => {
      for (const [decision, kind] of [
        ['approve', 'approved'],
        ['refuse', 'declined'],
      ] as const) {
        const attempt = newAttempt(context, 'waiting');
        await authorize(context, attempt);
        await subject().customerActs(attempt, decision);
        // Where the customer brings the result back, the inquiry sends it to the provider.
        const inquired = await subject().provider.inquire(attempt, newSignal());
        await waitUntil(context, () => {
          const reported = reportOfAttempt(subject(), attempt.attemptId);
          // Where the customer may still pay after a refusal, only the inquiry ends the attempt, by closing it.
          const isEndedByInquiry = kind === 'declined' && reported?.kind === 'pending' && inquired.kind === kind;
          return reported?.kind === kind || isEndedByInquiry;
        });
      }
    });
  }

  if (can('refunds')) {
    it('reports a refund under its own id', async () => {
      const paid = await pay(context);
      const refund = refundOf(context, paid, 10_00);
      await subject().provider.refund(refund, newSignal());
      await waitUntil(context, () => reportOfRefund(subject(), refund.refundId)?.kind === 'refunded');
      const reported = reportOfRefund(subject(), refund.refundId);
      assert.ok(reported?.kind === 'refunded' && refundAgrees(reported, refund), JSON.stringify(reported));
    });
  }

  it('reports a refund that nobody requested here, with its amount, so that nobody makes it again', async () => {
    const { attemptId, providerPaymentId } = await pay(context);
    const { refundedByHand } = controls();
    // All of its refunds are the engine's.
    if (refundedByHand === undefined) return;
    const { currency } = moneyOf(context);
    const payment = { attemptId, providerPaymentId: providerPaymentId ?? assert.fail(), amountMinor: 500, currency };
    const [event, ...others] = read(refundedByHand(payment));
    assert.ok(event !== undefined && others.length === 0, 'it is dropped');
    const reported = 'report' in event ? event.report : event;
    assert.ok('unknownRefund' in reported, 'it is no report of a refund');
    const { status, amountMinor } = reported.unknownRefund;
    assert.deepEqual([status, amountMinor, reported.unknownRefund.currency], ['succeeded', 500, currency]);
    const isOfPayment = 'report' in event && event.providerPaymentId === providerPaymentId;
    const isOfAttempt = 'unknownRefund' in event && event.unknownRefund.attemptId === attemptId;
    assert.ok(isOfPayment || isOfAttempt, 'it names another payment');
  });

  it('reads a repeated webhook as the same event', async () => {
    const { webhook, event } = await approvalOf((await pay(context)).attemptId);
    assert.deepEqual(read(webhook), read(webhook));
    assert.notEqual(event.eventId, '');
  });

  it('ignores a webhook about a payment of somebody else', () => {
    assert.deepEqual(read(controls().foreign()), []);
  });

  it('ignores a payment under a reference that is none of this engine', async () => {
    const { webhook } = await approvalOf((await pay(context)).attemptId);
    const { sentAt } = controls();
    // Without it nothing can sign the changed body.
    if (sentAt === undefined) return;
    const body = Buffer.from(webhook.body.toString().replaceAll(/\batt_[0-9a-f]{32}_\d+/g, 'ORDER-1042'));
    assert.deepEqual(read(sentAt({ ...webhook, body }, new Date())), []);
  });

  it('refuses a webhook with another signature, other content, or none', async () => {
    const { webhook } = await approvalOf((await pay(context)).attemptId);
    const unsigned = { body: webhook.body, headers: {} };
    const shapeless = { body: Buffer.from('[]'), headers: webhook.headers };
    const tampered = controls().tampered(webhook);
    assert.notDeepEqual(tampered.body, webhook.body, '`tampered` has changed nothing in the body');
    // An HMAC within the body is not taken away with the headers.
    const isInBody = Object.keys(webhook.headers).every((name) => !/signature|hmac/i.test(name));
    const fakes = { forged: controls().forged(webhook), tampered, shapeless, ...(isInBody ? {} : { unsigned }) };
    for (const [name, fake] of Object.entries(fakes)) {
      assert.throws(() => read(fake), WebhookVerificationError, `${name}: expected a WebhookVerificationError`);
    }
  });

  it('refuses a webhook from more than five minutes ago, or ahead, or only asks about what it names', async () => {
    const { webhook } = await approvalOf((await pay(context)).attemptId);
    const { sentAt } = controls();
    if (sentAt === undefined) return;
    for (const minutes of [-6, 6]) {
      const late = sentAt(webhook, new Date(Date.now() + minutes * MINUTE_MS));
      const believed = readOrRefuse(late).filter((event) => !('notUnderstood' in event));
      assert.deepEqual(believed, [], `signed ${minutes} minutes from now`);
    }
    for (const minutes of [-4, 4]) {
      assert.equal(read(sentAt(webhook, new Date(Date.now() + minutes * MINUTE_MS))).length, 1);
    }
  });
}
