import assert from 'node:assert/strict';
import { it } from 'mocha';
import { capture, close, hold, moneyOf, newAttempt, waitUntil } from './attempts.ts';
import { captureRefusalsOf } from './reports.ts';
import { AMOUNT_MINOR, newSignal } from './requests.ts';
import type { ContractContext } from './subject.ts';

const PART_MINOR = 10_00;

/** Captures of a hold, without faults. */
export function describeCaptures(context: ContractContext): void {
  const { subject, capabilities, currency } = context;
  if (!capabilities.captureMethods.includes('manual')) return;
  const amounts = capabilities.partialCapture ? [AMOUNT_MINOR, PART_MINOR] : [AMOUNT_MINOR];

  it(`captures the hold${capabilities.partialCapture ? ' or a part of it' : ''}, once, and reports the amount`, async () => {
    for (const amountMinor of amounts) {
      const held = await hold(context);
      const { providerPaymentId, attemptId } = held;
      const captured = { kind: 'captured', providerPaymentId, capturedMinor: amountMinor, currency };
      assert.deepEqual(await capture(context, held, amountMinor), captured);
      assert.equal(await subject().countCharges(attemptId), 1);
      assert.equal(await subject().keptMinor(attemptId), amountMinor);
      const found = await subject().provider.inquire(held, newSignal());
      assert.ok(found.kind === 'approved' && found.captured);
      assert.deepEqual({ amountMinor: found.amountMinor, currency: found.currency }, moneyOf(context));
      assert.equal(found.capturedMinor ?? AMOUNT_MINOR, amountMinor);
    }
  });

  it('captures once, however often a capture is repeated', async () => {
    const amountMinor = amounts.at(-1) ?? AMOUNT_MINOR;
    const held = await hold(context);
    const first = await capture(context, held, amountMinor);
    assert.equal(first.kind, 'captured');
    assert.deepEqual(await capture(context, held, amountMinor), first);
    assert.equal(await subject().countCharges(held.attemptId), 1);
    assert.equal(await subject().keptMinor(held.attemptId), amountMinor);
  });

  if (capabilities.capturing === 'at_once' && capabilities.partialCapture) {
    it('answers a capture of another amount with the captured amount', async () => {
      const held = await hold(context);
      const first = await capture(context, held, PART_MINOR);
      for (const amountMinor of [PART_MINOR + 1, 1, AMOUNT_MINOR]) {
        assert.deepEqual(await capture(context, held, amountMinor), first);
      }
      assert.equal(await subject().countCharges(held.attemptId), 1);
      assert.equal(await subject().keptMinor(held.attemptId), PART_MINOR);
    });
  }

  if (capabilities.capturing === 'at_once' && capabilities.closing === 'at_once') {
    it('reports a voided payment as not held, and captures no more than the hold', async () => {
      const held = await hold(context);
      assert.equal((await capture(context, held, AMOUNT_MINOR + 1)).kind, 'unrecognised');
      await close(context, held);
      assert.deepEqual(await capture(context, held, AMOUNT_MINOR), { kind: 'not_held' });
      assert.equal(await subject().keptMinor(held.attemptId), 0);
    });
  }

  if (capabilities.capturing === 'at_once' && capabilities.closing === 'by_webhook') {
    it('reports a voided payment as not held', async () => {
      const held = await hold(context);
      await close(context, held);
      assert.deepEqual(await capture(context, held, AMOUNT_MINOR), { kind: 'not_held' });
      assert.equal(await subject().keptMinor(held.attemptId), 0);
    });
  }

  if (capabilities.capturing === 'by_webhook') {
    it('reports a capture that it had accepted and then refused', async () => {
      const { provider } = subject();
      const held = await hold(context, 'capture_refused');
      const accepted = await provider.capture({ ...held, amountMinor: AMOUNT_MINOR }, newSignal());
      assert.ok(accepted.kind === 'pending' && accepted.captureReference !== undefined, JSON.stringify(accepted));
      const isReported = () => captureRefusalsOf(subject(), held.attemptId).includes(accepted.captureReference ?? '');
      await waitUntil(context, isReported, 'the report of the refused capture');
      assert.equal(await subject().keptMinor(held.attemptId), 0);
    });
  }

  it('throws an outage if nobody answers a capture', async () => {
    const attempt = { ...newAttempt(context), providerPaymentId: 'unknown' };
    await assert.rejects(subject().unreachable.capture(attempt, newSignal()), { code: 'TSP_UNAVAILABLE' });
  });
}
