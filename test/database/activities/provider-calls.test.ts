import assert from 'node:assert/strict';
import { before, describe, it } from 'mocha';
import { awaitPayment, closePayment, inquirePayment } from '../../../activities/inquire-payment.ts';
import { authorizePayment } from '../../../activities/authorize-payment.ts';
import { capturePayment } from '../../../activities/capture-payment.ts';
import type { AuthorizePaymentRequest, CapturePaymentRequest } from '../../../protocol/payment-activities.ts';
import { AMOUNT_DIFFERS, type ProviderCallDependencies } from '../../../activities/provider-calls.ts';
import { createProviderReports } from '../../../activities/provider-reports.ts';
import { takeOverPayment } from '../../../activities/take-over-payment.ts';
import type { OpeningRefusal } from '../../../domain/attempt-opening.ts';
import { attemptIdOf } from '../../../domain/ids.ts';
import { newId } from '../../../domain/new-id.ts';
import type { Attempt, CaptureMethod } from '../../../domain/payment.ts';
import { RUN_OUT_OF_DATE } from '../../../domain/payment-step.ts';
import type {
  Approved,
  AuthorizationOutcome,
  CaptureOutcome,
  InquiryOutcome,
} from '../../../domain/provider-outcome.ts';
import { MINUTE_MS } from '../../../domain/time.ts';
import { removeSavedMethod } from '../../../api/resources/payment-methods/stored-method.ts';
import { loadPaymentMethod } from '../../../vault/payment-method-vault.ts';
import type { PaymentStore } from '../../../prisma/stores/payment-store.ts';
import { insertProviderEvent } from '../../../prisma/queries/provider-event.ts';
import type { StepWrite } from '../../../prisma/queries/payment-step.ts';
import type { CaptureRequest, PaymentMethodDetails, PaymentProvider } from '../../../providers/payment-provider.ts';
import { CredentialsRefusedError, ProviderOutageError } from '../../../providers/provider-errors.ts';
import { type ActivityContext, inActivity } from '../../support/activity-context.ts';
import { useAccount } from '../../support/account-fixture.ts';
import { insertRouteTo } from '../../support/payment-rows.ts';
import {
  approval,
  attemptOf,
  IN_TIME,
  note,
  openAttemptOf,
  opening,
  operationIdOf,
  record,
  recordsOf,
  RUN,
  uncharged,
} from '../../support/payment-steps.ts';
import { registryOf } from '../../support/one-provider-registry.ts';
import { NO_REPORTS } from '../../support/no-reports.ts';
import { NO_RETURNS } from '../../support/customer-returns.ts';
import { insertCustomer, saveCard, savedCardReader, storeUseOfSaved } from '../../support/saved-cards.ts';
import { memoryCustomers } from '../../support/customers-at-provider.ts';

const CARD: PaymentMethodDetails = {
  type: 'card',
  number: '4242424242424242',
  expiryMonth: 12,
  expiryYear: 2034,
  cvc: '987',
  holderName: null,
};
const CAPTURED: Approved = {
  kind: 'approved',
  providerPaymentId: 'sim_1',
  captured: true,
  amountMinor: 1_000,
  currency: 'USD',
};
const HELD: Approved = { ...CAPTURED, captured: false };
const OUT_OF_DATE = { type: RUN_OUT_OF_DATE, nonRetryable: true };
const DIFFERENCE = 'reported another amount or currency than was asked for';

/** A provider call that returns an outcome and records its idempotency keys. */
function countCalls<Outcome extends { readonly kind: string }>(...outcomes: readonly (Outcome | Error)[]) {
  const keys: string[] = [];
  const call = ({ attemptId }: { readonly attemptId: string }): Promise<Outcome> => {
    const outcome = outcomes[Math.min(keys.length, outcomes.length - 1)];
    keys.push(attemptId);
    if (outcome !== undefined && 'kind' in outcome) return Promise.resolve(outcome);
    return Promise.reject(outcome ?? new Error('no answer is scripted'));
  };
  return { call, keys };
}

