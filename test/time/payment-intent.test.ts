import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { WorkflowUpdateFailedError } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { CARD_TRIES, type CardRetries } from '../../domain/decline-retries.ts';
import type { EventType } from '../../domain/events.ts';
import type { PaymentTerms } from '../../domain/payment.ts';
import type { AuthorizationOutcome } from '../../domain/provider-outcome.ts';
import { RUN_OUT_OF_DATE } from '../../domain/payment-step.ts';
import { FIRST_INQUIRY_AFTER_MS, SHOWN_AFTER_MS, STUCK_AFTER_MS } from '../../domain/time-limits.ts';
import { MINUTE_MS, SECOND_MS } from '../../domain/time.ts';
import { askProviderNowUpdate } from '../../protocol/messages.ts';
import { SEARCH_ATTRIBUTES } from '../../protocol/search-attributes.ts';
import { eventually } from '../support/eventually.ts';
import {
  AMOUNT_MINOR,
  approved,
  authorized,
  broken,
  declined,
  eventFor,
  credentialsRefused,
  fraud,
  hang,
  MANUAL,
  notCharged,
  outage,
  pending,
  redirect,
  timeout,
  unrecognised,
  until,
} from '../support/outcomes.ts';
import { ScriptedActivities } from '../support/scripted-activities.ts';
import type { Scripted } from '../support/scripted-provider.ts';
import { withPayment } from '../support/time-skipping.ts';

