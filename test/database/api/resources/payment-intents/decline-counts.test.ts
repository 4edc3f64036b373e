import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, it } from 'mocha';
import { UNLIMITED_ADMISSION } from '../../../../../api/admission.ts';
import { executionWithoutKey } from '../../../../../api/idempotency/idempotency.ts';
import type { DeclineLimits } from '../../../../../api/checkout-limits/decline-limits.ts';
import { confirmPaymentIntent } from '../../../../../api/resources/payment-intents/actions.ts';
import { createPaymentIntent } from '../../../../../api/resources/payment-intents/create.ts';
import { createOpenConfirms } from '../../../../../api/resources/payment-intents/open-confirms.ts';
import type { PaymentIntentDependencies } from '../../../../../api/resources/payment-intents/stored-intent.ts';
import {
  confirmPaymentIntentBody,
  createPaymentIntentBody,
} from '../../../../../contract/schemas/payment-intent-requests.ts';
import type { ErrorCode } from '../../../../../domain/error-catalogue.ts';
import { newId } from '../../../../../domain/new-id.ts';
import type { PaymentStatus } from '../../../../../domain/payment-state.ts';
import type { DirectStatements } from '../../../../../prisma/connection/direct-statements.ts';
import type { CardSealer } from '../../../../../vault/card-keys.ts';
import { parseCardPublicKey, publicKeyOf } from '../../../../../vault/card-keys.ts';
import { createKeyring } from '../../../../../vault/keyring.ts';
import { TemporalUnavailableError } from '../../../../../workflow-client/temporal-errors.ts';
import type { PaymentWorkflows, UpdateAnswer } from '../../../../../workflow-client/payment-workflows.ts';
import { useAccount } from '../../../../support/account-fixture.ts';
import { until } from '../../../../support/outcomes.ts';
import { principalWith } from '../../../../support/principal.ts';

const CARD = { number: '4242424242424242', expiryMonth: 12, expiryYear: 2039, cvc: '123' };
/** How often open confirms are read here. */
const READ_EVERY_MS = 10;
const PAYMENT_METHOD = { type: 'card', card: CARD };

