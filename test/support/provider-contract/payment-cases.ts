import assert from 'node:assert/strict';
import { it } from 'mocha';
import { agreesWithRequest, type InquiryOutcome } from '../../../domain/provider-outcome.ts';
import { ProviderOutageError } from '../../../providers/provider-errors.ts';
import { approve, authorize, close, hold, inquireUntilFinal, moneyOf, newAttempt, pay } from './attempts.ts';
import { at, countCalls, describeFault, eachCall, FAULTS } from './planned-faults.ts';
import { newSignal } from './requests.ts';
import type { ContractContext } from './subject.ts';

const NOT_CHARGED = { kind: 'not_charged' } as const;
const REFUSED_ONCE_CLOSED =
  'an authorization of a closed attempt must throw: the error of storePaymentId, or a ProviderOutageError';

/** Authorizations, inquiries and closures without faults. */
export function describePayments(context: ContractContext): void {
  const { subject, capabilities, can } = context;
  const { captureMethods } = capabilities;
  const canHold = captureMethods.includes('manual') && capabilities.closing !== 'never';

  it('charges once, however often the same attempt is sent', async () => {
    const attempt = newAttempt(context);
    const first = await authorize(context, attempt);
    assert.deepEqual(await authorize(context, attempt), first);
    await approve(context, attempt);
    assert.equal(await subject().countCharges(attempt.attemptId), 1);
  });

  it('charges once for twelve concurrent requests of one attempt', async () => {
    const attempt = newAttempt(context);
    const settled = await Promise.allSettled(Array.from({ length: 12 }, () => authorize(context, attempt)));
    const outcomes = settled.flatMap((each) => (each.status === 'fulfilled' ? [JSON.stringify(each.value)] : []));
    assert.equal(new Set(outcomes).size, 1);
    // A provider may refuse a request while another with its key is running.
    for (const each of settled) assert.ok(each.status === 'fulfilled' || each.reason instanceof ProviderOutageError);
    await approve(context, attempt);
    assert.equal(await subject().countCharges(attempt.attemptId), 1);
  });

  if (canHold) {
    it('only authorizes under manual capture', async () => {
      const { attemptId } = await hold(context);
      assert.equal(await subject().countCharges(attemptId), 0);
    });
  }

  it('reports the amount and currency that were authorized or captured, also to an inquiry', async () => {
    for (const captureMethod of captureMethods) {
      const attempt = newAttempt(context, 'approved', captureMethod);
      const outcome = await approve(context, attempt);
      const { amountMinor, currency } = outcome;
      assert.deepEqual({ amountMinor, currency }, moneyOf(context));
      assert.ok(agreesWithRequest(outcome, attempt));
      const found = await subject().provider.inquire(attempt, newSignal());
      assert.deepEqual(withoutDeadline(found), withoutDeadline(outcome));
    }
  });

  for (const what of ['amount', 'currency'] as const) {
    if (!can(`other_${what}`)) continue;
    it(`reports another ${what} than requested as the provider has it, never as requested`, async () => {
      for (const captureMethod of captureMethods) {
        const attempt = newAttempt(context, `other_${what}`, captureMethod);
        const outcome = await approve(context, attempt);
        assert.equal(outcome.amountMinor !== attempt.amountMinor, what === 'amount');
        assert.equal(outcome.currency !== attempt.currency, what === 'currency');
        assert.equal(agreesWithRequest(outcome, attempt), false);
        const found = await subject().provider.inquire(attempt, newSignal());
        assert.deepEqual(withoutDeadline(found), withoutDeadline(outcome));
      }
    });
  }

  if (can('declined')) {
    it('returns a decline as a value, also for an inquiry', async () => {
      const attempt = newAttempt(context, 'declined');
      const outcome = await authorize(context, attempt);
      assert.equal(outcome.kind, 'declined');
      const inquired = await subject().provider.inquire(attempt, newSignal());
      assert.deepEqual(withoutAdvice(inquired), withoutAdvice(outcome));
      assert.equal(await subject().countCharges(attempt.attemptId), 0);
    });
  }

  if (can('authentication_demanded')) {
    it("asks for authentication where it has to, after an issuer's demand for it", async () => {
      const first = newAttempt(context, 'authentication_demanded');
      const { provider } = subject();
      const declined = await authorize(context, first);
      assert.ok(declined.kind === 'declined' && declined.advice === 'authenticate', JSON.stringify(declined));
      assert.equal(provider.canAuthenticate?.(first), true);
      assert.equal(provider.canAuthenticate?.({ returnUrl: null, engineReturnUrl: null }), false);
      const asked = { mustAuthenticate: true } as const;
      const second = Object.assign(newAttempt(context, 'authentication_demanded'), asked);
      assert.equal((await authorize(context, second)).kind, 'requires_action');
      assert.equal((await authorize(context, second)).kind, 'requires_action');
      await subject().customerActs(second, 'approve');
      assert.equal((await inquireUntilFinal(context, second)).kind, 'approved');
      assert.deepEqual(
        [await subject().countCharges(first.attemptId), await subject().countCharges(second.attemptId)],
        [0, 1],
      );
    });
  }

  if (can('waiting')) {
    it('finds the outcome after the customer has acted', async () => {
      for (const [decision, kind] of [
        ['approve', 'approved'],
        ['refuse', 'declined'],
      ] as const) {
        const attempt = newAttempt(context, 'waiting');
        const waiting = await authorize(context, attempt);
        assert.ok(waiting.kind === 'pending' || waiting.kind === 'requires_action');
        await subject().customerActs(attempt, decision);
        assert.equal((await inquireUntilFinal(context, attempt)).kind, kind);
        assert.equal(await subject().countCharges(attempt.attemptId), kind === 'approved' ? 1 : 0);
      }
    });

    it('charges once after the customer has acted, whatever call of the first inquiry failed', async () => {
      const first = newAttempt(context, 'waiting');
      await authorize(context, first);
      await subject().customerActs(first, 'approve');
      const calls = await countCalls(context, () => subject().provider.inquire(first, newSignal()));
      for (const [index, fault] of eachCall(calls, FAULTS)) {
        const attempt = newAttempt(context, 'waiting');
        await authorize(context, attempt);
        await subject().customerActs(attempt, 'approve');
        subject().faults.plan(at(index, fault));
        await subject()
          .provider.inquire(attempt, newSignal())
          .catch(() => undefined);
        subject().faults.plan([]);
        const description = describeFault(index, fault);
        assert.equal((await inquireUntilFinal(context, attempt)).kind, 'approved', description);
        assert.equal(await subject().countCharges(attempt.attemptId), 1, description);
      }
    });

    it('cancels an open payment by a closure', async () => {
      const attempt = newAttempt(context, 'waiting');
      await authorize(context, attempt);
      assert.deepEqual(await close(context, attempt), NOT_CHARGED);
      assert.equal(await subject().countCharges(attempt.attemptId), 0);
      assert.deepEqual(await subject().provider.inquire(attempt, newSignal()), NOT_CHARGED);
    });
  }

  if (capabilities.closing === 'at_once') {
    it('closes an unknown attempt by a closure, so that a later request cannot charge', async () => {
      const attempt = newAttempt(context);
      assert.deepEqual(await close(context, attempt), NOT_CHARGED);
      attempt.end();
      await assert.rejects(authorize(context, attempt), Error, REFUSED_ONCE_CLOSED);
      assert.equal(await subject().countCharges(attempt.attemptId), 0);
    });
  }

  if (capabilities.inquiry === 'exact' && capabilities.closing === 'at_once') {
    it('closes an unknown attempt by an inquiry, so that a later request cannot charge', async () => {
      const attempt = newAttempt(context);
      assert.deepEqual(await subject().provider.inquire(attempt, newSignal()), NOT_CHARGED);
      attempt.end();
      await assert.rejects(authorize(context, attempt), Error, REFUSED_ONCE_CLOSED);
      assert.deepEqual(await subject().provider.inquire(attempt, newSignal()), NOT_CHARGED);
      assert.equal(await subject().countCharges(attempt.attemptId), 0);
    });
  }

  if (canHold) {
    it('voids a hold, and reports that again for a further closure or inquiry', async () => {
      const { providerPaymentId, ...attempt } = await hold(context);
      const request = { ...attempt, providerPaymentId };
      const voided = { ...NOT_CHARGED, voided: { providerPaymentId, ...moneyOf(context) } };
      assert.deepEqual(await close(context, request), voided);
      assert.deepEqual(await close(context, request), voided);
      assert.equal(await subject().countCharges(attempt.attemptId), 0);
      if (capabilities.inquiry === 'repeat') return;
      assert.deepEqual(await subject().provider.inquire(request, newSignal()), voided);
    });
  }

  it('keeps captured money at a closure', async () => {
    const paid = await pay(context);
    const outcome = await close(context, paid);
    assert.ok(outcome.kind === 'approved' && outcome.captured);
    assert.deepEqual({ amountMinor: outcome.amountMinor, currency: outcome.currency }, moneyOf(context));
    assert.equal(await subject().countCharges(paid.attemptId), 1);
    assert.equal(await subject().keptMinor(paid.attemptId), paid.amountMinor);
  });

  it('throws an outage if nobody answers', async () => {
    const { unreachable } = subject();
    // A provider that need not be called for an authorization or an inquiry has no outage of it.
    const toAuthorize = await countCalls(context, () => authorize(context, newAttempt(context)));
    const toInquire = await countCalls(context, () => subject().provider.inquire(newAttempt(context), newSignal()));
    const attempt = newAttempt(context);
    const unavailable = { code: 'TSP_UNAVAILABLE' };
    if (toAuthorize > 0) await assert.rejects(unreachable.authorize(attempt, newSignal()), unavailable);
    if (toInquire > 0) await assert.rejects(unreachable.inquire(attempt, newSignal()), unavailable);
    if (capabilities.closing !== 'never') await assert.rejects(unreachable.close(attempt, newSignal()), unavailable);
  });

  it("stops with the reason of the caller's signal", async () => {
    const reason = new Error('given up');
    await assert.rejects(subject().provider.authorize(newAttempt(context), AbortSignal.abort(reason)), reason);
    await assert.rejects(subject().provider.inquire(newAttempt(context), AbortSignal.abort(reason)), reason);
  });
}

/** A reply and a report of the same hold may count its validity from different moments. */
function withoutDeadline(outcome: InquiryOutcome): object {
  return { ...outcome, captureBefore: null };
}

/** An inquiry may know a decline from a webhook alone, and nobody signs the reason there: it then has no advice. */
function withoutAdvice(outcome: object): object {
  return { ...outcome, advice: undefined, isIssuerDecline: undefined };
}
