import assert from 'node:assert/strict';
import { it } from 'mocha';
import type { InquiryOutcome } from '../../../domain/provider-outcome.ts';
import { authorize, close, moneyOf, newAttempt } from './attempts.ts';
import { at, countCalls, describeFault, eachCall } from './planned-faults.ts';
import { AMOUNT_MINOR, newSignal } from './requests.ts';
import type { ContractContext, DepositControls, Fault } from './subject.ts';

const PART_MINOR = 10_00;
const REST_MINOR = AMOUNT_MINOR - PART_MINOR;

/** Calls that read a chain change nothing there: it is all one whether they got through. */
const FAULTS_OF_READS: readonly Fault[] = [
  'lose_reply',
  { status: 503, work: 'not_done' },
  { status: 429, work: 'done' },
];

/** Deposits of a customer on a chain, which the provider's watcher reads. Only where crypto is all that the provider takes. */
export function describeDeposits(context: ContractContext): void {
  const { subject, capabilities } = context;
  if (capabilities.methods.some((method) => method !== 'crypto')) return;

  const controls = (): DepositControls => {
    const { deposits } = subject();
    assert.ok(deposits !== undefined, 'the sandbox has no deposits, although its provider takes nothing else');
    return deposits;
  };

  /** Asks for a deposit. @returns its attempt, and a way to inquire about it */
  const ask = async () => {
    const attempt = newAttempt(context);
    const asked = await authorize(context, attempt);
    assert.ok(asked.kind === 'requires_action');
    const { attemptId } = attempt;
    const { providerPaymentId } = asked;
    const inquire = (): Promise<InquiryOutcome> => subject().provider.inquire(attempt, newSignal());
    const approved = { kind: 'approved', providerPaymentId, ...moneyOf(context), captured: true } as const;
    return { attempt, attemptId, inquire, approved };
  };

  const confirmAndRead = async (): Promise<void> => {
    await controls().confirm();
    await controls().read();
  };

  /** The reported outcomes that end a deposit. A reader may also report that it has arrived and is not confirmed yet. */
  const ends = async (attemptId: string): Promise<readonly InquiryOutcome[]> =>
    (await controls().reports(attemptId)).filter(({ kind }) => kind !== 'pending');

  const kindsOf = (outcomes: readonly InquiryOutcome[]): readonly string[] => outcomes.map(({ kind }) => kind);

  it('reports a deposit that arrived, and approves it once it is confirmed', async () => {
    const { attemptId, inquire, approved } = await ask();
    await controls().transfer(attemptId, [AMOUNT_MINOR]);
    await controls().read();
    assert.equal((await inquire()).kind, 'pending');
    await confirmAndRead();
    assert.deepEqual(await inquire(), approved);
    assert.deepEqual(kindsOf(await controls().reports(attemptId)), ['pending', 'approved']);
  });

  it('approves a deposit in several transfers, once', async () => {
    const { attemptId, inquire, approved } = await ask();
    await controls().transfer(attemptId, [PART_MINOR]);
    await confirmAndRead();
    assert.equal((await inquire()).kind, 'requires_action');
    await controls().transfer(attemptId, [1, REST_MINOR - 1]);
    await confirmAndRead();
    assert.deepEqual(await inquire(), approved);
    assert.deepEqual(await controls().reports(attemptId), [approved]);
  });

  it('approves the asked amount of a larger deposit', async () => {
    const { attemptId, inquire, approved } = await ask();
    await controls().transfer(attemptId, [AMOUNT_MINOR + PART_MINOR]);
    await confirmAndRead();
    assert.deepEqual(await inquire(), approved);
    assert.equal(await subject().keptMinor(attemptId), AMOUNT_MINOR + PART_MINOR);
  });

  it('fails with the amounts and transactions of a smaller deposit, once the quote has expired', async () => {
    const { attemptId, inquire } = await ask();
    const [first, second] = await controls().transfer(attemptId, [PART_MINOR, REST_MINOR - 1]);
    await controls().expire(attemptId);
    await confirmAndRead();
    const outcome = await inquire();
    assert.ok(outcome.kind === 'failed' && outcome.code === 'CRYPTO_DEPOSIT_FAILED');
    const { details = {} } = outcome;
    assert.deepEqual([details['reason'], details['transactionHashes']], ['underpaid', [first, second]]);
    assert.deepEqual([details['expectedAmount'], details['receivedAmount']], ['12.340000', '12.330000']);
    assert.deepEqual(await controls().reports(attemptId), [outcome]);
  });

  it('reports what arrives after the quote has expired as a charge, once the attempt has ended', async () => {
    const { attemptId, inquire, approved } = await ask();
    await controls().expire(attemptId);
    await confirmAndRead();
    const ended = await inquire();
    assert.equal(ended.kind, 'declined');
    await controls().transfer(attemptId, [PART_MINOR]);
    await confirmAndRead();
    assert.deepEqual(await inquire(), ended);
    await controls().endAttempt(attemptId);
    await controls().read();
    const stray = { ...approved, amountMinor: PART_MINOR };
    assert.deepEqual(await inquire(), stray);
    assert.deepEqual(await controls().reports(attemptId), [ended, stray]);
  });

  it('approves no transfer of another token', async () => {
    const { attempt, attemptId, inquire } = await ask();
    await controls().transfer(attemptId, [AMOUNT_MINOR], 'lookalike');
    await confirmAndRead();
    assert.equal((await inquire()).kind, 'requires_action');
    assert.deepEqual(await controls().reports(attemptId), []);
    assert.deepEqual(await close(context, attempt), { kind: 'not_charged' });
  });

  it('counts a transfer once that the chain reports again, to several readers', async () => {
    const { attemptId, inquire, approved } = await ask();
    await controls().transfer(attemptId, [PART_MINOR]);
    await controls().confirm();
    await Promise.all([controls().read('repeats_transfers'), controls().read('repeats_transfers')]);
    assert.equal((await inquire()).kind, 'requires_action');
    await controls().transfer(attemptId, [REST_MINOR]);
    await controls().confirm();
    await Promise.all([controls().read('repeats_transfers'), controls().read('repeats_transfers')]);
    assert.deepEqual(await ends(attemptId), [approved]);
    assert.deepEqual(await inquire(), approved);
  });

  it('counts no transfer that the chain has taken back', async () => {
    const { attemptId, inquire, approved } = await ask();
    await controls().transfer(attemptId, [AMOUNT_MINOR]);
    await controls().read();
    assert.equal((await inquire()).kind, 'pending');
    await controls().reorganise();
    await confirmAndRead();
    assert.equal((await inquire()).kind, 'requires_action');
    await controls().transfer(attemptId, [AMOUNT_MINOR]);
    await confirmAndRead();
    assert.deepEqual(await inquire(), approved);
  });

  it('approves a deposit once whatever call that reads the chain failed', async () => {
    const read = async (): Promise<void> => {
      await controls().read();
    };
    const first = await ask();
    await controls().transfer(first.attemptId, [AMOUNT_MINOR]);
    await controls().confirm();
    const calls = await countCalls(context, read);
    assert.ok(calls > 1);
    for (const [index, fault] of eachCall(calls, FAULTS_OF_READS)) {
      const { attemptId, inquire, approved } = await ask();
      await controls().transfer(attemptId, [AMOUNT_MINOR]);
      await controls().confirm();
      subject().faults.plan(at(index, fault));
      await assert.rejects(read, describeFault(index, fault));
      await read();
      assert.deepEqual(await inquire(), approved, describeFault(index, fault));
      assert.deepEqual(await ends(attemptId), [approved], describeFault(index, fault));
    }
  });

  it('approves a deposit once when the reader is killed between any two statements', async () => {
    let isComplete = false;
    for (let statements = 0; !isComplete; statements += 1) {
      const { attemptId, inquire, approved } = await ask();
      await controls().transfer(attemptId, [AMOUNT_MINOR]);
      await controls().confirm();
      isComplete = await controls().readInStatements(statements);
      await controls().read();
      assert.deepEqual(await inquire(), approved, `after ${statements} statements`);
      assert.deepEqual(await controls().reports(attemptId), [approved], `after ${statements} statements`);
    }
  });
}
