import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { factsOf } from '../../../../domain/dispute.ts';
import { HOUR_MS } from '../../../../domain/time.ts';
import { withEventIds } from '../../../../providers/dispute-reports.ts';
import type { DisputeAnswer } from '../../../../providers/payment-provider.ts';
import { STRIPE } from '../../../../providers/stripe/stripe-provider.ts';
import type { FakeStripe } from '../../../../sandbox/fakes/stripe/fake-stripe.ts';
import { cardOf, newSignal, requestWith } from '../../../support/provider-contract.ts';
import { newUnique } from '../../../support/provider-contract/requests.ts';
import { adapterTo, startFake } from '../../../support/stripe-harness.ts';

const PDF = Buffer.from('%PDF-1.7 proof');

describe('disputes at Stripe', () => {
  let fake: FakeStripe;
  let paid: { readonly attemptId: string; readonly providerPaymentId: string };

  beforeEach(async () => {
    fake = await startFake();
    const request = requestWith(cardOf('4242424242424242'));
    const outcome = await adapterTo(fake.url).authorize(request, newSignal());
    assert.ok(outcome.kind === 'approved');
    paid = { attemptId: request.attemptId, providerPaymentId: outcome.providerPaymentId };
  });
  afterEach(() => fake.close());

  const answerTo = (providerReference: string, change: Partial<DisputeAnswer> = {}): DisputeAnswer => ({
    disputeId: 'dp_1',
    environment: 'sandbox',
    providerReference,
    ...paid,
    operationId: `op_${newUnique()}`,
    stage: 'chargeback',
    reason: 'fraudulent',
    evidence: { explanation: 'It was delivered.', customerName: 'A. Customer' },
    files: [{ kind: 'other', contentType: 'application/pdf', content: PDF }],
    begin: () => Promise.resolve(),
    ...change,
  });
  const submit = (answer: DisputeAnswer) => adapterTo(fake.url).submitEvidence?.(answer, newSignal());

  it('get texts and files under the names that Stripe has for them', async () => {
    const { id } = fake.disputes.open(paid.providerPaymentId);
    await submit(answerTo(id));
    const { evidence } = fake.disputes.find(id);
    const { uncategorized_file: file = '', ...texts } = evidence;
    assert.deepEqual(texts, { uncategorized_text: 'It was delivered.', customer_name: 'A. Customer' });
    assert.match(file, /^file_/);
  });

  it('are sent again after a status 500 that Stripe would repeat under a key, once it says that nothing was done', async () => {
    const { id } = fake.disputes.open(paid.providerPaymentId);
    const answer = answerTo(id);
    fake.failNext(`/disputes/${id}`, 'not_done');
    await assert.rejects(submit(answer) ?? assert.fail(), { code: 'TSP_ERROR' });
    assert.equal((await submit(answer))?.kind, 'answered');
    assert.equal(fake.disputes.answersTo(id).submitted, 1);
  });

  it('are answered where an earlier request has come through after all, and refused where Stripe takes no answer', async () => {
    const { id } = fake.disputes.open(paid.providerPaymentId);
    await submit(answerTo(id));
    const again = await submit(answerTo(id));
    assert.ok(again?.kind === 'answered');
    assert.equal(again.reports.at(-1)?.status, 'under_review');
    assert.equal(fake.disputes.answersTo(id).submitted, 1);
    await assert.rejects(submit(answerTo('dp_unknown')) ?? assert.fail(), { code: 'TSP_ERROR' });
  });

  it('are inquiries that take no money, whose submission is under review', async () => {
    const { id } = fake.disputes.open(paid.providerPaymentId, { isInquiry: true });
    const outcome = await submit(answerTo(id));
    assert.ok(outcome?.kind === 'answered');
    const { stage, status, withdrawnMinor } = factsOf(withEventIds(outcome.reports));
    assert.deepEqual([stage, status, withdrawnMinor], ['inquiry', 'under_review', 0]);
  });

  it('are listed by their creation where the key may not read events', async () => {
    const { id } = fake.disputes.open(paid.providerPaymentId);
    fake.forbidEvents();
    const window = { from: new Date(Date.now() - HOUR_MS), to: new Date() };
    const page = await adapterTo(fake.url).listDisputes?.({ window, cursor: null }, newSignal());
    const [listed] = page?.disputes ?? [];
    assert.equal(listed?.providerPaymentId, paid.providerPaymentId);
    assert.ok(listed.reports.every(({ providerReference }) => providerReference === id));
    assert.deepEqual([factsOf(listed.reports).withdrawnMinor, page?.nextCursor], [1_234, null]);
  });

  it('have at most so many characters as Stripe takes', () => {
    const problemIn = (length: number) =>
      STRIPE.disputeAnswers?.problemWith({ evidence: { explanation: 'x'.repeat(length) }, files: [] });
    assert.equal(problemIn(150_000), null);
    assert.match(problemIn(150_001) ?? '', /150001\. Shorten/);
  });
});
