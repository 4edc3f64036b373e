import assert from 'node:assert/strict';
import { before, describe, it } from 'mocha';
import { type DisputeFacts, type DisputeReport, factsOf, type StoredReport } from '../../../domain/dispute.ts';
import { HOUR_MS } from '../../../domain/time.ts';
import { withEventIds } from '../../../providers/dispute-reports.ts';
import type { DisputeAnswer, DisputeAnswerOutcome, PaymentProvider } from '../../../providers/payment-provider.ts';
import { ProviderOutageError } from '../../../providers/provider-errors.ts';
import { moneyOf, type PaidAttempt, pay, waitUntil } from './attempts.ts';
import { at, countCalls, describeFault, eachCall, FAULTS } from './planned-faults.ts';
import { reportsOfDispute } from './reports.ts';
import { newSignal, newUnique } from './requests.ts';
import type { ContractContext, DisputeControls } from './subject.ts';

/** What most providers take: texts, and one file. */
export const EVIDENCE: DisputeControls['evidence'] = {
  evidence: { explanation: 'The customer signed for the delivery.', shippingCarrier: 'DHL' },
  files: [{ kind: 'receipt', contentType: 'application/pdf', content: Buffer.from('%PDF-1.7 proof') }],
};

const KINDS = ['submit', 'accept'] as const;
type Kind = (typeof KINDS)[number];

/** A dispute of a payment, and the payment. */
interface Opened {
  readonly paid: PaidAttempt;
  readonly providerReference: string;
}

