import assert from 'node:assert/strict';
import { it } from 'mocha';
import type { AuthorizationOutcome } from '../../../domain/provider-outcome.ts';
import { ProviderOutageError } from '../../../providers/provider-errors.ts';
import {
  approve,
  authorize,
  capture,
  close,
  type ContractAttempt,
  hold,
  inquireUntilFinal,
  newAttempt,
  pay,
  refundOf,
  waitUntil,
} from './attempts.ts';
import { at, countCalls, describeFault, eachCall, FAULTS } from './planned-faults.ts';
import { AMOUNT_MINOR, newSignal } from './requests.ts';
import type { ContractContext, Fault } from './subject.ts';

const PART_MINOR = 10_00;

const CARD_NUMBER = '4242424242424242';
const UNKNOWN_SHAPE: Fault = {
  status: 422,
  work: 'not_done',
  body: JSON.stringify({ fault: { kind: 'E-7731', text: `The card ${CARD_NUMBER} was turned down by the host.` } }),
};

/** Calls that fail: whatever the provider has done, money moves once at most, and inquiries and repeats find out. */
export function describeFaults(context: ContractContext): void {
  describePaymentFaults(context);
  describeCaptureAndClosureFaults(context);
  if (context.can('refunds')) describeRefundFaults(context);
}