describe('activities that call providers', function () {
  this.timeout(60_000);
  const test = useAccount();
  before(() => insertRouteTo(test.database, test.account, 'alpha'));

  const newIntent = (captureMethod: CaptureMethod = 'automatic'): Promise<string> =>
    test.insertIntent({ captureMethod });
  const rowsOf = (id: string) => recordsOf(test.database, id);
  const strayCharges = (paymentIntentId: string) => test.database.strayCharge.findMany({ where: { paymentIntentId } });
  const summariesOf = async (id: string): Promise<string[]> =>
    (await rowsOf(id)).timeline.map(({ summary }) => summary);

  /** A store whose first write of each named part commits without an acknowledgement. */
  const unacknowledged = (...parts: readonly string[]): PaymentStore => {
    const waiting = new Set(parts);
    return {
      ...test.store,
      async write(step: StepWrite) {
        const written = await test.store.write(step);
        if (waiting.delete(step.stepId.split(':').at(-1) ?? '')) throw new Error('Connection terminated unexpectedly');
        return written;
      },
    };
  };

  const callsTo = (answers: Partial<PaymentProvider>): Omit<ProviderCallDependencies, 'payments'> => ({
    registry: registryOf(answers),
    reports: NO_REPORTS,
    returns: NO_RETURNS,
    loadPaymentMethod: () => Promise.resolve(CARD),
    customersAt: memoryCustomers,
  });

  describe('authorizePayment', () => {
    const requestOf = (id: string, change: Partial<AuthorizePaymentRequest> = {}): AuthorizePaymentRequest => ({
      paymentIntentId: id,
      knownVersion: 0,
      environment: 'sandbox',
      attempt: openAttemptOf(id),
      captureMethod: 'automatic',
      attemptBudget: 5,
      intention: opening(id),
      ...IN_TIME,
      ...change,
    });
    const authorize = (
      id: string,
      call: PaymentProvider['authorize'],
      { payments = test.store, ...context }: ActivityContext & { readonly payments?: PaymentStore } = {},
      change: Partial<AuthorizePaymentRequest> = {},
    ) => {
      const dependencies: ProviderCallDependencies = {
        payments,
        ...callsTo({ authorize: call }),
      };
      return inActivity(() => authorizePayment(dependencies, requestOf(id, change)), context);
    };

    it('calls the provider after the intention is written', async () => {
      const id = await newIntent();
      const seen: unknown[] = [];
      const { payment, result, tries } = await authorize(id, async ({ attemptId }) => {
        const { intent, attempts, operations } = await rowsOf(id);
        seen.push([intent.status, attempts.map((each) => [each.id, each.outcome]), operations.map((each) => each.id)]);
        assert.equal(attempts[0]?.id, attemptId);
        return CAPTURED;
      });
      assert.deepEqual(seen, [['processing', [[attemptOf(id).id, null]], [operationIdOf(id)]]]);
      assert.deepEqual([payment.columns.status, payment.version, tries], ['succeeded', 2, 1]);
      assert.deepEqual(result, { status: 'succeeded', error: null });
      const { intent, transactions, operations } = await rowsOf(id);
      assert.deepEqual([intent.status, transactions.length], ['succeeded', 1]);
      assert.deepEqual(operations[0]?.result, result);
    });

    it('does not call the provider if the intention cannot be written', async () => {
      const id = await newIntent();
      await record(test.database, id, { ...note('canceled'), to: 'canceled' });
      const { call, keys } = countCalls<AuthorizationOutcome>(CAPTURED);
      await assert.rejects(authorize(id, call), OUT_OF_DATE);
      assert.deepEqual(keys, []);
    });

    it('does not call the provider with an amount or in an environment that are not in the row', async () => {
      const id = await newIntent();
      const { call, keys } = countCalls(CAPTURED);
      const attempt = { ...openAttemptOf(id), amountMinor: 100_000 };
      await assert.rejects(authorize(id, call, {}, { attempt }), OUT_OF_DATE);
      await assert.rejects(authorize(id, call, {}, { captureMethod: 'manual' }), OUT_OF_DATE);
      await assert.rejects(authorize(id, call, {}, { environment: 'production' }), { type: 'ENVIRONMENT_DIFFERS' });
      assert.deepEqual(keys, []);
      assert.deepEqual((await rowsOf(id)).attempts, []);
    });

    it('does not call the provider while a stray charge of the payment is not reversed', async () => {
      const id = await newIntent();
      const charge = { paymentIntentId: id, merchantAccountId: test.account, environment: 'sandbox', provider: 'beta' };
      await test.database.strayCharge.create({ data: { ...charge, attemptId: `stray of ${id}` } });
      const { call, keys } = countCalls<AuthorizationOutcome>(CAPTURED);
      await assert.rejects(authorize(id, call), OUT_OF_DATE);
      assert.deepEqual(keys, []);
    });

    it('does not call the provider for a confirm that has its answer, which another run may have given', async () => {
      const id = await newIntent();
      await record(test.database, id, opening(id));
      const result = { status: 'requires_payment_method', error: null } as const;
      await record(test.database, id, {
        ...uncharged(id),
        operation: { id: operationIdOf(id), kind: 'confirm', result },
      });
      const attempt = openAttemptOf(id, { id: attemptIdOf(id, 2), number: 2 });
      const { call, keys } = countCalls<AuthorizationOutcome>(CAPTURED);
      const change = { knownVersion: 2, attempt, intention: { ...opening(id), attempts: [attempt] } };
      await assert.rejects(authorize(id, call, {}, change), OUT_OF_DATE);
      assert.deepEqual([keys, (await rowsOf(id)).attempts.length], [[], 1]);
    });

    it('sends the return URL that its confirm has stored, in every try, and gives it to the payment', async () => {
      const id = await newIntent();
      const returnUrl = 'https://shop.example/other';
      const [returnUrlId, otherId] = [newId('paymentUpdate'), newId('paymentUpdate')];
      const rows = [
        { id: returnUrlId, paymentIntentId: id, changes: { returnUrl } },
        { id: otherId, paymentIntentId: id, changes: { returnUrl: 'https://shop.example/refused' } },
      ];
      await test.database.paymentIntentUpdate.createMany({ data: rows });
      const sent: unknown[] = [];
      const call: PaymentProvider['authorize'] = (request) => {
        sent.push(request.returnUrl);
        return sent.length === 1
          ? Promise.reject(new ProviderOutageError('TSP_TIMEOUT', 'no answer'))
          : Promise.resolve(CAPTURED);
      };
      await assert.rejects(authorize(id, call, {}, { returnUrlId }), { type: 'TSP_TIMEOUT' });
      await authorize(id, call, { attempt: 2 }, { returnUrlId });
      const carrying = `${returnUrl}?paymentIntentId=${id}`;
      assert.deepEqual(sent, [carrying, carrying]);
      assert.equal((await rowsOf(id)).intent.returnUrl, returnUrl);
    });

    describe('of which the attempt may not begin any more', () => {
      const routeOf = (id: string) => ({ routeId: `rt_${id}` });
      const newRouted = async (): Promise<{ readonly id: string; readonly attempt: Attempt }> => {
        const id = await newIntent();
        await insertRouteTo(test.database, test.account, 'alpha', routeOf(id).routeId);
        return { id, attempt: openAttemptOf(id, routeOf(id)) };
      };
      const setAccount = (status: string) =>
        test.database.merchantAccount.update({ where: { id: test.account }, data: { status } });
      const expire = (id: string) =>
        test.database.paymentIntent.update({ where: { id }, data: { expiresAt: new Date(Date.now() - 1) } });
      const past = (): string => new Date(Date.now() - 1).toISOString();

      const cases: readonly {
        readonly name: string;
        readonly refusal: OpeningRefusal;
        readonly change?: (id: string) => Partial<AuthorizePaymentRequest>;
        readonly prepare?: (id: string) => Promise<unknown>;
      }[] = [
        { name: 'the payment has expired', refusal: 'expired', prepare: expire },
        { name: 'its confirm would begin too late', refusal: 'too_late', change: () => ({ beginBefore: past() }) },
        {
          name: 'its route is inactive',
          refusal: 'not_routable',
          prepare: (id) =>
            test.database.paymentRoute.update({ where: { id: routeOf(id).routeId }, data: { active: false } }),
        },
        {
          name: 'its route was deleted',
          refusal: 'not_routable',
          prepare: (id) => test.database.paymentRoute.delete({ where: { id: routeOf(id).routeId } }),
        },
        {
          name: 'its route leads to another provider by now',
          refusal: 'not_routable',
          prepare: (id) =>
            test.database.paymentRoute.update({ where: { id: routeOf(id).routeId }, data: { provider: 'beta' } }),
        },
        { name: 'its merchant account is suspended', refusal: 'not_routable', prepare: () => setAccount('suspended') },
      ];
      for (const { name, refusal, change = () => ({}), prepare } of cases) {
        it(`because ${name}: the provider is not called, and nothing is recorded`, async () => {
          const { id, attempt } = await newRouted();
          const { call, keys } = countCalls<AuthorizationOutcome>(CAPTURED);
          await prepare?.(id);
          try {
            const intention = opening(id, { attempts: [attempt] });
            const result = await authorize(id, call, {}, { attempt, intention, ...change(id) });
            assert.equal(result.refusal, refusal);
            const { attempts, intent } = await rowsOf(id);
            assert.deepEqual([keys, attempts, intent.version], [[], [], 0]);
          } finally {
            await setAccount('active');
          }
        });
      }

      it('because its saved card was removed, which can then not be loaded either', async () => {
        const customerId = await insertCustomer(test.database, test.account);
        await saveCard(test.database, test.account, { customerId });
        const { id: savedPaymentMethodId } = await test.database.savedPaymentMethod.findFirstOrThrow({
          where: { customerId },
        });
        const use = 'recurring' as const;
        const used = await storeUseOfSaved(test.database, test.account, { customerId, savedPaymentMethodId, use });
        await removeSavedMethod(
          test.database,
          { merchantAccountId: test.account, environment: 'sandbox' },
          savedPaymentMethodId,
        );
        const { id, paymentMethodId } = used;
        const attempt = openAttemptOf(id, { paymentMethodId, savedUse: use });
        const { call, keys } = countCalls<AuthorizationOutcome>(CAPTURED);
        const reader = savedCardReader(test.database);
        const dependencies: ProviderCallDependencies = {
          payments: test.store,
          ...callsTo({ authorize: call }),
          loadPaymentMethod: (method) => loadPaymentMethod(reader, method),
        };
        const columns = { paymentMethodId, provider: 'alpha' };
        const request = requestOf(id, { attempt, intention: opening(id, { columns, attempts: [attempt] }) });
        const { refusal } = await inActivity(() => authorizePayment(dependencies, request));
        assert.equal(refusal, 'saved_card_unusable');
        assert.deepEqual([keys, (await rowsOf(id)).attempts], [[], []]);
      });

      it('does not send an authorization again after the expiry, so that the provider is asked instead', async () => {
        const { id, attempt } = await newRouted();
        const { call, keys } = countCalls<AuthorizationOutcome>(new ProviderOutageError('TSP_TIMEOUT', 'no'), CAPTURED);
        const change = { attempt, intention: opening(id, { attempts: [attempt] }) };
        await assert.rejects(authorize(id, call, {}, change), { type: 'TSP_TIMEOUT', nonRetryable: false });
        await expire(id);
        await assert.rejects(authorize(id, call, { attempt: 2 }, change), { type: 'TSP_TIMEOUT', nonRetryable: true });
        assert.deepEqual([keys.length, (await rowsOf(id)).attempts[0]?.outcome], [1, null]);
      });
    });

    it('finds the intention of an earlier try, and uses its key', async () => {
      const id = await newIntent();
      const outage = new ProviderOutageError('TSP_TIMEOUT', 'no answer');
      const { call, keys } = countCalls<AuthorizationOutcome>(outage, CAPTURED);
      await assert.rejects(authorize(id, call), { type: 'TSP_TIMEOUT', nonRetryable: false });
      const { tries } = await authorize(id, call, { attempt: 2 });
      assert.equal(tries, 2);
      assert.deepEqual(keys, [attemptOf(id).id, attemptOf(id).id]);
      const { attempts, events } = await rowsOf(id);
      assert.deepEqual(
        attempts.map((each) => [each.tries, each.outcome]),
        [[2, 'approved']],
      );
      assert.deepEqual(await summariesOf(id), [
        'Attempt 1 goes to alpha',
        'Attempt 1, try 1: no answer from alpha (TSP_TIMEOUT)',
        'Attempt 1: alpha said approved',
        'USD 10.00 captured at alpha',
      ]);
      assert.equal(events.filter(({ type }) => type === 'payment_intent.processing').length, 1);
    });

    it("records the provider's id of the payment before the provider charges, and hands it to later tries", async () => {
      const id = await newIntent();
      const known: unknown[] = [];
      const call: PaymentProvider['authorize'] = async ({ providerPaymentId, storePaymentId }) => {
        known.push(providerPaymentId);
        if (providerPaymentId === null) {
          await storePaymentId('sim_1');
          known.push((await rowsOf(id)).attempts[0]?.providerPaymentId);
          throw new ProviderOutageError('TSP_TIMEOUT', 'no answer');
        }
        return CAPTURED;
      };
      await assert.rejects(authorize(id, call), { type: 'TSP_TIMEOUT' });
      const { payment } = await authorize(id, call, { attempt: 2 });
      assert.deepEqual(known, [null, 'sim_1', 'sim_1']);
      assert.equal(payment.columns.status, 'succeeded');
      assert.ok((await summariesOf(id)).includes('alpha has created the payment sim_1 for attempt 1'));
    });

    it('does not let a provider go on to charge for an attempt that has ended', async () => {
      const id = await newIntent();
      const call: PaymentProvider['authorize'] = async ({ storePaymentId }) => {
        await record(test.database, id, uncharged(id));
        await storePaymentId('sim_1');
        return CAPTURED;
      };
      await assert.rejects(authorize(id, call), OUT_OF_DATE);
      assert.deepEqual(await strayCharges(id), []);
      assert.equal((await rowsOf(id)).attempts[0]?.providerPaymentId, null);
    });

    it('returns the outcome that an earlier try has recorded, without a call', async () => {
      const id = await newIntent();
      const { call, keys } = countCalls<AuthorizationOutcome>(CAPTURED);
      const first = await authorize(id, call);
      const before = await rowsOf(id);
      assert.deepEqual(await authorize(id, call, { attempt: 2 }), { ...first, decided: null, tries: 2 });
      assert.equal(keys.length, 1);
      assert.deepEqual(await rowsOf(id), before);
    });

    for (const part of ['intention', 'outcome']) {
      it(`records once if the commit of the ${part} was never acknowledged`, async () => {
        const id = await newIntent();
        const { call, keys } = countCalls<AuthorizationOutcome>(CAPTURED);
        const { payment, result } = await authorize(id, call, { payments: unacknowledged(part) });
        assert.deepEqual([payment.version, payment.columns.status, result?.status], [2, 'succeeded', 'succeeded']);
        assert.equal(keys.length, 1);
        const { intent, transactions, timeline, events } = await rowsOf(id);
        assert.deepEqual([intent.version, transactions.length, timeline.length, events.length], [2, 1, 3, 3]);
      });
    }

    it('records the outcome over steps that others have written in the meantime', async () => {
      const id = await newIntent();
      const { payment } = await authorize(id, async () => {
        await record(test.database, id, note('The merchant asks to cancel'));
        return CAPTURED;
      });
      assert.deepEqual([payment.version, payment.columns.status], [3, 'succeeded']);
      assert.equal((await rowsOf(id)).transactions.length, 1);
    });

    it('records a hold as a hold', async () => {
      const id = await newIntent('manual');
      const { payment } = await authorize(
        id,
        countCalls<AuthorizationOutcome>(HELD).call,
        {},
        { captureMethod: 'manual' },
      );
      assert.equal(payment.columns.status, 'requires_capture');
      const { intent, transactions } = await rowsOf(id);
      assert.deepEqual([intent.amountCapturableMinor, intent.amountCapturedMinor], [1_000n, 0n]);
      assert.deepEqual(
        transactions.map(({ type }) => type),
        ['authorization'],
      );
    });

    for (const [what, outcome] of [
      ['amount', { ...CAPTURED, amountMinor: 999 }],
      ['currency', { ...CAPTURED, currency: 'EUR' }],
      ['kind, a hold instead of a capture', HELD],
    ] as const) {
      it(`never records another ${what}, but alerts operators`, async () => {
        const id = await newIntent();
        const logged: unknown[] = [];
        const onLog = ({ meta }: { meta?: unknown }) => void logged.push(meta);
        const call = countCalls<AuthorizationOutcome>(outcome).call;
        await assert.rejects(authorize(id, call, { onLog }), { type: AMOUNT_DIFFERS, nonRetryable: false });
        const { intent, attempts, transactions } = await rowsOf(id);
        assert.deepEqual([intent.status, intent.amountCapturedMinor, transactions.length], ['processing', 0n, 0]);
        assert.equal(attempts[0]?.outcome, null);
        assert.match(JSON.stringify(logged), new RegExp(`"alert":"${AMOUNT_DIFFERS}"`));
        assert.equal((await summariesOf(id)).at(-1), `Attempt 1, try 1: alpha ${DIFFERENCE}`);
      });
    }

    it('records nothing of an answer of unknown shape', async () => {
      const id = await newIntent();
      const answer = { kind: 'unrecognised', providerResponse: { code: 'what' } } as const;
      const { unrecognised, result, payment } = await authorize(id, countCalls<AuthorizationOutcome>(answer).call);
      assert.deepEqual([unrecognised, result, payment.version], [{ code: 'what' }, null, 1]);
      assert.equal((await rowsOf(id)).intent.status, 'processing');
    });

    describe('in a run that another run has replaced', () => {
      const takeOver = (id: string) =>
        takeOverPayment(
          test.store,
          { paymentIntentId: id, knownVersion: 0, endedAs: 'terminated', operationIds: [] },
          { runId: 'run_2', stepId: `run_2:1:takeover of ${id}` },
        );

      it('fails before it calls the provider', async () => {
        const id = await newIntent();
        await record(test.database, id, opening(id), { stepId: `${RUN}:1:intention` });
        await takeOver(id);
        const { call, keys } = countCalls<AuthorizationOutcome>(CAPTURED);
        await assert.rejects(authorize(id, call, { attempt: 2 }), OUT_OF_DATE);
        assert.deepEqual(keys, []);
      });

      it('records no outcome that arrives too late, because the other run makes an inquiry', async () => {
        const id = await newIntent();
        const call = async () => {
          await takeOver(id);
          return CAPTURED;
        };
        await assert.rejects(authorize(id, call), OUT_OF_DATE);
        const { intent, attempts, transactions } = await rowsOf(id);
        assert.deepEqual([intent.status, intent.workflowRunId], ['processing', 'run_2']);
        assert.deepEqual([attempts[0]?.outcome, transactions.length], [null, 0]);
        assert.deepEqual(await strayCharges(id), []);
      });

      it('records one stray charge if the attempt had ended without a charge', async () => {
        const id = await newIntent();
        const call = async () => {
          await takeOver(id);
          await record(test.database, id, uncharged(id), { runId: 'run_2' });
          return CAPTURED;
        };
        await assert.rejects(authorize(id, call), OUT_OF_DATE);
        await test.store.noteStrayCharge({ attemptId: attemptOf(id).id, paymentIntentId: id });
        assert.deepEqual(
          (await strayCharges(id)).map(({ attemptId, merchantAccountId, environment, provider, status }) => ({
            attemptId,
            merchantAccountId,
            environment,
            provider,
            status,
          })),
          [
            {
              attemptId: attemptOf(id).id,
              merchantAccountId: test.account,
              environment: 'sandbox',
              provider: 'alpha',
              status: 'pending',
            },
          ],
        );
        const { intent, transactions } = await rowsOf(id);
        assert.deepEqual([intent.status, intent.amountCapturedMinor], ['requires_payment_method', 0n]);
        assert.equal(transactions.length, 0);
      });

      it('records no stray charge if the other run has recorded the charge', async () => {
        const id = await newIntent();
        const call = async () => {
          await takeOver(id);
          await record(test.database, id, approval(id), { runId: 'run_2' });
          return CAPTURED;
        };
        await assert.rejects(authorize(id, call), OUT_OF_DATE);
        assert.deepEqual(await strayCharges(id), []);
        assert.equal((await rowsOf(id)).transactions.length, 1);
      });
    });

    describe('for an attempt that the same run has ended in the meantime', () => {
      it('records a stray charge', async () => {
        const id = await newIntent();
        const call = async () => {
          await record(test.database, id, uncharged(id));
          return CAPTURED;
        };
        await assert.rejects(authorize(id, call), OUT_OF_DATE);
        assert.equal((await strayCharges(id)).length, 1);
      });

      it('does not call the provider again in a later try', async () => {
        const id = await newIntent();
        await record(test.database, id, opening(id), { stepId: `${RUN}:1:intention` });
        await record(test.database, id, uncharged(id));
        const { call, keys } = countCalls<AuthorizationOutcome>(CAPTURED);
        await assert.rejects(authorize(id, call, { attempt: 2 }), OUT_OF_DATE);
        assert.deepEqual(keys, []);
      });
    });
  });

  const requestAbout = (id: string, captureMethod: 'automatic' | 'manual') =>
    ({
      paymentIntentId: id,
      knownVersion: 1,
      attemptId: attemptOf(id).id,
      attemptNumber: 1,
      provider: 'alpha',
      environment: 'sandbox',
      amountMinor: 1_000,
      currency: 'USD',
      captureMethod,
    }) as const;

  describe('inquirePayment', () => {
    const inquire = (id: string, call: PaymentProvider['inquire'], context: ActivityContext = {}) => {
      const attempt = requestAbout(id, 'automatic');
      const dependencies = { payments: test.store, ...callsTo({ inquire: call }) };
      return inActivity(() => inquirePayment(dependencies, attempt), context);
    };
    const openIntent = async (): Promise<string> => {
      const id = await newIntent();
      await record(test.database, id, opening(id));
      return id;
    };

    it('adds the inquiry and its answer to the timeline, and changes no state', async () => {
      const id = await openIntent();
      const { outcome, payment } = await inquire(id, () => Promise.resolve(CAPTURED));
      assert.deepEqual([outcome, payment.version, payment.columns.status], [CAPTURED, 2, 'processing']);
      assert.equal((await summariesOf(id)).at(-1), 'alpha, asked what became of attempt 1: approved');
    });

    it('adds once that the credentials are refused, however late that begins', async () => {
      const id = await openIntent();
      const refuse = () => Promise.reject(new CredentialsRefusedError('the key has expired'));
      for (const attempt of [20, 21]) await assert.rejects(inquire(id, refuse, { attempt }));
      const noted = (await summariesOf(id)).filter((summary) => summary.includes('refused the credentials'));
      const asked = 'alpha, asked what became of attempt 1, refused the credentials, so that nobody can tell';
      assert.deepEqual(noted, [
        `${asked} (the key has expired): it is asked again, and no other provider tried before`,
      ]);
    });

    it('adds the first three unanswered tries to the timeline', async () => {
      const id = await openIntent();
      const call = () => Promise.reject(new ProviderOutageError('TSP_UNAVAILABLE', 'away'));
      for (const attempt of [1, 2, 3, 4, 5]) {
        await assert.rejects(inquire(id, call, { attempt }), { type: 'TSP_UNAVAILABLE' });
      }
      assert.equal((await summariesOf(id)).filter((summary) => summary.includes('gave no answer')).length, 3);
    });

    it('fails if another run has the payment', async () => {
      const id = await openIntent();
      await test.database.paymentIntent.update({ where: { id }, data: { workflowRunId: 'run_2' } });
      await assert.rejects(
        inquire(id, () => Promise.resolve(CAPTURED)),
        OUT_OF_DATE,
      );
    });
  });

  describe('the end of an attempt', () => {
    const NOT_CHARGED = { kind: 'not_charged' } as const;
    const close = async (outcome: InquiryOutcome, payments = test.store) => {
      const id = await newIntent();
      await record(test.database, id, opening(id));
      const attempt = requestAbout(id, 'manual');
      const [closing, inquiring] = [countCalls(outcome), countCalls(outcome)];
      const answers = { close: closing.call, inquire: inquiring.call };
      const dependencies = { payments, ...callsTo(answers) };
      return {
        id,
        asked: () => closing.keys.length + inquiring.keys.length,
        close: () => inActivity(() => closePayment(dependencies, attempt)),
        wait: (known?: 'requires_action') =>
          inActivity(() => awaitPayment(dependencies, known === undefined ? attempt : { ...attempt, known })),
      };
    };
    const PENDING = { kind: 'pending', providerPaymentId: 'sim_1' } as const;

    for (const outcome of [CAPTURED, NOT_CHARGED]) {
      it(`by closePayment is ${outcome.kind}`, async () => {
        const { id, close: call } = await close(outcome);
        const { outcome: final, payment } = await call();
        assert.deepEqual([final, payment.version], [outcome, 2]);
        const words = outcome.kind.replace('_', ' ');
        assert.deepEqual((await summariesOf(id)).at(-1), `alpha, told to close attempt 1: ${words}`);
      });
    }

    for (const outcome of [HELD, PENDING]) {
      it(`is waited for by closePayment while the provider reports ${outcome.kind} and has released nothing`, async () => {
        const { close: call } = await close(outcome);
        await assert.rejects(call(), { type: 'OUTCOME_OPEN', nonRetryable: false });
      });
    }

    it('is not asked for by a run whose payment another run has: it would void what that run holds', async () => {
      const { id, close: call, wait, asked } = await close(NOT_CHARGED);
      await test.database.paymentIntent.update({ where: { id }, data: { workflowRunId: 'run_2' } });
      await assert.rejects(call(), OUT_OF_DATE);
      await assert.rejects(wait(), OUT_OF_DATE);
      assert.equal(asked(), 0);
    });

    it('is waited for by awaitPayment, or a new open outcome', async () => {
      await assert.rejects((await close(PENDING)).wait(), { type: 'OUTCOME_OPEN', nonRetryable: false });
      assert.deepEqual((await (await close(PENDING)).wait('requires_action')).outcome, PENDING);
      assert.deepEqual((await (await close(HELD)).wait()).outcome, HELD);
    });

    it('is recorded after a short outage of the database, without another call to the provider', async () => {
      let failures = 2;
      const flickering: PaymentStore = {
        ...test.store,
        read(question) {
          failures -= 1;
          return failures >= 0 ? Promise.reject(new Error('connection refused')) : test.store.read(question);
        },
      };
      const { id, close: call } = await close(CAPTURED, flickering);
      assert.equal((await call()).outcome.kind, 'approved');
      assert.equal((await rowsOf(id)).intent.version, 2);
    });
  });

  describe('an attempt whose intention is not recorded', () => {
    /** Both activities about one attempt, and what they have asked the provider. */
    const raceAbout = async () => {
      const id = await newIntent();
      const sent = countCalls<AuthorizationOutcome>(CAPTURED);
      const closed = countCalls<InquiryOutcome>(CAPTURED);
      const rest = callsTo({ authorize: sent.call, close: closed.call, inquire: closed.call });
      const attempt = { ...requestAbout(id, 'automatic'), knownVersion: 0 };
      const request: AuthorizePaymentRequest = {
        ...attempt,
        attempt: openAttemptOf(id),
        attemptBudget: 5,
        intention: opening(id),
        ...IN_TIME,
      };
      return {
        id,
        asked: () => [sent.keys.length, closed.keys.length],
        authorize: (payments = test.store) => inActivity(() => authorizePayment({ payments, ...rest }, request)),
        close: (payments = test.store) =>
          inActivity(() => closePayment({ payments, ...rest }, attempt), { activityId: '2' }),
        inquire: () =>
          inActivity(() => inquirePayment({ payments: test.store, ...rest }, attempt), { activityId: '2' }),
      };
    };
    /** A store whose first reader goes on only after `between`. */
    const interrupted = (between: () => Promise<unknown>): PaymentStore => {
      let isFirst = true;
      return {
        ...test.store,
        async write(step) {
          if (isFirst) {
            isFirst = false;
            await between();
          }
          return test.store.write(step);
        },
      };
    };
    const assertNeverSent = async ({ id, asked }: Awaited<ReturnType<typeof raceAbout>>) => {
      assert.deepEqual(asked(), [0, 0]);
      const { intent, attempts, transactions, timeline } = await rowsOf(id);
      assert.deepEqual(
        [intent.status, attempts, transactions, timeline.map(({ summary }) => summary)],
        ['requires_payment_method', [], [], ['Attempt 1 was not sent to alpha, and never will be']],
      );
    };

    for (const end of ['close', 'inquire'] as const) {
      it(`was not charged, which ${end}Payment tells without a call, and is not opened any more`, async () => {
        const race = await raceAbout();
        assert.deepEqual((await race[end]()).outcome, { kind: 'not_charged' });
        await assert.rejects(race.authorize(), OUT_OF_DATE);
        await assertNeverSent(race);
      });
    }

    it('is not opened by an activity that had read the payment before it was closed', async () => {
      const race = await raceAbout();
      await assert.rejects(race.authorize(interrupted(race.close)), OUT_OF_DATE);
      await assertNeverSent(race);
    });

    it('is closed at the provider where its intention was recorded in the same moment', async () => {
      const race = await raceAbout();
      const { outcome, payment } = await race.close(interrupted(race.authorize));
      assert.deepEqual([outcome, payment.columns.status, race.asked()], [CAPTURED, 'succeeded', [1, 1]]);
    });

    it('is either sent or closed without a call, however both activities meet', async () => {
      const races = await Promise.all(Array.from({ length: 20 }, raceAbout));
      const ends = await Promise.all(
        races.map(({ authorize, close }) => Promise.allSettled([authorize(), close()] as const)),
      );
      for (const [index, [sent, closed]] of ends.entries()) {
        assert.ok(closed.status === 'fulfilled', String(closed.status === 'rejected' && closed.reason));
        const race = races[index];
        assert.ok(race !== undefined);
        if (sent.status === 'rejected') await assertNeverSent(race);
        else assert.deepEqual([closed.value.outcome, race.asked()], [CAPTURED, [1, 1]]);
      }
    });

    it('is recorded once as never sent if the commit was never acknowledged', async () => {
      const race = await raceAbout();
      await race.close(unacknowledged('never opened'));
      await assertNeverSent(race);
    });
  });

  describe('capturePayment', () => {
    const heldIntent = async (captureBefore = new Date(Date.now() + MINUTE_MS)): Promise<string> => {
      const id = await newIntent('manual');
      await record(test.database, id, opening(id));
      await record(test.database, id, {
        ...approval(id),
        to: 'requires_capture',
        columns: { amountCapturableMinor: 1_000, captureBefore: captureBefore.toISOString() },
        transactions: [],
        events: [],
      });
      return id;
    };
    const capture = (
      id: string,
      provider: Pick<PaymentProvider, 'capture'> & Partial<PaymentProvider>,
      {
        payments = test.store,
        reports = NO_REPORTS,
        ...context
      }: ActivityContext & Partial<Pick<ProviderCallDependencies, 'payments' | 'reports'>> = {},
      change: Partial<CapturePaymentRequest> = {},
    ) => {
      const request: CapturePaymentRequest = {
        paymentIntentId: id,
        knownVersion: 2,
        environment: 'sandbox',
        attempt: attemptOf(id),
        amountMinor: 600,
        operationId: `capture of ${id}`,
        isRepeated: false,
        ...change,
      };
      return inActivity(() => capturePayment({ ...callsTo(provider), payments, reports }, request), context);
    };
    const TAKEN = { kind: 'captured', providerPaymentId: 'sim_1', capturedMinor: 600, currency: 'USD' } as const;
    const operationOf = async (id: string) =>
      (await rowsOf(id)).operations.find((each) => each.id === `capture of ${id}`);

    it('calls the provider after the intention is recorded, and records the captured amount', async () => {
      const id = await heldIntent();
      const seen: unknown[] = [];
      const { result } = await capture(id, {
        capture: async () => {
          seen.push((await operationOf(id))?.request, (await operationOf(id))?.result);
          return TAKEN;
        },
      });
      assert.deepEqual(seen, [{ amountMinor: 600 }, null]);
      assert.deepEqual(result, { status: 'succeeded', error: null });
      const { intent, transactions } = await rowsOf(id);
      assert.deepEqual(
        [intent.status, intent.amountCapturedMinor, intent.amountCapturableMinor],
        ['succeeded', 600n, 0n],
      );
      assert.ok(transactions.some(({ type, amountMinor }) => type === 'capture' && amountMinor === 600n));
      assert.deepEqual((await operationOf(id))?.result, result);
    });

    for (const part of ['intention', 'outcome']) {
      it(`records once if the commit of the ${part} was never acknowledged`, async () => {
        const id = await heldIntent();
        const { call, keys } = countCalls(TAKEN);
        const { payment } = await capture(id, { capture: call }, { payments: unacknowledged(part) });
        assert.deepEqual([payment.version, payment.columns.status, keys.length], [4, 'succeeded', 1]);
        const { transactions } = await rowsOf(id);
        assert.equal(transactions.filter(({ type }) => type === 'capture').length, 1);
      });
    }

    it('is refused without a call once the hold has lapsed, unless an earlier request may be on its way', async () => {
      const lapsed = () => heldIntent(new Date(Date.now() - 1));
      const id = await lapsed();
      const { call, keys } = countCalls(TAKEN);
      const { result, payment } = await capture(id, { capture: call });
      assert.deepEqual([result.status, result.error?.code], ['requires_capture', 'STATE_CONFLICT']);
      assert.deepEqual([payment.columns.status, keys.length], ['requires_capture', 0]);
      assert.deepEqual((await operationOf(id))?.result, result);
      assert.match((await summariesOf(id)).at(-1) ?? '', /^Not captured: the authorization has lapsed/);
      assert.deepEqual((await capture(id, { capture: call }, { attempt: 2 })).result, result);
      const begun = await lapsed();
      assert.equal((await capture(begun, { capture: call }, {}, { isRepeated: true })).result.status, 'succeeded');
      assert.equal(keys.length, 1);
    });

    it('goes on with its later tries after the hold has lapsed', async () => {
      const id = await heldIntent();
      const outage = new ProviderOutageError('TSP_TIMEOUT', 'no answer');
      await assert.rejects(capture(id, { capture: countCalls<CaptureOutcome>(outage).call }), { type: 'TSP_TIMEOUT' });
      await test.database.paymentIntent.update({ where: { id }, data: { captureBefore: new Date(0) } });
      assert.equal((await capture(id, { capture: countCalls(TAKEN).call }, { attempt: 2 })).result.status, 'succeeded');
    });

    it('records why a try had no answer, with the operation', async () => {
      const id = await heldIntent();
      const outage = new ProviderOutageError('TSP_TIMEOUT', 'no answer');
      await assert.rejects(capture(id, { capture: countCalls<CaptureOutcome>(outage).call }), { type: 'TSP_TIMEOUT' });
      const operation = await operationOf(id);
      assert.deepEqual([operation?.lastCode, operation?.result], ['TSP_TIMEOUT', null]);
      await capture(id, { capture: countCalls(TAKEN).call }, { attempt: 2 });
      assert.equal((await operationOf(id))?.lastCode, null);
    });

    it('is retried while the provider has only accepted the capture', async () => {
      const id = await heldIntent();
      const { call, keys } = countCalls<CaptureOutcome>({ kind: 'pending' }, TAKEN);
      const provider = { capture: call, inquire: countCalls(HELD).call };
      await assert.rejects(capture(id, provider), { type: 'OUTCOME_OPEN', nonRetryable: false });
      assert.equal((await rowsOf(id)).intent.status, 'requires_capture');
      assert.equal((await capture(id, provider, { attempt: 2 })).result.status, 'succeeded');
      assert.equal(keys.length, 2);
    });

    it('answers a capture that was refused after it had been accepted, and sends another one under another key', async () => {
      const id = await heldIntent();
      const requests: CaptureRequest[] = [];
      const provider = {
        capture: (request: CaptureRequest) => {
          requests.push(request);
          const captureReference = `PSP${request.refusedBefore ?? 0}`;
          return Promise.resolve({ kind: 'pending', captureReference } as const);
        },
        inquire: countCalls(HELD).call,
      };
      const reports = createProviderReports(test.database);
      const first = { reports };
      await assert.rejects(capture(id, provider, first), { type: 'OUTCOME_OPEN' });
      const providerResponse = { eventCode: 'CAPTURE', reason: 'Insufficient balance on payment' };
      const captureRefusal = { attemptId: attemptIdOf(id, 1), captureReference: 'PSP0', providerResponse };
      const event = { provider: 'alpha', eventId: `PSP0 ${id}`, captureRefusal };
      await test.database.direct.row(insertProviderEvent(event, { paymentIntentId: id, refundId: null }));
      const { result } = await capture(id, provider, { ...first, attempt: 2 });
      assert.equal(result.status, 'requires_capture');
      assert.deepEqual(result.error?.details, { providerResponse });
      const second = { ...first, activityId: '2' };
      const again = { operationId: `second capture of ${id}` };
      await assert.rejects(capture(id, provider, second, again), { type: 'OUTCOME_OPEN' });
      await assert.rejects(capture(id, provider, { ...second, attempt: 2 }, again), { type: 'OUTCOME_OPEN' });
      assert.deepEqual(
        requests.map(({ refusedBefore }) => refusedBefore),
        [0, 0, 1, 1],
      );
    });

    it('finds the end of a capture that the provider has only accepted, if its report reached an earlier run only', async () => {
      const accepted = { capture: countCalls<CaptureOutcome>({ kind: 'pending' }).call };
      for (const [state, status] of [
        [{ ...CAPTURED, capturedMinor: 600 }, 'succeeded'],
        [{ kind: 'not_charged' }, 'canceled'],
      ] as const) {
        const id = await heldIntent();
        const provider = { ...accepted, inquire: countCalls<InquiryOutcome>(state).call };
        const { result } = await capture(id, provider, {}, { isRepeated: true });
        assert.equal(result.status, status);
        assert.deepEqual((await operationOf(id))?.result, result);
      }
    });

    it('never records another amount', async () => {
      const id = await heldIntent();
      const call = countCalls({ ...TAKEN, capturedMinor: 1_000 }).call;
      await assert.rejects(capture(id, { capture: call }), { type: AMOUNT_DIFFERS });
      assert.equal((await summariesOf(id)).at(-1), `Capture, try 1: alpha ${DIFFERENCE}`);
      assert.equal((await operationOf(id))?.lastCode, null);
      const { intent } = await rowsOf(id);
      assert.deepEqual([intent.status, intent.amountCapturedMinor], ['requires_capture', 0n]);
    });

    it('ends the payment if nothing is held any more', async () => {
      const id = await heldIntent();
      const { result } = await capture(id, { capture: countCalls({ kind: 'not_held' } as const).call });
      assert.equal(result.status, 'canceled');
      const { intent } = await rowsOf(id);
      assert.deepEqual([intent.status, intent.amountCapturableMinor, intent.amountCapturedMinor], ['canceled', 0n, 0n]);
    });

    it('keeps the hold if the only request was refused, and is retried if another one may be on its way', async () => {
      const refused = { kind: 'unrecognised', providerResponse: { code: 'no' } } as const;
      const provider = { capture: countCalls(refused).call, inquire: countCalls(HELD).call };
      const id = await heldIntent();
      await assert.rejects(capture(id, provider, { attempt: 2 }), { type: 'OUTCOME_OPEN' });
      await assert.rejects(capture(id, provider, {}, { isRepeated: true }), { type: 'OUTCOME_OPEN' });
      const { result, payment } = await capture(id, provider);
      assert.equal(payment.columns.status, 'requires_capture');
      assert.notEqual(result.error, null);
      assert.deepEqual((await operationOf(id))?.result, result);
    });

    it('returns the outcome that an earlier try has recorded, without a call', async () => {
      const id = await heldIntent();
      const { call, keys } = countCalls<CaptureOutcome>(TAKEN);
      const first = await capture(id, { capture: call });
      const before = await rowsOf(id);
      assert.deepEqual(await capture(id, { capture: call }, { attempt: 2 }), { ...first, decided: null });
      assert.equal(keys.length, 1);
      assert.deepEqual(await rowsOf(id), before);
    });

    it('returns the refusal that an earlier try has recorded', async () => {
      const id = await heldIntent();
      const refused = { kind: 'unrecognised', providerResponse: { code: 'no' } } as const;
      const { call, keys } = countCalls<CaptureOutcome>(refused);
      const provider = { capture: call, inquire: countCalls(HELD).call };
      const first = await capture(id, provider);
      assert.deepEqual(await capture(id, provider, { attempt: 2 }), { ...first, decided: null });
      assert.equal(keys.length, 1);
      assert.deepEqual((await operationOf(id))?.result, first.result);
    });

    it('does not call the provider for a capture that has its answer, which another run has given', async () => {
      const id = await heldIntent();
      const operationId = `capture of ${id}`;
      const result = { status: 'requires_capture', error: null } as const;
      await record(test.database, id, { ...note('Refused'), operation: { id: operationId, kind: 'capture', result } });
      const { call, keys } = countCalls(TAKEN);
      await assert.rejects(capture(id, { capture: call }, {}, { knownVersion: 3 }), OUT_OF_DATE);
      assert.deepEqual(keys, []);
    });

    it('fails in another state', async () => {
      const id = await newIntent();
      await record(test.database, id, opening(id));
      const { call, keys } = countCalls(TAKEN);
      await assert.rejects(capture(id, { capture: call }, {}, { knownVersion: 1 }), OUT_OF_DATE);
      assert.deepEqual(keys, []);
    });
  });
});