/** Disputes: what is reported of them, by whatever way, and answers, which are given once. */
export function describeDisputes(context: ContractContext): void {
  const { subject, can } = context;
  if (!can('disputes')) return;

  const controls = (): DisputeControls => {
    const { disputes } = subject();
    assert.ok(disputes !== undefined, 'the sandbox lacks disputes, but does not say so');
    return disputes;
  };
  const open = async (): Promise<Opened> => {
    const paid = await pay(context);
    const { attemptId, providerPaymentId } = paid;
    const providerReference = await controls().open({ attemptId, providerPaymentId, ...moneyOf(context) });
    return { paid, providerReference };
  };
  const referenceOf = ({ paid: { attemptId, providerPaymentId }, providerReference }: Opened) => ({
    disputeId: `dp_${newUnique()}`,
    environment: 'sandbox' as const,
    providerReference,
    attemptId,
    providerPaymentId,
  });
  /** What the engine asks for: it notes that it begins, once. */
  const answerTo = (opened: Opened, kind: Kind): DisputeAnswer & { readonly hasBegun: () => boolean } => {
    let hasBegun = false;
    const none = { evidence: {}, files: [] };
    return {
      ...referenceOf(opened),
      operationId: `op_${newUnique()}`,
      stage: 'chargeback',
      reason: 'fraudulent',
      ...(kind === 'submit' ? controls().evidence : none),
      begin: () => {
        hasBegun = true;
        return Promise.resolve();
      },
      hasBegun: () => hasBegun,
    };
  };
  const send = (kind: Kind, answer: DisputeAnswer): Promise<DisputeAnswerOutcome> => {
    const { provider } = subject();
    const call = kind === 'submit' ? provider.submitEvidence : provider.acceptDispute;
    return call?.call(provider, answer, newSignal()) ?? assert.fail(`it cannot ${kind}`);
  };
  const inquire = async (opened: Opened): Promise<readonly DisputeReport[] | null> => {
    const { provider } = subject();
    if (provider.inquireDispute === undefined) return null;
    return provider.inquireDispute(referenceOf(opened), newSignal());
  };
  const statusOf = (reports: readonly DisputeReport[]): string => factsOf(withEventIds(reports)).status;

  /** Answers as the engine does: what had begun is asked about before anything is sent again. @returns whether the outcome is known */
  const answerThroughFaults = async (opened: Opened, kind: Kind): Promise<boolean> => {
    const answer = answerTo(opened, kind);
    for (let tries = 0; tries < 4; tries += 1) {
      try {
        if (answer.hasBegun()) {
          const reports = await inquire(opened);
          // The engine waits for a webhook, which comes, or not.
          if (reports === null) return false;
          if (statusOf(reports) !== 'needs_response') return true;
        }
        const outcome = await send(kind, answer);
        assert.equal(outcome.kind, 'answered', JSON.stringify(outcome));
        return true;
      } catch (error) {
        if (!(error instanceof ProviderOutageError)) throw error;
        subject().faults.plan([]);
      }
    }
    return assert.fail('it gives no answer');
  };

  describe('disputes of payments', () => {
    let provider: PaymentProvider;
    before(() => {
      ({ provider } = subject());
    });

    const reported = async ({ providerReference }: Opened, isThere: (facts: DisputeFacts) => boolean) => {
      const read = () => reportsOfDispute(subject(), providerReference);
      await waitUntil(context, () => read().length > 0 && isThere(factsOf(read())));
      return read();
    };

    if (can('webhooks')) {
      it('reports a dispute with its payment and its amount, and a win', async () => {
        const opened = await open();
        const reports = await reported(opened, () => true);
        const { attemptId, providerPaymentId } = opened.paid;
        assert.ok(reports.every(({ of }) => of === attemptId || of === providerPaymentId));
        const { stage, status, amountMinor, currency } = factsOf(reports);
        assert.deepEqual([stage, status], ['chargeback', 'needs_response']);
        assert.deepEqual({ amountMinor, currency }, moneyOf(context));
        await controls().decide(opened.providerReference, 'won');
        const ended = factsOf(await reported(opened, (facts) => facts.status === 'won'));
        await waitUntil(
          context,
          () => factsOf(reportsOfDispute(subject(), opened.providerReference)).withdrawnMinor === 0,
        );
        assert.notEqual(ended.outcomeAt, null);
      });

      it('says the same to an inquiry and in its list as by webhook, in whatever order they come', async () => {
        for (const end of [null, 'won', 'lost'] as const) {
          const opened = await open();
          if (end !== null) await controls().decide(opened.providerReference, end);
          await reported(opened, (facts) => facts.status === (end ?? 'needs_response'));
          // The money may come by an event of its own.
          const other = [...((await inquire(opened)) ?? []), ...(await listed(opened))];
          await waitUntil(context, () => {
            const { movements } = factsOf(reportsOfDispute(subject(), opened.providerReference));
            return other.length === 0 || movements.length === factsOf(withEventIds(other)).movements.length;
          });
          const webhooks = reportsOfDispute(subject(), opened.providerReference);
          const lists = [withEventIds((await inquire(opened)) ?? []), await listed(opened)].filter(
            (reports) => reports.length > 0,
          );
          for (const reports of lists) {
            assert.deepEqual(comparable(reports), comparable(webhooks), `${end}`);
            for (const order of [
              [...reports, ...webhooks],
              [...webhooks, ...reports],
            ]) {
              assert.deepEqual(comparable(order), comparable(webhooks), `${end}`);
              assert.equal(factsOf(order).outcomeAt, factsOf(webhooks).outcomeAt);
            }
          }
        }
      });
    }

    const listed = async ({ paid, providerReference }: Opened): Promise<readonly StoredReport[]> => {
      const found = [...((await provider.findDisputes?.(paid, newSignal())) ?? [])];
      let cursor: string | null = null;
      const window = { from: new Date(Date.now() - HOUR_MS), to: new Date(Date.now() + HOUR_MS) };
      do {
        const page: Awaited<ReturnType<NonNullable<PaymentProvider['listDisputes']>>> | undefined =
          await provider.listDisputes?.({ window, cursor }, newSignal());
        found.push(...(page?.disputes ?? []));
        cursor = page?.nextCursor ?? null;
      } while (cursor !== null);
      const own = found.filter(({ reports }) => reports.some((each) => each.providerReference === providerReference));
      for (const { attemptId, providerPaymentId } of own) {
        assert.ok(attemptId === paid.attemptId || providerPaymentId === paid.providerPaymentId, 'of another payment');
      }
      return own.flatMap(({ reports }) => reports);
    };

    it('finds a dispute whose webhooks were lost, where it can list or be asked', async () => {
      const opened = await open();
      const found = await listed(opened);
      const canBeAsked = provider.listDisputes !== undefined || provider.findDisputes !== undefined;
      assert.equal(found.length > 0, canBeAsked);
      if (found.length === 0) return;
      const { status, amountMinor } = factsOf(found);
      assert.deepEqual([status, amountMinor], ['needs_response', moneyOf(context).amountMinor]);
      const again = await listed(opened);
      assert.deepEqual(factsOf([...found, ...again]).movements.length, factsOf(found).movements.length);
    });

    for (const kind of KINDS) {
      it(`takes the answer once (${kind}), and what came of it is known, whatever call failed`, async () => {
        const first = await open();
        const calls = await countCalls(context, () => send(kind, answerTo(first, kind)));
        for (const [index, fault] of eachCall(calls, FAULTS)) {
          const opened = await open();
          subject().faults.plan(at(index, fault));
          const isKnown = await answerThroughFaults(opened, kind);
          subject().faults.plan([]);
          const { submitted, accepted } = await controls().answersTo(opened.providerReference);
          const [count, other] = kind === 'submit' ? [submitted, accepted] : [accepted, submitted];
          assert.deepEqual([isKnown ? count : Math.max(1, count), other], [1, 0], describeFault(index, fault));
        }
      });

      it(`does nothing that cannot be taken back before it is noted (${kind})`, async () => {
        const opened = await open();
        const refusal = new Error('may not begin');
        const answer = { ...answerTo(opened, kind), begin: () => Promise.reject(refusal) };
        await assert.rejects(send(kind, answer), refusal);
        assert.deepEqual(await controls().answersTo(opened.providerReference), { submitted: 0, accepted: 0 });
      });

      it(`says how it stands where it can be answered no more (${kind})`, async () => {
        const opened = await open();
        await controls().decide(opened.providerReference, 'lost');
        const outcome = await send(kind, answerTo(opened, kind));
        const isSaid = outcome.kind === 'refused' || statusOf(outcome.reports) === 'lost';
        assert.ok(isSaid, JSON.stringify(outcome));
        assert.deepEqual(await controls().answersTo(opened.providerReference), { submitted: 0, accepted: 0 });
      });
    }

    it('says what an answer has come to', async () => {
      for (const [kind, status] of [
        ['submit', 'under_review'],
        ['accept', 'lost'],
      ] as const) {
        const outcome = await send(kind, answerTo(await open(), kind));
        assert.ok(outcome.kind === 'answered', JSON.stringify(outcome));
        assert.equal(statusOf(outcome.reports), status);
      }
    });
  });
}

/** What reports say together, but for the time of the end: a provider that is asked may not say it. */
function comparable(reports: readonly StoredReport[]) {
  const { outcomeAt: _, movements, ...facts } = factsOf(reports);
  return { ...facts, movements: movements.map(({ key }) => key).sort() };
}