describe('payment intent workflow', function () {
  this.timeout(MINUTE_MS);

  describe('outcomes of the first attempt', () => {
    const cases: {
      outcome: Scripted<AuthorizationOutcome>;
      status: string;
      code: string | null;
      events: string[];
      attempt: string;
      terms?: PaymentTerms;
    }[] = [
      {
        outcome: approved,
        status: 'succeeded',
        code: null,
        events: ['payment_intent.processing', 'transaction.created', 'payment_intent.succeeded'],
        attempt: 'approved',
      },
      {
        outcome: authorized,
        status: 'requires_capture',
        code: null,
        events: ['payment_intent.processing', 'transaction.created', 'payment_intent.amount_capturable'],
        attempt: 'approved',
        terms: MANUAL,
      },
      {
        outcome: declined,
        status: 'requires_payment_method',
        code: 'CARD_DECLINED',
        events: ['payment_intent.processing', 'payment_intent.payment_failed'],
        attempt: 'declined',
      },
      {
        outcome: fraud,
        status: 'failed',
        code: 'FRAUD_DETECTED',
        events: ['payment_intent.processing', 'payment_intent.payment_failed'],
        attempt: 'failed',
      },
      {
        outcome: unrecognised,
        status: 'requires_payment_method',
        code: 'PROVIDER_VALIDATION_ERROR',
        events: ['payment_intent.processing', 'payment_intent.payment_failed'],
        attempt: 'not_charged',
      },
    ];
    for (const { outcome, status, code, events, attempt, terms } of cases) {
      it(`${outcome.kind} leads to ${status}${code === null ? '' : ` with ${code}`}`, async () => {
        const activities = new ScriptedActivities({ alpha: { authorize: [outcome], inquire: [notCharged] } });
        const course: Parameters<typeof withPayment>[1] = async (payment) => {
          const confirm = await payment.confirm();
          const result = await confirm.result();
          assert.equal(result.status, status);
          assert.equal(result.error?.code ?? null, code);
          assert.deepEqual(activities.eventTypes, events);
          assert.equal(activities.last.attempts[0]?.outcome, attempt);
          assert.equal(activities.last.columns.lastError?.code ?? null, code);
          const { store } = activities;
          assert.deepEqual(store.operation(payment.input.paymentIntentId, confirm.operationId)?.result, result);
        };
        await withPayment(activities, course, terms === undefined ? {} : { input: { terms } });
      });
    }

    it('makes an inquiry after an answer of unknown shape before it concludes that nothing was charged', async () => {
      const activities = new ScriptedActivities({ alpha: { authorize: [unrecognised], inquire: [approved] } });
      await withPayment(activities, async (payment) => {
        const result = await (await payment.confirm()).result();
        assert.equal(result.status, 'succeeded');
        assert.deepEqual(activities.operations('alpha'), ['authorize', 'inquire']);
      });
    });
  });

  describe('tries and failover', () => {
    /** An outage at alpha, and an error each time that the intention of the attempt at beta is written. */
    const withoutIntentionAtBeta = (error: ApplicationFailure): ScriptedActivities => {
      const activities = new ScriptedActivities({
        alpha: { authorize: [outage], inquire: [notCharged] },
        beta: { authorize: [approved] },
        gamma: { authorize: [approved] },
      });
      activities.store.beforeWrite = ({ step }) =>
        step.timeline.some(({ summary }) => summary === 'Attempt 2 goes to beta')
          ? Promise.reject(error)
          : Promise.resolve();
      return activities;
    };

    it('tries again after 1 s, 2 s and 4 s under one key, then makes an inquiry, then takes the next route', async () => {
      const activities = new ScriptedActivities({
        alpha: { authorize: [outage], inquire: [notCharged] },
        beta: { authorize: [approved] },
      });
      await withPayment(activities, async (payment) => {
        const result = await (await payment.confirm()).result();
        assert.equal(result.status, 'succeeded');
        const tries = activities.calls.filter(
          ({ provider, operation }) => provider === 'alpha' && operation === 'authorize',
        );
        const pauses = tries.slice(1).map(({ atMs }, index) => atMs - (tries[index]?.atMs ?? 0));
        assert.equal(pauses.length, 3);
        // A busy machine makes a pause longer, never shorter.
        for (const [index, pauseMs] of pauses.entries()) {
          const plannedMs = 2 ** index * SECOND_MS;
          assert.ok(pauseMs >= plannedMs && pauseMs < plannedMs + 4 * SECOND_MS, `pause ${index + 1}: ${pauseMs} ms`);
        }
        assert.equal(new Set(tries.map(({ key }) => key)).size, 1);
        assert.deepEqual(activities.operations('alpha').at(-1), 'inquire');
        assert.deepEqual(activities.operations('beta'), ['authorize']);
        const [first, second] = activities.last.attempts;
        assert.deepEqual([first?.outcome, first?.code, first?.tries], ['not_charged', 'TSP_ERROR', 4]);
        assert.deepEqual([second?.outcome, second?.provider], ['approved', 'beta']);
        assert.notEqual(first?.id, second?.id);
      });
    });

    it('ends every attempt if one of them timed out before it could be opened', async () => {
      // As if each try of the second attempt had ended before it could write the intention, with its worker.
      const timedOut = ApplicationFailure.create({ type: 'TSP_TIMEOUT', message: 'the worker died' });
      const activities = withoutIntentionAtBeta(timedOut);
      await withPayment(activities, async (payment) => {
        assert.equal((await (await payment.confirm()).result()).status, 'succeeded');
        assert.deepEqual(activities.operations('beta'), []);
        assert.deepEqual(
          activities.last.attempts.map(({ provider, outcome, code }) => [provider, outcome, code]),
          [
            ['alpha', 'not_charged', 'TSP_ERROR'],
            ['beta', 'not_charged', 'TSP_TIMEOUT'],
            ['gamma', 'approved', null],
          ],
        );
      });
    });

    it('plans again if the account of the next route was disabled meanwhile, and calls nobody there', async () => {
      const activities = withoutIntentionAtBeta(ApplicationFailure.nonRetryable('beta was disabled', RUN_OUT_OF_DATE));
      activities.laterPlan = {
        ...activities.plan,
        routes: activities.plan.routes.filter(({ provider }) => provider === 'gamma'),
      };
      await withPayment(activities, async (payment) => {
        assert.equal((await (await payment.confirm()).result()).status, 'succeeded');
        assert.deepEqual(activities.operations('beta'), []);
        assert.deepEqual(activities.operations('gamma'), ['authorize']);
        assert.deepEqual(
          activities.last.attempts.map(({ provider, outcome }) => [provider, outcome]),
          [
            ['alpha', 'not_charged'],
            ['gamma', 'approved'],
          ],
        );
      });
    });

    it('does not take the next route any more once the customer was asked to act', async () => {
      const activities = new ScriptedActivities({
        alpha: { authorize: [outage], inquire: [redirect, notCharged] },
        beta: { authorize: [approved] },
      });
      await withPayment(activities, async (payment) => {
        assert.equal((await (await payment.confirm()).result()).status, 'requires_action');
        const hasEnded = (): boolean => !['processing', 'requires_action'].includes(activities.last.columns.status);
        while (!hasEnded()) await payment.skip(FIRST_INQUIRY_AFTER_MS);
        assert.equal(activities.last.columns.status, 'requires_payment_method');
        assert.deepEqual(activities.operations('beta'), []);
        await payment.handle.terminate();
      });
    });

    it('adds each try without an answer and the inquiry to the timeline', async () => {
      const activities = new ScriptedActivities({ alpha: { authorize: [outage], inquire: [timeout, notCharged] } });
      await withPayment(activities, async (payment) => {
        await (await payment.confirm()).result();
        const summaries = activities.timeline.map(({ kind, summary }) => `${kind}: ${summary}`);
        const tries = [1, 2, 3, 4].map(
          (number) => `attempt: Attempt 1, try ${number}: no answer from alpha (TSP_ERROR)`,
        );
        assert.deepEqual(summaries.slice(0, -2), [
          'decision: Routes chosen: alpha',
          'attempt: Attempt 1 goes to alpha',
          ...tries,
          'inquiry: alpha, asked what became of attempt 1, gave no answer: it is asked again, and no other provider tried before',
          'inquiry: alpha, asked what became of attempt 1: not charged',
        ]);
        assert.deepEqual(
          activities.changes.map(({ attempts }) => attempts[0]?.tries),
          [1, 1, 2, 3, 4, 4, 4, 4],
        );
      });
    });

    it('finds the charge of a lost reply and does not fail over', async () => {
      const activities = new ScriptedActivities({
        alpha: { authorize: [timeout], inquire: [outage, outage, approved] },
        beta: { authorize: [approved] },
      });
      await withPayment(activities, async (payment) => {
        const result = await (await payment.confirm()).result();
        assert.equal(result.status, 'succeeded');
        assert.deepEqual(activities.operations('beta'), []);
      });
    });

    it('counts an outage for the circuit when the last try has failed, and not again when the provider is back', async () => {
      const activities = new ScriptedActivities({
        alpha: { authorize: [timeout], inquire: [outage, outage, approved] },
      });
      await withPayment(activities, async (payment) => {
        await (await payment.confirm()).result();
        const counted = activities.store.writes.flatMap(({ step: { providerHealth = [], timeline } }) =>
          providerHealth.map((health) => ({ ...health, summary: timeline[0].summary })),
        );
        const summary = 'Attempt 1, try 4: no answer from alpha (TSP_TIMEOUT)';
        assert.deepEqual(counted, [{ provider: 'alpha', available: false, summary }]);
      });
    });

    it('goes on to the next route at once where a provider refuses the credentials', async () => {
      const activities = new ScriptedActivities({
        alpha: { authorize: [credentialsRefused] },
        beta: { authorize: [approved] },
      });
      await withPayment(activities, async (payment) => {
        assert.equal((await (await payment.confirm()).result()).status, 'succeeded');
        assert.deepEqual(activities.operations('alpha'), ['authorize']);
        assert.deepEqual(
          activities.last.attempts.map(({ provider, outcome, code }) => [provider, outcome, code]),
          [
            ['alpha', 'not_charged', 'TSP_UNAVAILABLE'],
            ['beta', 'approved', null],
          ],
        );
        const counted = activities.store.writes.flatMap(({ step: { providerHealth = [] } }) => providerHealth);
        assert.deepEqual(counted, [
          { provider: 'alpha', available: false },
          { provider: 'beta', available: true },
        ]);
      });
    });

    it('returns to requires_payment_method, and can be canceled, where every provider refuses the credentials', async () => {
      const activities = new ScriptedActivities({ alpha: { authorize: [credentialsRefused] } });
      await withPayment(activities, async (payment) => {
        const { status, error } = await (await payment.confirm()).result();
        assert.deepEqual([status, error?.code], ['requires_payment_method', 'PROVIDER_UNAVAILABLE']);
        assert.deepEqual(error?.details, { provider: 'alpha', reason: 'credentials_refused' });
        assert.equal((await (await payment.cancel()).result()).status, 'canceled');
        assert.deepEqual(activities.operations('alpha'), ['authorize']);
      });
    });

    it('asks on after an unknown try while the credentials are refused, and goes on once they work again', async () => {
      const activities = new ScriptedActivities({
        alpha: {
          authorize: [timeout, credentialsRefused],
          inquire: [credentialsRefused, credentialsRefused, approved],
        },
        beta: { authorize: [approved] },
      });
      await withPayment(activities, async (payment) => {
        assert.equal((await (await payment.confirm()).result()).status, 'succeeded');
        assert.deepEqual(activities.operations('beta'), []);
        const entries = activities.timeline.filter(({ summary }) => summary.includes('refused the credentials'));
        assert.equal(entries.length, 2);
      });
    });

    it('goes on to the next route where a provider refuses the currency, and tells the refusal if none is left', async () => {
      const refused = { kind: 'declined', providerPaymentId: null, code: 'UNSUPPORTED_CURRENCY_PAIR' } as const;
      const activities = new ScriptedActivities({ alpha: { authorize: [refused] }, beta: { authorize: [approved] } });
      await withPayment(activities, async (payment) => {
        assert.equal((await (await payment.confirm()).result()).status, 'succeeded');
        assert.deepEqual(
          activities.last.attempts.map(({ outcome, code }) => [outcome, code]),
          [
            ['declined', 'UNSUPPORTED_CURRENCY_PAIR'],
            ['approved', null],
          ],
        );
      });
      const alone = new ScriptedActivities({ alpha: { authorize: [refused] } });
      await withPayment(alone, async (payment) => {
        const { status, error } = await (await payment.confirm()).result();
        assert.deepEqual([status, error?.code], ['requires_payment_method', 'UNSUPPORTED_CURRENCY_PAIR']);
      });
    });

    describe('after a decline', () => {
      const technical = {
        kind: 'declined',
        providerPaymentId: null,
        code: 'PAYMENT_DECLINED',
        advice: 'elsewhere',
      } as const;
      const byIssuer = { ...technical, code: 'CARD_DECLINED', isIssuerDecline: true } as const;
      const withRetries = (
        scripts: ConstructorParameters<typeof ScriptedActivities>[0],
        elsewhere: CardRetries['elsewhere'] = { maxRetries: 1, issuerDeclines: false },
        declined = 0,
      ) => {
        const activities = new ScriptedActivities(scripts);
        const until = '2026-12-01T00:00:00.000Z';
        const counted = { count: declined, until };
        activities.plan = { ...activities.plan, retries: { elsewhere, declines: { day: counted, month: counted } } };
        return activities;
      };
      const outcomesOf = ({ last }: ScriptedActivities) =>
        last.attempts.map(({ provider, outcome }) => `${provider} ${outcome}`);

      it('asks another provider, and keeps the CVC until the confirm has its outcome', async () => {
        const activities = withRetries({ alpha: { authorize: [technical] }, beta: { authorize: [approved] } });
        await withPayment(activities, async (payment) => {
          assert.equal((await (await payment.confirm()).result()).status, 'succeeded');
          assert.deepEqual(outcomesOf(activities), ['alpha declined', 'beta approved']);
          const [declined] = activities.last.attempts;
          assert.deepEqual([declined?.code, declined?.advice], ['PAYMENT_DECLINED', 'elsewhere']);
          assert.deepEqual(
            activities.store.writes.map(({ step }) => step.eraseCvcOf !== undefined),
            [false, false, true],
          );
          assert.deepEqual(
            activities.changes.flatMap(({ events }) => events.map(({ type }) => type)),
            ['payment_intent.processing', 'transaction.created', 'payment_intent.succeeded'],
          );
        });
      });

      it('ends with the last decline where no other provider is left, or no retry', async () => {
        for (const [scripts, retries, expected] of [
          [{ alpha: { authorize: [technical] } }, 3, ['alpha declined']],
          [
            { alpha: { authorize: [technical] }, beta: { authorize: [technical] }, gamma: { authorize: [approved] } },
            1,
            ['alpha declined', 'beta declined'],
          ],
          [
            { alpha: { authorize: [technical] }, beta: { authorize: [byIssuer] } },
            3,
            ['alpha declined', 'beta declined'],
          ],
        ] as const) {
          const activities = withRetries(scripts, { maxRetries: retries, issuerDeclines: false });
          await withPayment(activities, async (payment) => {
            assert.equal((await (await payment.confirm()).result()).status, 'requires_payment_method');
            assert.deepEqual(outcomesOf(activities), expected);
          });
        }
      });

      it("asks nobody else after never, an issuer's decline that the account does not retry, or without retries", async () => {
        for (const [outcome, allowance] of [
          [
            { ...technical, advice: 'never' },
            { maxRetries: 3, issuerDeclines: true },
          ],
          [
            { ...technical, advice: 'later' },
            { maxRetries: 3, issuerDeclines: true },
          ],
          [byIssuer, { maxRetries: 3, issuerDeclines: false }],
          [technical, null],
        ] as const) {
          const scripts = { alpha: { authorize: [outcome] }, beta: { authorize: [approved] } };
          const activities = withRetries(scripts, allowance);
          await withPayment(activities, async (payment) => {
            assert.equal((await (await payment.confirm()).result()).status, 'requires_payment_method');
            assert.deepEqual(activities.operations('beta'), []);
          });
        }
      });

      const unauthenticated = {
        kind: 'declined',
        providerPaymentId: 'sim_1',
        code: 'CARD_DECLINED',
        advice: 'authenticate',
      } as const;

      it('asks once more at the same provider with 3-D Secure where the issuer demands authentication', async () => {
        const activities = withRetries(
          { alpha: { authorize: [unauthenticated, redirect] }, beta: { authorize: [approved] } },
          null,
        );
        await withPayment(activities, async (payment) => {
          assert.equal((await (await payment.confirm()).result()).status, 'requires_action');
          assert.deepEqual(
            activities.calls.map(({ provider, mustAuthenticate }) => [provider, mustAuthenticate]),
            [
              ['alpha', undefined],
              ['alpha', true],
            ],
          );
          assert.equal(new Set(activities.calls.map(({ key }) => key)).size, 2);
          assert.ok(activities.timeline.some(({ summary }) => summary.endsWith('once more, with 3-D Secure')));
          assert.ok(activities.store.writes.every(({ step }) => step.eraseCvcOf === undefined));
          await activities.report(payment.handle, eventFor(payment, approved, 2));
          await until(() => activities.last.columns.status === 'succeeded');
          assert.deepEqual(outcomesOf(activities), ['alpha declined', 'alpha approved']);
        });
      });

      it('asks with 3-D Secure once in a confirm, wherever it goes on, and again in the next confirm', async () => {
        const activities = withRetries({
          alpha: { authorize: [unauthenticated, technical, unauthenticated, approved] },
          beta: { authorize: [unauthenticated] },
        });
        await withPayment(activities, async (payment) => {
          const { status, error } = await (await payment.confirm()).result();
          assert.deepEqual([status, error?.code], ['requires_payment_method', 'CARD_DECLINED']);
          assert.equal(error?.details?.advice, 'authenticate');
          assert.deepEqual(outcomesOf(activities), ['alpha declined', 'alpha declined', 'beta declined']);
          const again = await (await payment.confirm()).result();
          assert.equal(again.status, 'succeeded');
          const asked = activities.calls.map(({ mustAuthenticate = false }) => mustAuthenticate);
          assert.deepEqual(asked, [false, true, false, false, true]);
        });
      });

      it('ends with the advice to authenticate where the provider cannot ask for it', async () => {
        const activities = withRetries({ alpha: { authorize: [unauthenticated], cannotAuthenticate: true } });
        await withPayment(activities, async (payment) => {
          const { status, error } = await (await payment.confirm()).result();
          assert.deepEqual([status, error?.details?.advice], ['requires_payment_method', 'authenticate']);
          assert.deepEqual(activities.operations('alpha'), ['authorize']);
        });
      });

      it('says in the timeline where a limit of the card schemes keeps it from another try', async () => {
        for (const outcome of [technical, unauthenticated]) {
          const scripts = { alpha: { authorize: [outcome] }, beta: { authorize: [approved] } };
          const activities = withRetries(scripts, undefined, CARD_TRIES.day - 1);
          await withPayment(activities, async (payment) => {
            assert.equal((await (await payment.confirm()).result()).status, 'requires_payment_method');
            assert.deepEqual(outcomesOf(activities), ['alpha declined']);
            const entry = activities.timeline.find(({ summary }) => summary.startsWith('Not tried again'));
            assert.match(entry?.summary ?? '', /declined 7 times for this amount within 24 hours/);
            assert.deepEqual(entry?.details, {
              reason: 'scheme_retry_limit',
              retryAfter: '2026-12-01T00:00:00.000Z',
            });
            assert.equal(activities.store.writes.at(-1)?.step.eraseCvcOf !== undefined, true);
          });
        }
      });

      it('asks nobody else where the decline became known by an inquiry', async () => {
        const activities = withRetries({
          alpha: { authorize: [timeout, timeout, timeout, timeout], inquire: [technical] },
          beta: { authorize: [approved] },
        });
        await withPayment(activities, async (payment) => {
          assert.equal((await (await payment.confirm()).result()).status, 'requires_payment_method');
          assert.deepEqual(activities.operations('beta'), []);
        });
      });
    });

    it('repeats an inquiry that failed without retry', async () => {
      const activities = new ScriptedActivities({ alpha: { authorize: [broken], inquire: [broken, approved] } });
      await withPayment(activities, async (payment) => {
        assert.equal((await (await payment.confirm()).result()).status, 'succeeded');
        assert.deepEqual(activities.operations('alpha'), ['authorize', 'inquire', 'inquire']);
        assert.equal(activities.last.attempts[0]?.tries, 1);
      });
    });

    it('returns to requires_payment_method if every provider is unavailable', async () => {
      const away = { authorize: [outage], inquire: [notCharged] };
      const activities = new ScriptedActivities({ alpha: away, beta: away });
      await withPayment(activities, async (payment) => {
        const result = await (await payment.confirm()).result();
        assert.equal(result.status, 'requires_payment_method');
        assert.equal(result.error?.code, 'PROVIDER_UNAVAILABLE');
      });
    });

    it('cancels with PAYMENT_RETRIES_EXHAUSTED once the budget is used up across confirms', async () => {
      const activities = new ScriptedActivities({ alpha: { authorize: [declined] } });
      await withPayment(
        activities,
        async (payment) => {
          assert.equal((await (await payment.confirm()).result()).error?.code, 'CARD_DECLINED');
          const result = await (await payment.confirm()).result();
          assert.equal(result.error?.code, 'PAYMENT_RETRIES_EXHAUSTED');
          assert.equal((await payment.end()).status, 'canceled');
          assert.equal(activities.last.columns.cancellationReason, 'retries_exhausted');
          assert.deepEqual(activities.eventTypes.slice(-2), [
            'payment_intent.payment_failed',
            'payment_intent.canceled',
          ]);
        },
        { input: { attemptBudget: 2 } },
      );
    });

    it('does not spend the budget on an attempt that could not be opened: nothing was sent', async () => {
      const activities = new ScriptedActivities({ alpha: { authorize: [approved] } });
      let isFirst = true;
      activities.store.beforeWrite = async ({ opens }) => {
        if (opens === undefined || !isFirst) return;
        isFirst = false;
        throw ApplicationFailure.nonRetryable('the statement fails');
      };
      await withPayment(
        activities,
        async (payment) => {
          const { status, error } = await (await payment.confirm()).result();
          assert.deepEqual([status, error?.code], ['requires_payment_method', 'PAYMENT_FAILED']);
          assert.equal((await (await payment.confirm()).result()).status, 'succeeded');
          assert.deepEqual(activities.operations('alpha'), ['authorize']);
          const stored = await activities.store.read({ paymentIntentId: payment.input.paymentIntentId });
          assert.deepEqual(
            stored?.record.attempts.map(({ number, tries, outcome }) => [number, tries, outcome]),
            [
              [1, 0, 'not_charged'],
              [2, 1, 'approved'],
            ],
          );
        },
        { input: { attemptBudget: 1 } },
      );
    });

    it('shows support staff the card of each attempt, however many there are', async () => {
      const activities = new ScriptedActivities({ alpha: { authorize: [declined] } });
      const budget = 12;
      await withPayment(
        activities,
        async (payment) => {
          for (let number = 1; number <= budget; number += 1) {
            const card = { paymentMethodId: `pm_${number}`, cardLast4: String(1_000 + number) };
            await (await payment.confirm(card)).result();
          }
          const details = await payment.currentDetails();
          for (let number = 1; number <= budget; number += 1) {
            assert.ok(details.includes(`Attempt ${number} at alpha, card ending in ${1_000 + number}:`), details);
          }
        },
        { input: { attemptBudget: budget } },
      );
    });

    it('leaves the intent unchanged if the plan refuses the payment', async () => {
      const activities = new ScriptedActivities({ alpha: { authorize: [approved] } });
      activities.plan = { refusal: { code: 'UNSUPPORTED_REGION', message: 'no' }, routes: [], skippedRoutes: [] };
      await withPayment(activities, async (payment) => {
        const confirm = await payment.confirm();
        const result = await confirm.result();
        assert.deepEqual(result, {
          status: 'requires_payment_method',
          error: { code: 'UNSUPPORTED_REGION', message: 'no' },
        });
        assert.deepEqual(activities.calls, []);
        assert.equal(activities.last.columns.lastError, null);
        assert.deepEqual(activities.eventTypes, ['payment_intent.payment_failed']);
        const { store } = activities;
        assert.deepEqual(store.operation(payment.input.paymentIntentId, confirm.operationId)?.result, result);
      });
    });

    it('writes a step once although its first write was not acknowledged', async () => {
      const activities = new ScriptedActivities({ alpha: { authorize: [declined] } });
      let failures = 0;
      activities.store.beforeWrite = () => {
        failures += 1;
        return failures <= 2 ? Promise.reject(new Error('the database is away')) : Promise.resolve();
      };
      await withPayment(activities, async (payment) => {
        assert.equal((await (await payment.confirm()).result()).error?.code, 'CARD_DECLINED');
        assert.deepEqual(activities.operations('alpha'), ['authorize']);
        assert.deepEqual(
          activities.changes.map(({ fromVersion }) => fromVersion),
          [0, 1],
        );
      });
    });
  });

  describe('search attributes and details for support staff', () => {
    it('contain what happened to the payment', async () => {
      const activities = new ScriptedActivities({ alpha: { authorize: [fraud] } });
      await withPayment(activities, async (payment) => {
        await (await payment.confirm()).result();
        await payment.end();
        const found = await payment.searchAttributes();
        assert.equal(found.get(SEARCH_ATTRIBUTES.status), 'failed');
        assert.equal(found.get(SEARCH_ATTRIBUTES.errorCode), 'FRAUD_DETECTED');
        assert.equal(found.get(SEARCH_ATTRIBUTES.provider), 'alpha');
        assert.equal(found.get(SEARCH_ATTRIBUTES.amountMinor), AMOUNT_MINOR);
        assert.equal(found.get(SEARCH_ATTRIBUTES.country), 'DE');
      });
    });

    it('contain the recorded state, the provider and the card 5 s after the call of a provider that does not answer', async () => {
      const activities = new ScriptedActivities({ alpha: { authorize: [hang], close: [notCharged] } });
      await withPayment(activities, async (payment) => {
        await payment.confirm({ cardLast4: '4242' });
        await until(() => activities.calls.length > 0);
        await payment.skip(SHOWN_AFTER_MS);
        const shown = async () => {
          const found = await payment.searchAttributes();
          const { status, provider, cardLast4 } = SEARCH_ATTRIBUTES;
          return [found.get(status), found.get(provider), found.get(cardLast4)];
        };
        while ((await shown())[0] !== 'processing') await new Promise((done) => setTimeout(done, 20));
        assert.deepEqual(await shown(), ['processing', 'alpha', ['4242']]);
        assert.equal(activities.eventTypes.includes('payment_intent.stuck'), false);
        assert.equal((await (await payment.cancel()).result()).status, 'canceled');
        assert.equal((await shown())[0], 'canceled');
      });
    });

    it('contain what the workflow waits for while it waits', async () => {
      const activities = new ScriptedActivities({ alpha: { authorize: [hang, declined] } });
      await withPayment(activities, async (payment) => {
        const confirm = await payment.confirm();
        await until(() => activities.calls.length > 0);
        assert.match(await payment.currentDetails(), /Waits for: alpha's answer to attempt 1\./);
        await activities.report(payment.handle, eventFor(payment, declined));
        assert.equal((await confirm.result()).error?.code, 'CARD_DECLINED');
        const details = await payment.currentDetails();
        assert.match(details, /Waits for: the merchant to confirm or cancel, or the expiry\./);
        assert.match(details, /Last error: `CARD_DECLINED`/);
      });
    });
  });

  describe('stuck advisory', () => {
    it('is recorded once after 90 s, and removed when the provider reports the outcome', async () => {
      const activities = new ScriptedActivities({ alpha: { authorize: [pending], inquire: [pending] } });
      await withPayment(activities, async (payment) => {
        const confirm = await payment.confirm();
        await until(() => activities.changes.length > 1);
        await payment.skip(94 * SECOND_MS);
        await until(() => activities.eventTypes.includes('payment_intent.stuck'));
        const recordedAt = (type: EventType): number =>
          Date.parse(
            activities.store.writes.find(({ step }) => step.events?.some((event) => event.type === type))?.at ?? '',
          );
        const stayedMs = recordedAt('payment_intent.stuck') - recordedAt('payment_intent.processing');
        assert.ok(stayedMs >= STUCK_AFTER_MS && stayedMs < STUCK_AFTER_MS + MINUTE_MS, `${stayedMs} ms`);
        assert.equal(activities.last.columns.status, 'processing');
        assert.equal(activities.last.columns.advisory?.code, 'PAYMENT_STUCK');
        await payment.skip(10 * MINUTE_MS);
        await activities.report(payment.handle, eventFor(payment, approved));
        assert.equal((await confirm.result()).status, 'succeeded');
        assert.equal(activities.last.columns.advisory, null);
        assert.equal(activities.eventTypes.filter((type) => type === 'payment_intent.stuck').length, 1);
      });
    });

    it('does not keep inquiries from finding the outcome if the provider never reports it', async () => {
      const activities = new ScriptedActivities({
        alpha: { authorize: [pending], inquire: [pending, pending, approved] },
      });
      await withPayment(activities, async (payment) => {
        assert.equal((await (await payment.confirm()).result()).status, 'succeeded');
        assert.deepEqual(activities.operations('alpha'), ['authorize', 'inquire', 'inquire', 'inquire']);
      });
    });
  });

  describe('customer action', () => {
    it('answers requires_action at once and succeeds when the provider reports the outcome', async () => {
      const activities = new ScriptedActivities({ alpha: { authorize: [redirect], inquire: [redirect] } });
      await withPayment(activities, async (payment) => {
        const result = await (await payment.confirm()).result();
        assert.deepEqual(result, { status: 'requires_action', error: null });
        assert.equal(activities.last.columns.nextAction?.type, 'redirect');
        await activities.report(payment.handle, eventFor(payment, approved));
        assert.equal((await payment.end()).status, 'succeeded');
        assert.equal(activities.last.columns.nextAction, null);
        const lines = activities.last.timeline.map(({ kind, summary }) => `${kind}: ${summary}`);
        assert.ok(lines.includes('provider_event: alpha reported attempt 1: approved'), lines.join());
      });
    });

    it('asks the provider at once when the customer has come back with its result', async () => {
      const activities = new ScriptedActivities({ alpha: { authorize: [redirect], inquire: [approved] } });
      await withPayment(activities, async (payment) => {
        await (await payment.confirm()).result();
        const returned = { kind: 'pending', providerPaymentId: null, isReturned: true } as const;
        await activities.report(payment.handle, eventFor(payment, returned));
        assert.equal((await payment.end()).status, 'succeeded');
        const [authorized, inquired] = activities.calls;
        const passedMs = (inquired?.atMs ?? Infinity) - (authorized?.atMs ?? 0);
        assert.ok(passedMs < FIRST_INQUIRY_AFTER_MS, `${passedMs} ms`);
        assert.deepEqual(activities.statuses.slice(-2), ['processing', 'succeeded']);
      });
    });

    it('expires when the customer does not act, after the provider has closed the payment', async () => {
      const activities = new ScriptedActivities({
        alpha: { authorize: [redirect], inquire: [redirect], close: [outage, notCharged] },
      });
      await withPayment(activities, async (payment) => {
        await (await payment.confirm()).result();
        await payment.skip(30 * MINUTE_MS);
        assert.equal((await payment.end()).status, 'expired');
        assert.ok(activities.operations('alpha').includes('close'));
        assert.equal(activities.last.attempts[0]?.outcome, 'canceled');
      });
    });

    it('succeeds when the charge comes just before the expiry', async () => {
      const activities = new ScriptedActivities({
        alpha: { authorize: [redirect], inquire: [redirect], close: [approved] },
      });
      await withPayment(activities, async (payment) => {
        await (await payment.confirm()).result();
        await payment.skip(30 * MINUTE_MS);
        assert.equal((await payment.end()).status, 'succeeded');
      });
    });

    it('ignores an event of a provider about an attempt at another one', async () => {
      const activities = new ScriptedActivities({ alpha: { authorize: [redirect], inquire: [redirect] } });
      await withPayment(activities, async (payment) => {
        await (await payment.confirm()).result();
        await activities.report(payment.handle, { ...eventFor(payment, approved), provider: 'beta' });
        await activities.report(payment.handle, eventFor(payment, declined));
        await until(() => activities.last.columns.status === 'requires_payment_method');
        assert.equal(activities.last.columns.lastError?.code, 'CARD_DECLINED');
      });
    });

    it('asks the provider although a report about the attempt was there before it was opened', async () => {
      for (const [early, answer, status] of [
        [approved, approved, 'succeeded'],
        [declined, approved, 'succeeded'],
        [pending, redirect, 'requires_action'],
      ] as const) {
        const activities = new ScriptedActivities({ alpha: { authorize: [answer], inquire: [answer] } });
        await withPayment(activities, async (payment) => {
          await activities.report(payment.handle, eventFor(payment, early));
          const { operationId } = await payment.confirm();
          const resultOf = () => activities.store.operation(payment.input.paymentIntentId, operationId)?.result ?? null;
          await until(() => resultOf() !== null);
          assert.deepEqual(resultOf(), { status, error: null });
          assert.deepEqual(activities.statuses, ['processing', status]);
          assert.equal(activities.operations('alpha')[0], 'authorize');
          if (status === 'succeeded') {
            await payment.end();
            return;
          }
          // The run learns of the step a moment after it was recorded.
          await eventually(async () => assert.match(await payment.currentDetails(), /`requires_action`/));
          await payment.handle.terminate();
        });
      }
    });

    it('asks the provider after a report about the attempt if its intention is lost, as by a failover of the database', async () => {
      for (const reported of [approved, declined, fraud]) {
        const activities = new ScriptedActivities({ alpha: { authorize: [approved] } });
        let isLost = false;
        await withPayment(activities, async (payment) => {
          const isWithdrawn = async (): Promise<void> => {
            const { events } = await payment.handle.fetchHistory();
            assert.ok(events?.some((event) => event.activityTaskCancelRequestedEventAttributes));
          };
          activities.store.beforeWrite = async ({ step }) => {
            if (step.to !== 'processing' || isLost) return;
            await activities.report(payment.handle, eventFor(payment, reported));
            await eventually(isWithdrawn);
            isLost = true;
            throw ApplicationFailure.nonRetryable('the connection was lost');
          };
          await payment.confirm();
          await until(() => isLost);
          assert.deepEqual(await payment.end(), { status: 'succeeded', error: null });
          assert.deepEqual(activities.operations('alpha'), ['authorize']);
        });
      }
    });

    it('ignores repeated and late provider events', async () => {
      const activities = new ScriptedActivities({ alpha: { authorize: [redirect], inquire: [redirect] } });
      await withPayment(activities, async (payment) => {
        await (await payment.confirm()).result();
        const event = eventFor(payment, declined);
        await activities.report(payment.handle, event);
        await until(() => activities.last.columns.status === 'requires_payment_method');
        const changes = activities.changes.length;
        await activities.report(payment.handle, event);
        await payment.currentDetails();
        assert.equal(activities.changes.length, changes);
        assert.deepEqual(activities.store.strayCharges, []);
      });
    });

    it('records a stray charge when one is reported for an attempt that ended without a charge, also in a canceled workflow', async () => {
      for (const isCanceled of [false, true]) {
        const activities = new ScriptedActivities({ alpha: { authorize: [declined, hang], close: [hang] } });
        await withPayment(activities, async (payment) => {
          await (await payment.confirm()).result();
          const second = await payment.confirm();
          await until(() => activities.operations('alpha').length === 2);
          if (isCanceled) await payment.handle.cancel();
          await activities.report(payment.handle, eventFor(payment, approved, 1));
          await until(() => activities.store.strayCharges.length === 1);
          await activities.report(payment.handle, eventFor(payment, approved, 2));
          assert.equal((await second.result()).status, 'succeeded');
          assert.equal((await payment.end()).status, 'succeeded');
        });
      }
    });
  });

  describe('requests', () => {
    it('may not come: the payment expires at its time', async () => {
      const activities = new ScriptedActivities({ alpha: { authorize: [approved] } });
      await withPayment(activities, async (payment) => {
        assert.equal((await payment.end()).status, 'expired');
        const { startTime, closeTime } = await payment.handle.describe();
        const waited = (closeTime?.getTime() ?? 0) - startTime.getTime();
        assert.ok(waited >= 29 * MINUTE_MS && waited < 31 * MINUTE_MS, `waited ${waited} ms`);
        assert.deepEqual(activities.eventTypes, ['payment_intent.expired']);
        assert.equal(activities.last.columns.lastError?.code, 'PAYMENT_EXPIRED');
        assert.equal((await payment.searchAttributes()).get(SEARCH_ATTRIBUTES.errorCode), 'PAYMENT_EXPIRED');
      });
    });

    it('refuse a second confirm and an update while a confirm is under way', async () => {
      const activities = new ScriptedActivities({ alpha: { authorize: [pending], inquire: [pending] } });
      await withPayment(activities, async (payment) => {
        await payment.confirm();
        // While an activity runs, the rows may be newer than the workflow's state.
        await assert.rejects(async () => (await payment.confirm()).result(), refusedForNow);
        await assert.rejects(async () => (await payment.update('upd_1')).result(), refusedForNow);
        await activities.report(payment.handle, eventFor(payment, approved));
        await payment.end();
      });
    });

    it('apply updated terms, which the search attributes contain', async () => {
      const activities = new ScriptedActivities({
        alpha: { authorize: [{ ...approved, amountMinor: 500, currency: 'USD' }] },
      });
      activities.store.paymentUpdates.set('upd_1', { amountMinor: 500, currency: 'USD', country: null });
      await withPayment(activities, async (payment) => {
        assert.equal((await (await payment.update('upd_1', 'cus_1')).result()).error, null);
        await (await payment.confirm()).result();
        assert.deepEqual(
          activities.transactions.map(({ amountMinor, currency }) => [amountMinor, currency]),
          [[500, 'USD']],
        );
        const attributes = await payment.searchAttributes();
        assert.equal(attributes.get(SEARCH_ATTRIBUTES.amountMinor), 500);
        assert.equal(attributes.get(SEARCH_ATTRIBUTES.country), undefined);
        assert.deepEqual(attributes.get(SEARCH_ATTRIBUTES.customer), ['cus_1']);
      });
    });

    it('answer an update that was purged with a failure, and the payment can still be confirmed', async () => {
      const activities = new ScriptedActivities({ alpha: { authorize: [approved] } });
      await withPayment(activities, async (payment) => {
        const { error } = await (await payment.update('upd_1')).result();
        assert.equal(error?.code, 'STATE_CONFLICT');
        assert.match(error.message, /not applied in time/);
        assert.equal((await (await payment.confirm()).result()).status, 'succeeded');
      });
    });

    it('set the search attribute of a refusal, until the state changes', async () => {
      const activities = new ScriptedActivities({ alpha: { authorize: [redirect], close: [notCharged] } });
      activities.laterPlan = activities.plan;
      const refusal = { code: 'CHANNEL_LIMIT_MIN_EXCEEDED', message: 'too little' } as const;
      activities.plan = { refusal, routes: [], skippedRoutes: [] };
      await withPayment(activities, async (payment) => {
        assert.equal((await (await payment.confirm()).result()).error?.code, refusal.code);
        assert.deepEqual(activities.eventTypes, ['payment_intent.payment_failed']);
        assert.equal((await payment.searchAttributes()).get(SEARCH_ATTRIBUTES.errorCode), refusal.code);
        assert.equal((await (await payment.confirm()).result()).status, 'requires_action');
        assert.equal((await payment.searchAttributes()).get(SEARCH_ATTRIBUTES.errorCode), undefined);
      });
    });

    it('are accepted up to 200 operations', async () => {
      const activities = new ScriptedActivities({ alpha: { authorize: [approved] } });
      activities.plan = { refusal: { code: 'NO_TSP_AVAILABLE', message: 'none' }, routes: [], skippedRoutes: [] };
      await withPayment(activities, async (payment) => {
        for (let operation = 0; operation < 200; operation += 1) {
          assert.equal((await (await payment.confirm()).result()).error?.code, 'NO_TSP_AVAILABLE');
        }
        const refused = await (await payment.confirm()).result().catch((error: unknown) => error);
        assert.ok(refused instanceof WorkflowUpdateFailedError);
        assert.match(String(refused.cause), /takes 200 operations/);
        // What support staff end is not kept waiting by what merchants have asked for.
        const asked = payment.handle.executeUpdate(askProviderNowUpdate, { args: [{ by: 'Ann' }] });
        assert.match(String(((await asked.catch((error: unknown) => error)) as Error).cause), /waits for no provider/);
      });
    }).timeout(3 * MINUTE_MS);
  });
});

/** Whether a failed update was refused because of a state that the payment may have left. */
function refusedForNow(error: unknown): boolean {
  assert.ok(error instanceof WorkflowUpdateFailedError && error.cause instanceof ApplicationFailure);
  assert.deepEqual([error.cause.type, error.cause.details], ['STATE_CONFLICT', [{ mayBeOutdated: true }]]);
  return true;
}