/** Authorizations that fail. */
export function describePaymentFaults(context: ContractContext): void {
  const { subject, capabilities } = context;
  const { captureMethods } = capabilities;

  /** Makes inquiries until the outcome is known. Money must have moved as it says, also after a late repeat. */
  const requireResolved = async (attempt: ContractAttempt, description: string): Promise<void> => {
    // What ended early, because an earlier call took too long, has left its fault to the calls of the inquiry.
    subject().faults.plan([]);
    const found = await inquireUntilFinal(context, attempt);
    assert.ok(found.kind === 'approved' || found.kind === 'not_charged', `${description}: ${found.kind}`);
    const charges = found.kind === 'approved' && found.captured ? 1 : 0;
    assert.equal(await subject().countCharges(attempt.attemptId), charges, description);
    if (found.kind === 'not_charged') attempt.end();
    await authorize(context, attempt).catch(() => undefined);
    assert.equal(await subject().countCharges(attempt.attemptId), charges, `${description}, then repeated`);
  };

  it('resolves by an inquiry whatever call of an authorization failed, and charges once at most', async () => {
    for (const captureMethod of captureMethods) {
      const calls = await countCalls(context, () => authorize(context, newAttempt(context, 'approved', captureMethod)));
      for (const [index, fault] of eachCall(calls, FAULTS)) {
        const description = describeFault(index, fault);
        const attempt = newAttempt(context, 'approved', captureMethod);
        subject().faults.plan(at(index, fault));
        await requireOutageOr(['approved', 'requires_action', 'pending'], authorize(context, attempt), description);
        await requireResolved(attempt, description);
      }
    }
  });

  it('approves a repeat whatever call of the first request failed, and charges once', async () => {
    const calls = await countCalls(context, () => authorize(context, newAttempt(context)));
    for (const [index, fault] of eachCall(calls, FAULTS)) {
      const attempt = newAttempt(context);
      subject().faults.plan(at(index, fault));
      await authorize(context, attempt).catch(() => undefined);
      await approve(context, attempt);
      assert.equal(await subject().countCharges(attempt.attemptId), 1, describeFault(index, fault));
    }
  });

  it('finds the charge after the time for a reply was up', async () => {
    const calls = await countCalls(context, () => authorize(context, newAttempt(context)));
    for (const [index] of eachCall(calls, ['hold_reply'])) {
      const attempt = newAttempt(context);
      subject().faults.plan(at(index, 'hold_reply'));
      await assert.rejects(authorize(context, attempt, subject().impatient), { code: 'TSP_TIMEOUT' });
      await requireResolved(attempt, `timeout of call ${index + 1}`);
    }
  });

  it('charges once at most when the caller is killed between any two calls', async () => {
    const calls = await countCalls(context, () => authorize(context, newAttempt(context)));
    for (const [index, fault] of eachCall(calls, ['hold_reply', 'hold_request'])) {
      const attempt = newAttempt(context);
      const killer = new AbortController();
      subject().faults.plan(at(index, fault));
      const killed = assert.rejects(subject().provider.authorize(attempt, killer.signal), { message: 'killed' });
      await subject().faults.waitForCalls(index + 1);
      killer.abort(new Error('killed'));
      await killed;
      // Where nothing can close an attempt, its late request is a stray charge.
      if (fault === 'hold_request' && capabilities.closing === 'never') await subject().faults.release();
      await requireResolved(attempt, describeFault(index, fault));
      await subject().faults.release();
      const found = await inquireUntilFinal(context, attempt);
      const charges = found.kind === 'approved' ? 1 : 0;
      assert.equal(await subject().countCharges(attempt.attemptId), charges, `late: ${describeFault(index, fault)}`);
    }
  });

  if (capabilities.closing === 'at_once') {
    it('charges nothing with a request that arrives after the closure', async () => {
      const calls = await countCalls(context, () => authorize(context, newAttempt(context)));
      for (const [index] of eachCall(calls, ['hold_request'])) {
        const attempt = newAttempt(context);
        const killer = new AbortController();
        subject().faults.plan(at(index, 'hold_request'));
        const killed = assert.rejects(subject().provider.authorize(attempt, killer.signal));
        await subject().faults.waitForCalls(index + 1);
        killer.abort(new Error('killed'));
        await killed;
        assert.equal((await close(context, attempt)).kind, 'not_charged');
        await subject().faults.release();
        assert.equal(await subject().countCharges(attempt.attemptId), 0, `call ${index + 1}`);
        assert.equal((await close(context, attempt)).kind, 'not_charged');
      }
    });
  }

  it('charges nothing where the id of the payment cannot be stored because the attempt has ended', async () => {
    const attempt = newAttempt(context);
    const refusal = new Error('the attempt has ended');
    let isStored = false;
    const storePaymentId = (): Promise<void> => {
      isStored = true;
      return Promise.reject(refusal);
    };
    const sent = subject().provider.authorize({ ...attempt, storePaymentId }, newSignal());
    await sent.catch(() => undefined);
    if (!isStored) {
      assert.equal(
        capabilities.references,
        'ours',
        'an id of the provider must be stored before the payment can charge',
      );
      return;
    }
    await assert.rejects(sent, refusal);
    assert.equal(await subject().countCharges(attempt.attemptId), 0);
  });

  if (context.can('unrecognised')) {
    it('reports a 4xx of a shape that nobody knows as unrecognised, without card data', async () => {
      const calls = await countCalls(context, () => authorize(context, newAttempt(context)));
      if (calls === 0) return;
      const attempt = newAttempt(context);
      subject().faults.plan([UNKNOWN_SHAPE]);
      const outcome = await subject().provider.authorize(attempt, newSignal());
      assert.ok(outcome.kind === 'unrecognised', `expected unrecognised; got ${outcome.kind}`);
      const shown = JSON.stringify(outcome.providerResponse);
      assert.ok(shown.includes('E-7731'), `the answer is not in providerResponse: ${shown}`);
      assert.ok(!shown.includes(CARD_NUMBER), 'providerResponse has the card number');
      assert.equal(await subject().countCharges(attempt.attemptId), 0);
    });
  }

  it('answers an inquiry alike after one that failed', async () => {
    const paid = await pay(context);
    const expected = await subject().provider.inquire(paid, newSignal());
    const calls = await countCalls(context, () => subject().provider.inquire(paid, newSignal()));
    for (const [index, fault] of eachCall(calls, FAULTS)) {
      subject().faults.plan(at(index, fault));
      await requireOutageOr(['approved'], subject().provider.inquire(paid, newSignal()), describeFault(index, fault));
      assert.deepEqual(await subject().provider.inquire(paid, newSignal()), expected);
    }
    assert.equal(await subject().countCharges(paid.attemptId), 1);
  });

  it('says that a provider which refuses for its load is unavailable', async () => {
    const calls = await countCalls(context, () => authorize(context, newAttempt(context)));
    if (calls === 0) return;
    for (const status of [429, 503]) {
      subject().faults.plan([{ status, work: 'not_done' }]);
      const sent = authorize(context, newAttempt(context));
      await assert.rejects(sent, { code: 'TSP_UNAVAILABLE' }, `expected TSP_UNAVAILABLE after status ${status}`);
    }
  });
}

