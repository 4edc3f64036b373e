import assert from 'node:assert/strict';
import { it } from 'mocha';
import { CredentialsRefusedError, ProviderOutageError } from '../../../providers/provider-errors.ts';
import {
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
import { at, countCalls, describeFault } from './planned-faults.ts';
import { AMOUNT_MINOR, newSignal } from './requests.ts';
import type { ContractContext, Fault } from './subject.ts';

const PART_MINOR = 10_00;

/** A body that no provider sends. */
const UNKNOWN_BODY = JSON.stringify({ fault: { kind: 'E-7731', text: 'Nobody knows this answer.' } });
/** Answers to a caller whom the provider does not know, or does not let do this. */
const CREDENTIALS = [401, 403] as const;
const STATUSES = [...CREDENTIALS, 404, 400] as const;

/** Calls that are refused: who asks is wrong, or nobody knows the answer. That says nothing about what was done before. */
export function describeRefusals(context: ContractContext): void {
  const { subject, capabilities } = context;

  /**
   * Has each call of an operation refused in each way.
   * @param prepare what is done before, such as a payment
   * @param allowed the kinds of outcomes that may be returned in spite of the refusal; an outage may always be thrown
   * @param check what must still hold afterwards
   */
  const refuseEachCall = async <Prepared>(
    prepare: () => Promise<Prepared>,
    operate: (prepared: Prepared) => Promise<{ readonly kind: string }>,
    allowed: readonly string[],
    check: (prepared: Prepared, description: string) => Promise<void>,
  ): Promise<void> => {
    const first = await prepare();
    const calls = await countCalls(context, () => operate(first).catch(() => undefined));
    for (let index = 0; index < calls; index += 1) {
      for (const status of STATUSES) {
        const prepared = await prepare();
        const fault: Fault = { status, work: 'not_done', body: UNKNOWN_BODY };
        const description = describeFault(index, fault);
        subject().faults.plan(at(index, fault));
        const outcome: unknown = await operate(prepared).catch((error: unknown) => error);
        subject().faults.plan([]);
        requireRefusalOr(allowed, outcome, { status, description });
        await check(prepared, description);
      }
    }
  };

  const requireCharges = async ({ attemptId }: ContractAttempt, charges: number, description: string): Promise<void> =>
    assert.equal(await subject().countCharges(attemptId), charges, description);

  it('says that the credentials are refused where the first call of an attempt is answered 401 or 403', async () => {
    const calls = await countCalls(context, () => authorize(context, newAttempt(context)));
    for (let index = 0; index < calls; index += 1) {
      for (const status of CREDENTIALS) {
        const attempt = newAttempt(context);
        subject().faults.plan(at(index, { status, work: 'not_done', body: UNKNOWN_BODY }));
        const description = `call ${index + 1} answered with ${status}`;
        await assert.rejects(authorize(context, attempt), CredentialsRefusedError, description);
        await requireCharges(attempt, 0, description);
      }
    }
  });

  it('never takes a refused repeat or inquiry for the end of a payment that was charged', async () => {
    const { provider } = subject();
    // Without the webhooks' reports, the answer to the call is all that there is.
    const paid = async (): Promise<ContractAttempt> => {
      const attempt = await pay(context);
      return { ...attempt, loadReported: () => Promise.resolve(null) };
    };
    const isCharged = async (attempt: ContractAttempt, description: string): Promise<void> => {
      const found = await inquireUntilFinal(context, attempt);
      assert.equal(found.kind, 'approved', description);
      await requireCharges(attempt, 1, description);
    };
    const repeat = (attempt: ContractAttempt) => provider.authorize(attempt, newSignal());
    await refuseEachCall(paid, repeat, ['approved', 'pending', 'unrecognised'], isCharged);
    await refuseEachCall(paid, (attempt) => provider.inquire(attempt, newSignal()), ['approved', 'pending'], isCharged);
    await refuseEachCall(paid, (attempt) => provider.close(attempt, newSignal()), ['approved', 'pending'], isCharged);
  });

  if (capabilities.captureMethods.includes('manual')) {
    it('never takes a refused closure or capture for the end of a hold', async () => {
      const { provider } = subject();
      const held = () => hold(context);
      if (capabilities.closing !== 'never') {
        const voidHold = (attempt: Awaited<ReturnType<typeof held>>) => provider.close(attempt, newSignal());
        await refuseEachCall(held, voidHold, ['pending', 'approved'], async (attempt, description) => {
          const outcome = await close(context, attempt);
          assert.ok(outcome.kind === 'not_charged' && outcome.voided !== undefined, description);
        });
      }
      const captureAll = (attempt: Awaited<ReturnType<typeof held>>) =>
        provider.capture({ ...attempt, amountMinor: AMOUNT_MINOR }, newSignal());
      await refuseEachCall(held, captureAll, ['captured', 'pending', 'unrecognised'], async (attempt, description) => {
        const outcome = await capture(context, attempt, AMOUNT_MINOR);
        assert.equal(outcome.kind, 'captured', description);
        await requireCharges(attempt, 1, description);
      });
    });
  }

  if (context.can('refunds')) {
    it('never takes a refused call for the refusal of a refund', async () => {
      const { provider } = subject();
      const newRefund = async () => {
        const paid = await pay(context);
        const refund = { ...refundOf(context, paid, PART_MINOR), loadReported: () => Promise.resolve(null) };
        return { paid, refund };
      };
      type Prepared = Awaited<ReturnType<typeof newRefund>>;
      const isRefundedOnce = async ({ paid, refund }: Prepared, description: string): Promise<void> => {
        await provider.refund(refund, newSignal());
        const kept = AMOUNT_MINOR - PART_MINOR;
        await waitUntil(context, async () => (await subject().keptMinor(paid.attemptId)) === kept, description);
      };
      const send = ({ refund }: Prepared) => provider.refund(refund, newSignal());
      await refuseEachCall(newRefund, send, ['refunded', 'pending', 'unrecognised'], isRefundedOnce);
      const sent = async (): Promise<Prepared> => {
        const prepared = await newRefund();
        await provider.refund(prepared.refund, newSignal());
        return prepared;
      };
      const inquire = ({ refund }: Prepared) => provider.inquireRefund(refund, newSignal());
      await refuseEachCall(sent, inquire, ['refunded', 'pending'], isRefundedOnce);
    });
  }
}

interface RefusedCall {
  readonly status: (typeof STATUSES)[number];
  readonly description: string;
}

/** 401 and 403 must be told apart from an unknown answer, so that people learn of them. */
function requireRefusalOr(allowed: readonly string[], outcome: unknown, { status, description }: RefusedCall): void {
  const isAboutCredentials = CREDENTIALS.some((each) => each === status);
  if (outcome instanceof CredentialsRefusedError) {
    assert.ok(isAboutCredentials, `${description}: the credentials were not refused`);
    return;
  }
  if (outcome instanceof ProviderOutageError) {
    assert.ok(!isAboutCredentials, `${description}: expected a CredentialsRefusedError; got ${outcome.message}`);
    return;
  }
  const isAllowed =
    typeof outcome === 'object' && outcome !== null && 'kind' in outcome && allowed.includes(String(outcome.kind));
  const got = outcome instanceof Error ? `${outcome.name}: ${outcome.message}` : JSON.stringify(outcome);
  assert.ok(isAllowed, `${description}: expected an outage or ${allowed.join(', ')}; got ${got}`);
}
