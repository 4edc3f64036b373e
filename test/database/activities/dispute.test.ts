import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import { createDisputeActivities } from '../../../activities/dispute.ts';
import { requestDisputeOperation, updateDraft, uploadFile } from '../../../api/resources/disputes/answer.ts';
import { ApiError } from '../../../domain/api-error.ts';
import type { DisputeReport } from '../../../domain/dispute.ts';
import { attemptIdOf } from '../../../domain/ids.ts';
import { newId } from '../../../domain/new-id.ts';
import type { Principal } from '../../../domain/principal.ts';
import { providerAccountIdOf } from '../../../domain/provider-account.ts';
import type { DisputeAnswer, PaymentProvider } from '../../../providers/payment-provider.ts';
import { CredentialsRefusedError, ProviderOutageError } from '../../../providers/provider-errors.ts';
import type { ProviderRegistry } from '../../../providers/provider-registry.ts';
import { reportDispute } from '../../../worker/jobs/report-dispute.ts';
import { useAccount } from '../../support/account-fixture.ts';
import { inActivity } from '../../support/activity-context.ts';
import { registryOf } from '../../support/one-provider-registry.ts';
import { insertPaymentAttempt, insertPaymentIntent } from '../../support/payment-rows.ts';
import { principalWith } from '../../support/principal.ts';
import { SAVED_CARD_KEYRING as KEYRING } from '../../support/saved-cards.ts';

const DAY_MS = 86_400_000;
const PDF = Buffer.from('%PDF-1.7 secret of the customer');
const RESPOND_BY = new Date(Date.now() + 10 * DAY_MS).toISOString();
let providerReference = '';
const NO_WORKFLOWS = { wake: () => Promise.resolve() };

function reportOf(change: Partial<DisputeReport> = {}): DisputeReport {
  return {
    providerReference,
    providerEvent: 'dispute.opened',
    stage: 'chargeback',
    status: 'needs_response',
    unknownStatus: null,
    reason: 'fraudulent',
    networkReasonCode: null,
    amountMinor: 1_000,
    currency: 'USD',
    respondBy: RESPOND_BY,
    isDefendable: true,
    funds: 'withdrawn',
    occurredAt: new Date(Date.now() - DAY_MS).toISOString(),
    ...change,
  };
}
const underReview = (): DisputeReport =>
  reportOf({
    providerEvent: 'dispute.under_review',
    status: 'under_review',
    funds: null,
    occurredAt: new Date().toISOString(),
  });
const lost = (): DisputeReport => ({ ...underReview(), providerEvent: 'dispute.lost', status: 'lost' });

