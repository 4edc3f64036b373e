import assert from 'node:assert/strict';
import { before, describe, it } from 'mocha';
import type { FutureUsage, SavedMethodUse } from '../../../domain/saved-payment-method.ts';
import type {
  CredentialReference,
  MethodToCharge,
  PaymentProvider,
  StoredCredential,
} from '../../../providers/payment-provider.ts';
import { ProviderOutageError } from '../../../providers/provider-errors.ts';
import { approve, authorize, type ContractAttempt, inquireUntilFinal, newAttempt, waitUntil } from './attempts.ts';
import { describePaymentFaults } from './fault-cases.ts';
import { at, countCalls, describeFault, eachCall, FAULTS } from './planned-faults.ts';
import { cardOf, newSignal, newUnique } from './requests.ts';
import type { ContractContext, StoredCredentialControls } from './subject.ts';

const USES = ['on_session', 'recurring', 'unscheduled'] as const satisfies readonly SavedMethodUse[];

const RETURN_URL = 'https://shop.example/return';

/** A card that a provider has kept for a customer. */
interface KeptCard {
  readonly customerId: string;
  readonly reference: CredentialReference;
  readonly credential: StoredCredential & { readonly token: string };
}

/** Cards that a provider keeps for customers, and charges again by its token. */
export function describeStoredCredentials(context: ContractContext): void {
  const { subject, capabilities, currency } = context;
  const offer = capabilities.storedCredentials;
  if (offer?.tokens !== true || !context.can('stored credentials')) return;

  const controls = (): StoredCredentialControls =>
    subject().storedCredentials ?? assert.fail('a provider that issues tokens shows those of its sandbox');

  /** An attempt that saves its card. */
  const saving = (customerId: string, usage: FutureUsage = 'off_session', number?: string): ContractAttempt => {
    const card = cardOf(number ?? controls().cardNumber ?? '4242424242424242');
    assert.ok(card.type === 'card');
    const method = { ...card, saving: { customerId, usage } };
    return newAttempt({ ...context, returnUrl: RETURN_URL, newMethod: () => method });
  };

  const referenceOf = (attempt: ContractAttempt, customerId: string): CredentialReference => {
    const { method, attemptId, environment, providerPaymentId, startedAt } = attempt;
    assert.ok(method.type === 'card');
    const { number, expiryMonth, expiryYear } = method;
    const card = { type: 'card', brand: 'visa', last4: number.slice(-4), expiryMonth, expiryYear } as const;
    return { attemptId, environment, providerPaymentId, startedAt, customerId, card };
  };

  const read = (
    reference: CredentialReference,
    provider: PaymentProvider = subject().provider,
  ): Promise<StoredCredential | null> =>
    provider.readCredential?.(reference, newSignal()) ?? assert.fail('it reads what it has issued');

  /** Asks until the provider has issued its token. */
  const readUntilIssued = async (reference: CredentialReference): Promise<StoredCredential & { token: string }> => {
    let token = '';
    const isIssued = async (): Promise<boolean> => {
      token = (await read(reference))?.token ?? '';
      return token !== '';
    };
    await waitUntil(context, isIssued, 'a token');
    const issued = (await read(reference)) ?? assert.fail('a token was issued');
    return { ...issued, token };
  };

  const keep = async (usage: FutureUsage = 'off_session', number?: string): Promise<KeptCard> => {
    const customerId = `cus_${newUnique()}`;
    const attempt = saving(customerId, usage, number);
    await approve(context, attempt);
    const reference = referenceOf(attempt, customerId);
    return { customerId, reference, credential: await readUntilIssued(reference) };
  };

  const byToken = (
    { customerId, credential: { token, providerCustomerId, networkTransaction } }: KeptCard,
    use: SavedMethodUse,
    cvc: string | null = null,
  ): MethodToCharge => ({
    type: 'saved_card_token',
    token,
    providerCustomerId,
    cvc,
    saved: { customerId, usage: 'off_session', use, networkTransaction },
  });

  const charging = (kept: KeptCard, use: SavedMethodUse, cvc: string | null = null): ContractAttempt =>
    newAttempt({ ...context, returnUrl: RETURN_URL, newMethod: () => byToken(kept, use, cvc) });

  const remove = ({ customerId, credential: { token, providerCustomerId } }: KeptCard): Promise<void> =>
    subject().provider.removeCredential?.(
      { environment: 'sandbox', customerId, token, providerCustomerId },
      newSignal(),
    ) ?? assert.fail('it forgets what it has issued');

  describe('keeps cards for customers', () => {
    let kept: KeptCard;
    before(async () => {
      kept = await keep();
    });

    it('issues a token for a payment that was approved, and says the same each time', async () => {
      const { credential, reference, customerId } = await keep('on_session');
      assert.deepEqual(await read(reference), credential);
      assert.deepEqual(await controls().tokensOf(customerId), [credential.token]);
    });

    if (context.can('declined'))
      it('issues none for a payment that was declined', async () => {
        const customerId = `cus_${newUnique()}`;
        const declined = newAttempt(context, 'declined');
        const { method } = declined;
        assert.ok(method.type === 'card');
        const asked = { ...declined, method: { ...method, saving: { customerId, usage: 'off_session' as const } } };
        assert.equal((await inquiredEnd(asked)).kind, 'declined');
        assert.deepEqual(await controls().tokensOf(customerId), []);
      });

    const inquiredEnd = async (attempt: ContractAttempt) => {
      const outcome = await authorize(context, attempt);
      return outcome.kind === 'declined' ? outcome : inquireUntilFinal(context, attempt);
    };

    it('issues one token whatever call of the first payment failed', async () => {
      const calls = await countCalls(context, () => authorize(context, saving(`cus_${newUnique()}`)));
      for (const [index, fault] of eachCall(calls, FAULTS)) {
        const customerId = `cus_${newUnique()}`;
        const attempt = saving(customerId);
        subject().faults.plan(at(index, fault));
        await authorize(context, attempt).catch(() => undefined);
        subject().faults.plan([]);
        const description = describeFault(index, fault);
        await approve(context, attempt);
        const { token } = await readUntilIssued(referenceOf(attempt, customerId));
        assert.deepEqual(await controls().tokensOf(customerId), [token], description);
        assert.equal(await subject().countCharges(attempt.attemptId), 1, description);
      }
    });

    it('keeps one customer for two first payments at the same time', async () => {
      const customerId = `cus_${newUnique()}`;
      const attempts = [saving(customerId), saving(customerId)];
      await Promise.all(
        // A provider may refuse one of two that come at the same moment.
        attempts.map((attempt) => authorize(context, attempt).catch(() => undefined)),
      );
      for (const attempt of attempts) await approve(context, attempt);
      const issued = [];
      for (const attempt of attempts) issued.push(await readUntilIssued(referenceOf(attempt, customerId)));
      assert.equal(new Set(issued.map(({ providerCustomerId }) => providerCustomerId)).size, 1);
    });

    it('answers a question about a token alike after one that failed', async () => {
      const calls = await countCalls(context, () => read(kept.reference));
      for (const [index, fault] of eachCall(calls, FAULTS)) {
        subject().faults.plan(at(index, fault));
        const answer = await read(kept.reference).catch((error: unknown) => error);
        const isKnown =
          answer instanceof ProviderOutageError || JSON.stringify(answer) === JSON.stringify(kept.credential);
        assert.ok(isKnown, `${describeFault(index, fault)}: ${String(answer)}`);
        assert.deepEqual(await read(kept.reference), kept.credential);
      }
    });

    for (const use of USES) {
      if (use !== 'on_session' && !offer.offSession) continue;
      it(`charges once by its token (${use}), however often the same attempt is sent`, async () => {
        const attempt = charging(kept, use);
        const first = await authorize(context, attempt);
        if (use !== 'on_session') assert.equal(first.kind, 'approved', 'nobody is there to do anything');
        assert.deepEqual(await authorize(context, attempt), first);
        const { amountMinor, currency: paidIn } = await approve(context, attempt);
        assert.deepEqual([amountMinor, paidIn], [attempt.amountMinor, currency]);
        assert.equal(await subject().countCharges(attempt.attemptId), 1);
        const marks = await controls().marksOf(attempt.attemptId);
        assert.deepEqual(marks, { use, token: kept.credential.token });
      });
    }

    it('takes the security code that the customer has entered', async () => {
      const attempt = charging(kept, 'on_session', '123');
      await approve(context, attempt);
      assert.equal(await subject().countCharges(attempt.attemptId), 1);
    });

    it('names no token in what it answers to an authorization, nor in what it reports', async () => {
      const { token, networkTransaction } = kept.credential;
      const attempt = charging(kept, 'on_session');
      const outcomes = [await authorize(context, attempt), await inquireUntilFinal(context, attempt)];
      const reported = (subject().webhooks?.sent() ?? []).map(({ body, headers }) =>
        subject().provider.parseWebhook(body, headers),
      );
      const shown = JSON.stringify([outcomes, reported]);
      for (const secret of [token, networkTransaction?.id]) {
        assert.ok(secret === undefined || !shown.includes(secret), `it shows ${secret}`);
      }
    });

    it('declines a token that it has not issued, or not for the customer, and charges nothing', async () => {
      const stranger = await keep();
      const { providerCustomerId } = stranger.credential;
      const never = { ...kept, credential: { ...kept.credential, token: `${kept.credential.token.slice(0, -4)}zzzz` } };
      const ofStranger = {
        ...kept,
        customerId: stranger.customerId,
        credential: { ...kept.credential, providerCustomerId },
      };
      for (const asked of [never, ...(providerCustomerId === null ? [] : [ofStranger])]) {
        const attempt = charging(asked, 'on_session');
        const outcome = await authorize(context, attempt);
        assert.equal(outcome.kind, 'declined', JSON.stringify(outcome));
        assert.ok(!JSON.stringify(outcome).includes(asked.credential.token));
        assert.equal(await subject().countCharges(attempt.attemptId), 0);
      }
    });

    if (offer.offSession) {
      it('declines, and asks nobody, where the bank wants the customer of a charge without one', async () => {
        const { numberThatAsks } = controls();
        const asking = await keep('off_session', numberThatAsks);
        const attempt = charging(asking, 'recurring');
        const outcome = await authorize(context, attempt);
        assert.ok(outcome.kind === 'declined', `expected a decline, not ${JSON.stringify(outcome)}`);
        assert.deepEqual([outcome.code, outcome.advice], ['CARD_DECLINED', 'authenticate']);
        assert.equal(await subject().countCharges(attempt.attemptId), 0);
        // The customer comes, and pays with the same card.
        await approve(context, charging(asking, 'on_session'));
      });

      describe('and charges them without the customer', () => {
        describePaymentFaults({ ...context, newMethod: () => byToken(kept, 'recurring') });
      });
    }

    it('forgets a token, however often that is asked and whatever call failed', async () => {
      const first = await keep();
      const calls = await countCalls(context, () => remove(first));
      for (const [index, fault] of eachCall(calls, FAULTS)) {
        const removed = await keep();
        const description = describeFault(index, fault);
        subject().faults.plan(at(index, fault));
        const answer = await remove(removed).catch((error: unknown) => error);
        assert.ok(answer === undefined || answer instanceof ProviderOutageError, `${description}: ${String(answer)}`);
        subject().faults.plan([]);
        await remove(removed);
        await remove(removed);
        assert.deepEqual(await controls().tokensOf(removed.customerId), [], description);
      }
      const attempt = charging(first, 'on_session');
      assert.equal((await authorize(context, attempt)).kind, 'declined');
      assert.equal(await subject().countCharges(attempt.attemptId), 0);
    });

    it('forgets a token that it has never issued', async () => {
      await remove({ ...kept, credential: { ...kept.credential, token: `${kept.credential.token.slice(0, -4)}zzzz` } });
      assert.deepEqual(await controls().tokensOf(kept.customerId), [kept.credential.token]);
    });
  });
}