function describeCaptureAndClosureFaults(context: ContractContext): void {
  const { subject, capabilities } = context;
  if (!capabilities.captureMethods.includes('manual')) return;

  it('captures once whatever call of a capture failed, by a repeat', async () => {
    const amountMinor = capabilities.partialCapture ? PART_MINOR : AMOUNT_MINOR;
    const first = await hold(context);
    const calls = await countCalls(context, () => subject().provider.capture({ ...first, amountMinor }, newSignal()));
    for (const [index, fault] of eachCall(calls, FAULTS)) {
      const description = describeFault(index, fault);
      const held = await hold(context);
      subject().faults.plan(at(index, fault));
      const sent = subject().provider.capture({ ...held, amountMinor }, newSignal());
      await requireOutageOr(['captured', 'pending'], sent, description);
      const outcome = await capture(context, held, amountMinor);
      const got = `${description}, then ${JSON.stringify(outcome)}`;
      assert.equal(outcome.kind === 'captured' ? outcome.capturedMinor : null, amountMinor, got);
      assert.equal(await subject().countCharges(held.attemptId), 1, description);
      assert.equal(await subject().keptMinor(held.attemptId), amountMinor, description);
    }
  });

  if (capabilities.closing === 'never') return;

  it('voids a hold whatever call of a closure failed, by a repeat', async () => {
    const first = await hold(context);
    const calls = await countCalls(context, () => subject().provider.close(first, newSignal()));
    for (const [index, fault] of eachCall(calls, FAULTS)) {
      const description = describeFault(index, fault);
      const held = await hold(context);
      subject().faults.plan(at(index, fault));
      await requireOutageOr(['not_charged', 'pending'], subject().provider.close(held, newSignal()), description);
      const outcome = await close(context, held);
      const got = `${description}, then ${JSON.stringify(outcome)}`;
      assert.ok(outcome.kind === 'not_charged' && outcome.voided !== undefined, got);
      assert.equal(await subject().keptMinor(held.attemptId), 0, description);
    }
  });
}

function describeRefundFaults(context: ContractContext): void {
  const { subject } = context;

  it('refunds once whatever call of a refund failed, by a repeat or an inquiry', async () => {
    const paid = await pay(context);
    const calls = await countCalls(context, () =>
      subject().provider.refund(refundOf(context, paid, PART_MINOR), newSignal()),
    );
    for (const [index, fault] of eachCall(calls, FAULTS)) {
      for (const next of ['refund', 'inquireRefund'] as const) {
        const description = `${next} after ${describeFault(index, fault)}`;
        const paid = await pay(context);
        const refund = refundOf(context, paid, PART_MINOR);
        subject().faults.plan(at(index, fault));
        await requireOutageOr(['refunded', 'pending'], subject().provider.refund(refund, newSignal()), description);
        const found = await subject().provider[next](refund, newSignal());
        if (found.kind !== 'not_refunded') {
          assert.ok(found.kind === 'refunded' || found.kind === 'pending', `${description}: ${found.kind}`);
          const isOver = async (): Promise<boolean> =>
            (await subject().provider.inquireRefund(refund, newSignal())).kind === 'refunded';
          await waitUntil(context, isOver);
        }
        await subject().provider.refund(refund, newSignal());
        const kept = found.kind === 'not_refunded' ? AMOUNT_MINOR : AMOUNT_MINOR - PART_MINOR;
        assert.equal(await subject().keptMinor(paid.attemptId), kept, description);
      }
    }
  });
}

/** The adapter may have found out by itself, and must never take a fault for an answer of another kind. */
async function requireOutageOr(
  kinds: readonly (AuthorizationOutcome['kind'] | 'captured' | 'refunded' | 'not_charged')[],
  sent: Promise<{ readonly kind: string }>,
  description: string,
): Promise<void> {
  const outcome = await sent.catch((error: unknown) => error);
  if (outcome instanceof ProviderOutageError) return;
  const isKnown = kinds.some(
    (kind) => typeof outcome === 'object' && outcome !== null && 'kind' in outcome && outcome.kind === kind,
  );
  const got = outcome instanceof Error ? `${outcome.name}: ${outcome.message}` : JSON.stringify(outcome);
  assert.ok(isKnown, `${description}: expected a ProviderOutageError or ${kinds.join(', ')}; got ${got}`);
}