describe('the count of a confirm', () => {
  const test = useAccount();
  const key = { id: 'k', bytes: randomBytes(32) };
  /** Temporal is away. */
  const WORKFLOWS = { start: () => Promise.reject(new TemporalUnavailableError(new Error('away'))) };
  const CARDS = parseCardPublicKey(publicKeyOf(key));

  /** Dependencies that count into `counts`. */
  const dependenciesWith = (
    counts: { value: number },
    cards: CardSealer = CARDS,
    workflows: Partial<PaymentWorkflows> = WORKFLOWS,
  ): PaymentIntentDependencies => ({
    database: test.database,
    keyring: createKeyring([key]),
    cards,
    workflows: workflows as PaymentWorkflows,
    upiRequestLimits: { count: () => Promise.resolve() },
    declineLimits: {
      count: () => {
        counts.value += 1;
        const undo = () => Promise.resolve(void (counts.value -= 1));
        return Promise.resolve({ undo, undoDecline: undo, declineLater: undo });
      },
    },
    openConfirms: createOpenConfirms(test.database, READ_EVERY_MS),
    admission: UNLIMITED_ADMISSION,
    confirmWaitMs: 1_000,
    failoverWithinMs: 120_000,
  });
  const callWith = <Body>(id: string, body: Body) => ({
    principal: principalWith({ merchantAccountId: test.account }),
    id,
    pathParameters: {},
    body,
    query: undefined,
    respondAsync: false,
  });

  it('is taken back where the workflow cannot be started, so that repeats during an outage block no card', async () => {
    const counts = { value: 0 };
    const dependencies = dependenciesWith(counts);
    const body = createPaymentIntentBody.parse({
      amount: 1_000,
      currency: 'USD',
      confirm: true,
      paymentMethod: PAYMENT_METHOD,
    });
    const execution = executionWithoutKey(newId('paymentIntent'));
    for (let repeat = 0; repeat < 2; repeat += 1) {
      await assert.rejects(createPaymentIntent(dependencies, callWith('', body), execution), TemporalUnavailableError);
    }
    assert.equal(counts.value, 0);
  });

  it('is taken back where the card cannot be stored', async () => {
    const counts = { value: 0 };
    const cards: CardSealer = {
      seal: () => {
        throw new Error('no key');
      },
    };
    const body = confirmPaymentIntentBody.parse({ paymentMethod: PAYMENT_METHOD });
    const call = callWith(await test.insertIntent(), body);
    const execution = executionWithoutKey(newId('paymentMethod'));
    await assert.rejects(confirmPaymentIntent(dependenciesWith(counts, cards), call, execution), /no key/);
    assert.equal(counts.value, 0);
  });

  for (const [lastCode, expected] of [
    ['CARD_DECLINED', 1],
    ['PROVIDER_UNAVAILABLE', 0],
  ] as const) {
    it(`is ${expected} after the last attempt of a payment, by a page, that ended in ${lastCode}`, async () => {
      const counts = { value: 0 };
      const error = { code: 'PAYMENT_RETRIES_EXHAUSTED', message: '', details: { lastCode } } as const;
      const confirm = () => Promise.resolve({ kind: 'done', result: { status: 'canceled', error } } as const);
      const id = await test.insertIntent();
      const { principal, ...call } = callWith(id, confirmPaymentIntentBody.parse({ paymentMethod: PAYMENT_METHOD }));
      const page = { ...principal, onlyPaymentIntentId: id };
      await assert.rejects(
        confirmPaymentIntent(
          dependenciesWith(counts, CARDS, { confirm }),
          { ...call, principal: page },
          executionWithoutKey(newId('paymentMethod')),
        ),
        { code: error.code },
      );
      assert.equal(counts.value, expected);
    });
  }

  describe('of a confirm whose customer has to act', () => {
    const ACTING = { status: 'requires_action', error: null } as const;
    const NOT_DECLINED = { declines: 0, confirms: 1 };
    const DECLINED = { declines: 1, confirms: 1 };
    const failed = (status: PaymentStatus, code: ErrorCode): Result => ({ status, error: { code, message: '' } });

    interface Result {
      readonly status: PaymentStatus;
      readonly error: { readonly code: ErrorCode; readonly message: string } | null;
    }

    /** The counts after the workflow's answers to the request and its repeats, then after the operation has the result. */
    async function countsUntil(result: Result, answers: readonly UpdateAnswer[] = [{ kind: 'done', result: ACTING }]) {
      const counts = { declines: 0, confirms: 0 };
      const declineLimits: DeclineLimits = {
        count: async () => {
          counts.declines += 1;
          counts.confirms += 1;
          return {
            undoDecline: async () => void (counts.declines -= 1),
            declineLater: async () => void (counts.declines += 1),
            undo: async () => {
              counts.declines -= 1;
              counts.confirms -= 1;
            },
          };
        },
      };
      let found: unknown = [];
      const rows: DirectStatements['rows'] = async (statement) => {
        const read = await test.database.direct.rows(statement);
        found = read;
        return read;
      };
      /** Waits until the open confirm was read with that result. */
      const readWith = ({ status, error }: Result): Promise<void> =>
        until(() => JSON.stringify(found).includes(error?.code ?? status));
      const openConfirms = createOpenConfirms({ direct: { ...test.database.direct, rows } }, READ_EVERY_MS);
      const left = [...answers];
      const confirm = async (): Promise<UpdateAnswer> => left.shift() ?? { kind: 'pending' };
      const dependencies = { ...dependenciesWith({ value: 0 }, CARDS, { confirm }), declineLimits, openConfirms };
      const paymentIntentId = await test.insertIntent();
      const execution = executionWithoutKey(newId('paymentMethod'));
      const id = execution.operationId;
      await test.database.paymentOperation.create({ data: { id, paymentIntentId, kind: 'confirm', result: ACTING } });
      const body = confirmPaymentIntentBody.parse({ paymentMethod: PAYMENT_METHOD });
      for (const { kind } of answers) {
        const answered = confirmPaymentIntent(dependencies, callWith(paymentIntentId, body), execution);
        await (kind === 'done' ? answered : assert.rejects(answered, { code: 'SERVICE_UNAVAILABLE' }));
      }
      await readWith(ACTING);
      const meanwhile = { ...counts };
      await test.database.paymentOperation.update({ where: { id }, data: { result: { ...result } } });
      await readWith(result);
      return [meanwhile, counts];
    }

    it('is that of no decline, until it is declined, or the customer has done nothing until it ends', async () => {
      for (const result of [
        failed('requires_payment_method', 'CARD_DECLINED'),
        failed('expired', 'PAYMENT_EXPIRED'),
        failed('canceled', 'STATE_CONFLICT'),
      ]) {
        assert.deepEqual(await countsUntil(result), [NOT_DECLINED, DECLINED]);
      }
    });

    it('stays that of no decline if it is approved, and after an outage of the provider', async () => {
      for (const result of [
        { status: 'succeeded', error: null },
        { status: 'requires_capture', error: null },
        failed('requires_payment_method', 'TSP_UNAVAILABLE'),
      ] as const) {
        assert.deepEqual(await countsUntil(result), [NOT_DECLINED, NOT_DECLINED]);
      }
    });

    it('is one, even if the request is repeated, and if its outcome was not known in time', async () => {
      const acting = { kind: 'done', result: ACTING } as const;
      for (const answers of [[acting, acting], [{ kind: 'pending' }], [{ kind: 'pending' }, acting]] as const) {
        const counts = await countsUntil(failed('expired', 'PAYMENT_EXPIRED'), answers);
        assert.deepEqual(counts, [NOT_DECLINED, DECLINED]);
      }
    });
  });
});