describe('the answer to a dispute', function () {
  this.timeout(60_000);
  const test = useAccount();
  let principal: Principal;
  let disputeId: string;
  let intent: string;
  let calls: { readonly operation: string; readonly answer: DisputeAnswer }[];

  const dependencies = () => ({ database: test.database, keyring: KEYRING, disputeWorkflows: NO_WORKFLOWS });
  const rowOf = () => test.database.dispute.findUniqueOrThrow({ where: { id: disputeId } });
  const request = (kind: 'submit' | 'accept', operationId: string = newId('request')) => {
    const execution = { resourceId: disputeId, operationId, generation: 0, resumed: false, isUndecided: false };
    return requestDisputeOperation(dependencies(), principal, { id: disputeId, kind, execution });
  };
  const draft = () =>
    updateDraft(dependencies(), principal, disputeId, { evidence: { explanation: 'It was delivered.' } });
  const report = async (change: Partial<DisputeReport> = {}): Promise<void> => {
    const attemptId = attemptIdOf(intent, 1);
    await reportDispute(
      { database: test.database, disputeWorkflows: NO_WORKFLOWS, logger: { error: () => undefined } },
      { paymentIntentId: intent } as Parameters<typeof reportDispute>[1],
      { provider: 'alpha', eventId: newId('event'), dispute: { attemptId, ...reportOf(change) } },
    );
  };
  /** A provider that notes each call, and answers it as `answer` says. */
  const providerThat = (
    answer: () => ReturnType<NonNullable<PaymentProvider['submitEvidence']>>,
    others: Partial<PaymentProvider> = {},
  ): ProviderRegistry => {
    const noted = (operation: string) => async (asked: DisputeAnswer) => {
      await asked.begin();
      calls.push({ operation, answer: asked });
      return answer();
    };
    return registryOf({ submitEvidence: noted('submit'), acceptDispute: noted('accept'), ...others });
  };
  const activitiesAt = (registry: Pick<ProviderRegistry, 'find'>) =>
    createDisputeActivities({ database: test.database, registry, keyring: KEYRING });
  const carryOut = async (registry: Pick<ProviderRegistry, 'find'>): Promise<void> => {
    const { operationId } = await rowOf();
    await inActivity(() => activitiesAt(registry).answerDispute({ disputeId, operationId: operationId ?? '' }));
  };
  const eventTypes = async () =>
    (await test.database.event.findMany({ where: { resourceId: disputeId }, orderBy: { insertion: 'asc' } })).map(
      ({ type }) => type,
    );
  const answered = (reports: readonly DisputeReport[]) => () => Promise.resolve({ kind: 'answered', reports } as const);

  beforeEach(async () => {
    calls = [];
    providerReference = newId('request');
    principal = principalWith({ merchantAccountId: test.account, environment: 'sandbox' });
    intent = await insertPaymentIntent(test.database, test.account, {
      status: 'succeeded',
      amountCapturedMinor: 1_000n,
      provider: 'alpha',
    });
    await insertPaymentAttempt(test.database, intent, { outcome: 'approved', provider: 'alpha' });
    await report();
    const dispute = await test.database.dispute.findFirstOrThrow({ where: { paymentIntentId: intent } });
    disputeId = dispute.id;
  });

  it('is a draft with files, sealed, until it is sent once with its key, and leaves only to the provider', async () => {
    const files = { kind: 'receipt', contentType: 'application/pdf', content: PDF.toString('base64') } as const;
    await uploadFile(dependencies(), principal, disputeId, files);
    const stored = await draft();
    assert.deepEqual(
      stored.files.map(({ kind, sizeBytes }) => [kind, sizeBytes]),
      [['receipt', PDF.length]],
    );
    const { ciphertext } = await test.database.disputeFile.findFirstOrThrow({ where: { disputeId } });
    assert.ok(!Buffer.from(ciphertext).includes('secret'));
    assert.equal((await request('submit', 'op_1')).dispute.status, 'submitting');
    await carryOut(providerThat(answered([underReview()])));
    await carryOut(providerThat(answered([underReview()])));
    assert.equal(calls.length, 1);
    const [call] = calls;
    assert.deepEqual(
      [call?.operation, call?.answer.operationId, call?.answer.evidence, call?.answer.files[0]?.content],
      ['submit', 'op_1', { explanation: 'It was delivered.' }, PDF],
    );
    const row = await rowOf();
    assert.deepEqual([row.status, row.operation, row.lastError], ['under_review', null, null]);
    assert.ok(row.evidenceSubmittedAt !== null);
    const events = await test.database.event.findMany({ where: { resourceId: disputeId } });
    assert.ok(!JSON.stringify(events.map(({ snapshot }) => snapshot)).includes('It was delivered'));
    await assert.rejects(draft(), { code: 'STATE_CONFLICT' });
  });

  it('of a submission and an acceptance at once, one passes; of two acceptances with two keys, one', async () => {
    await draft();
    for (const kinds of [
      ['submit', 'accept'],
      ['accept', 'accept'],
    ] as const) {
      await test.database.dispute.update({
        where: { id: disputeId },
        data: { operation: null, status: 'needs_response' },
      });
      const results = await Promise.allSettled(kinds.map((kind) => request(kind)));
      assert.deepEqual(results.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
      const refusal = results.find((result) => result.status === 'rejected');
      assert.equal((refusal as PromiseRejectedResult).reason.code, 'STATE_CONFLICT');
    }
    await carryOut(providerThat(answered([lost()])));
    assert.deepEqual(
      calls.map(({ operation }) => operation),
      ['accept'],
    );
    assert.equal((await rowOf()).status, 'lost');
    assert.equal((await eventTypes()).at(-1), 'dispute.closed');
  });

  it('is the same request under one key, however often it comes', async () => {
    const first = await request('accept', 'op_1');
    const again = await request('accept', 'op_1');
    assert.deepEqual([first.dispute.status, again.dispute.status], ['accepting', 'accepting']);
    await carryOut(providerThat(answered([lost()])));
    assert.equal((await request('accept', 'op_1')).dispute.status, 'lost');
  });

  it('is asked about after a lost reply, and sent again under its key only where the provider has not got it', async () => {
    await draft();
    await request('submit');
    const lostReply = () => Promise.reject(new ProviderOutageError('TSP_TIMEOUT', 'no answer'));
    await assert.rejects(carryOut(providerThat(lostReply)), { type: 'TSP_TIMEOUT' });
    assert.equal((await rowOf()).status, 'submitting');
    const asked: string[] = [];
    const inquire = (reports: readonly DisputeReport[]) => ({
      inquireDispute: async ({ disputeId: asks }: { disputeId: string }) => {
        asked.push(asks);
        return reports;
      },
    });
    await assert.rejects(carryOut(providerThat(lostReply, inquire([reportOf()]))), { type: 'TSP_TIMEOUT' });
    assert.equal(calls.length, 2);
    assert.equal(calls[0]?.answer.operationId, calls[1]?.answer.operationId);
    await carryOut(providerThat(lostReply, inquire([reportOf(), underReview()])));
    assert.deepEqual([calls.length, asked.length], [2, 2]);
    assert.equal((await rowOf()).status, 'under_review');
  });

  it('waits for the webhook of a provider that cannot be asked, without a second call', async () => {
    await request('accept');
    const lostReply = () => Promise.reject(new ProviderOutageError('TSP_TIMEOUT', 'no answer'));
    await assert.rejects(carryOut(providerThat(lostReply)), { type: 'TSP_TIMEOUT' });
    await assert.rejects(carryOut(providerThat(lostReply)), { type: 'WAITS_FOR_REPORT' });
    assert.equal(calls.length, 1);
    await report({ ...lost() });
    const row = await rowOf();
    assert.deepEqual([row.status, row.operation], ['lost', null]);
    await carryOut(providerThat(lostReply));
    assert.equal(calls.length, 1);
  });

  it('is repeated without a question where what failed did nothing that cannot be taken back', async () => {
    await draft();
    await request('submit');
    const upload = () => Promise.reject(new ProviderOutageError('TSP_TIMEOUT', 'no answer'));
    const uploading = registryOf({ submitEvidence: upload });
    for (let time = 0; time < 2; time += 1) await assert.rejects(carryOut(uploading), { type: 'TSP_TIMEOUT' });
    assert.equal((await rowOf()).operationCalledAt, null);
    await carryOut(providerThat(answered([underReview()])));
    assert.equal((await rowOf()).status, 'under_review');
  });

  it('is sent once the credentials are right that the provider refuses, because a refused call has done nothing', async () => {
    await request('accept');
    const refuses = () => Promise.reject(new CredentialsRefusedError('the role is missing'));
    await assert.rejects(carryOut(providerThat(refuses)), { type: 'TSP_UNAVAILABLE' });
    assert.equal((await rowOf()).operationCalledAt, null);
    await carryOut(providerThat(answered([lost()])));
    assert.deepEqual([calls.length, (await rowOf()).status], [2, 'lost']);
  });

  it('is not sent where the time to answer ends while files are uploaded', async () => {
    await draft();
    await request('submit');
    const slow = registryOf({
      submitEvidence: async ({ begin }) => {
        await test.database.dispute.update({ where: { id: disputeId }, data: { respondBy: new Date(0) } });
        await begin();
        return assert.fail('it was begun');
      },
    });
    await carryOut(slow);
    const row = await rowOf();
    assert.deepEqual([row.status, row.operation], ['needs_response', null]);
    assert.match(JSON.stringify(row.lastError), /response_time_over/);
  });

  it('is open again where the provider refuses it, with the reason, and can be sent anew under another key', async () => {
    await draft();
    await request('submit', 'op_1');
    const refusal = { kind: 'refused', providerResponse: { status: 400 } } as const;
    await carryOut(providerThat(() => Promise.resolve(refusal)));
    const row = await rowOf();
    assert.deepEqual([row.status, row.operation], ['needs_response', null]);
    assert.match(JSON.stringify(row.lastError), /refused_by_provider/);
    await request('submit', 'op_2');
    assert.equal((await rowOf()).lastError, null);
    await carryOut(providerThat(answered([underReview()])));
    assert.deepEqual(
      calls.map(({ answer }) => answer.operationId),
      ['op_1', 'op_2'],
    );
  });

  it('is not sent after the time to answer, nor where the account at the provider is gone', async () => {
    await draft();
    await request('submit');
    await report({
      providerEvent: 'dispute.shortened',
      respondBy: new Date(0).toISOString(),
      funds: null,
      occurredAt: new Date().toISOString(),
    });
    await carryOut(providerThat(answered([])));
    assert.match(JSON.stringify((await rowOf()).lastError), /response_time_over/);
    await assert.rejects(request('submit'), { code: 'STATE_CONFLICT' });
    await report({
      providerEvent: 'dispute.extended',
      funds: null,
      occurredAt: new Date(Date.now() + 1).toISOString(),
    });
    await request('accept');
    await carryOut({ find: () => Promise.resolve(undefined) });
    assert.match(JSON.stringify((await rowOf()).lastError), /not_supported_by_provider/);
    assert.equal(calls.length, 0);
  });

  it('is refused at once where the provider takes none from the engine, also as a draft', async () => {
    const provider = providerAccountIdOf('evm', '0'.repeat(32));
    await test.database.dispute.update({ where: { id: disputeId }, data: { provider } });
    for (const refused of [draft, () => request('submit'), () => request('accept')]) {
      await assert.rejects(refused, (error: unknown) => {
        assert.ok(error instanceof ApiError);
        assert.deepEqual(error.details, { provider, reason: 'not_supported_by_provider' });
        return true;
      });
    }
    assert.equal((await rowOf()).status, 'needs_response');
  });

  it('is in the audit log where a person gives it', async () => {
    await draft();
    principal = { ...principal, actor: { type: 'person', id: newId('person'), address: '203.0.113.7' } };
    await request('accept');
    const entries = await test.database.auditEvent.findMany({ where: { resourceId: disputeId } });
    assert.deepEqual(
      entries.map(({ action, actorType }) => [action, actorType]),
      [['dispute.accept_requested', 'person']],
    );
  });

  it('needs evidence, and a dispute that can be defended; giving it up needs neither', async () => {
    await assert.rejects(request('submit'), { code: 'MISSING_REQUIRED_FIELD' });
    await draft();
    await test.database.dispute.update({ where: { id: disputeId }, data: { isDefendable: false } });
    await assert.rejects(request('submit'), { code: 'STATE_CONFLICT' });
    assert.equal((await request('accept')).dispute.status, 'accepting');
  });

  it('has files of a limited size together', async () => {
    const content = Buffer.concat([PDF, Buffer.alloc(1_900_000)]).toString('base64');
    for (const kind of ['receipt', 'other'] as const) {
      await uploadFile(dependencies(), principal, disputeId, { kind, contentType: 'application/pdf', content });
    }
    const third = uploadFile(dependencies(), principal, disputeId, {
      kind: 'refund_policy',
      contentType: 'application/pdf',
      content,
    });
    await assert.rejects(third, { code: 'STATE_CONFLICT' });
  });

  it('reminds once of the same time, and of none that has passed by an answer', async () => {
    const { respondBy } = await rowOf();
    const reminder = { disputeId, respondBy: respondBy?.toISOString() ?? '', hours: 72 } as const;
    const { remindOfDispute } = activitiesAt(registryOf({}));
    await inActivity(() => remindOfDispute(reminder));
    await inActivity(() => remindOfDispute(reminder));
    await request('accept');
    await inActivity(() => remindOfDispute({ ...reminder, hours: 24 }));
    assert.equal((await eventTypes()).filter((type) => type === 'dispute.response_due').length, 1);
  });

  it('is found by an inquiry where webhooks were lost, with the money that they would have reported, once', async () => {
    const won = reportOf({
      providerEvent: 'dispute.won',
      status: 'won',
      funds: 'reinstated',
      occurredAt: new Date().toISOString(),
    });
    const registry = registryOf({ inquireDispute: () => Promise.resolve([reportOf(), won]) });
    for (let time = 0; time < 3; time += 1) await inActivity(() => activitiesAt(registry).inquireDispute(disputeId));
    const row = await rowOf();
    assert.deepEqual([row.status, row.amountWithdrawnMinor, row.amountBlockedMinor], ['won', 0n, 0n]);
    const types = (await test.database.transaction.findMany({ where: { paymentIntentId: intent } })).map(
      ({ type }) => type,
    );
    assert.deepEqual(types.sort(), ['chargeback', 'chargeback_reversal']);
    assert.equal((row.reports as unknown[]).length, 2);
  });
});
