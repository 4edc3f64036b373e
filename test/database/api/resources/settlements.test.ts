import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import { presentSettlement } from '../../../../contract/presenters/settlement.ts';
import { newId } from '../../../../domain/new-id.ts';
import { confirmAtBank, resolveEntry, selectSettlement } from '../../../../prisma/queries/settlement.ts';
import { selectTransaction } from '../../../../prisma/queries/transaction.ts';
import { useAccount } from '../../../support/account-fixture.ts';

const BANK = { amount: 941, currency: 'USD', valueDate: '2026-11-30', reference: 'UTR1' };

describe('settlements and their entries', function () {
  this.timeout(60_000);
  const test = useAccount();
  let settlementId: string;
  const actor = { type: 'person', id: 'per_1', address: '203.0.113.7' } as const;

  const scope = () => ({ merchantAccountId: test.account, environment: 'sandbox' as const });
  const author = async () => {
    const { merchantId } = await test.database.merchantAccount.findUniqueOrThrow({ where: { id: test.account } });
    return { merchantId, actor };
  };
  const audited = async () => {
    const rows = await test.database.auditEvent.findMany({ orderBy: { createdAt: 'asc' } });
    return rows.map(({ action, resourceId, actorId }) => `${action} ${resourceId} ${actorId}`);
  };
  const exceptionsLeft = async () =>
    (await test.database.settlement.findUniqueOrThrow({ where: { id: settlementId } })).entriesExceptions;

  beforeEach(async () => {
    settlementId = newId('settlement');
    const now = new Date();
    await test.database.settlement.create({
      data: {
        ...scope(),
        id: settlementId,
        provider: 'alpha',
        providerReference: settlementId,
        status: 'paid',
        currency: 'USD',
        netAmountMinor: 945n,
        isShared: false,
        grossAmountMinor: 1_000n,
        feeAmountMinor: 50n,
        taxAmountMinor: 9n,
        entriesNetMinor: 941n,
        amountsByType: { payment: 1_000, fee: -20, reserve: 20 },
        entriesExceptions: 1,
        source: 'api',
        arrivalDate: new Date('2026-11-30'),
        settledAt: now,
        createdAt: now,
        updatedAt: now,
      },
    });
  });

  async function insertEntry(match: string, more: { readonly transactionId?: string } = {}): Promise<string> {
    const id = newId('settlementEntry');
    const now = new Date();
    await test.database.settlementEntry.create({
      data: {
        ...scope(),
        id,
        settlementId,
        provider: 'alpha',
        type: 'payment',
        providerReference: id,
        amountMinor: 1_000n,
        feeMinor: 59n,
        netMinor: 941n,
        currency: 'USD',
        occurredAt: now,
        match,
        createdAt: now,
        updatedAt: now,
        ...more,
      },
    });
    return id;
  }

  it('add up from gross to net, with what is unexplained', async () => {
    const stored = await test.database.direct.row(selectSettlement(settlementId, scope()));
    assert.ok(stored !== undefined);
    const shown = presentSettlement(stored.settlement);
    const parts = shown.grossAmount + shown.refundAmount + shown.disputeAmount + shown.otherAmount;
    assert.equal(parts - shown.feeAmount - shown.taxAmount + shown.unexplainedAmount, shown.netAmount);
    assert.deepEqual([shown.unexplainedAmount, shown.arrivalDate], [4, '2026-11-30']);
  });

  it('take what the bank says once, and audit it', async () => {
    const confirm = async () =>
      test.database.direct.row(confirmAtBank(settlementId, scope(), { bank: BANK, author: await author() }));
    assert.equal((await confirm())?.id, settlementId);
    assert.equal(await confirm(), undefined);
    const stored = await test.database.direct.row(selectSettlement(settlementId, scope()));
    assert.equal(stored?.settlement.bank?.amount, 941);
    assert.equal((await audited()).filter((line) => line.includes('bank_confirmed')).length, 1);
  });

  it('have exceptions ended, and opened again, once for each change, and nothing else', async () => {
    const resolve = async (id: string, resolution: 'accepted' | null) =>
      test.database.direct.row(
        resolveEntry(id, scope(), { resolved: { resolution, note: 'asked' }, author: await author() }),
      );
    const id = await insertEntry('unknown');
    assert.equal((await resolve(id, 'accepted'))?.id, id);
    assert.equal((await resolve(id, 'accepted'))?.id, id);
    assert.equal(await exceptionsLeft(), 0);
    await resolve(id, null);
    assert.equal(await exceptionsLeft(), 1);
    const actions = (await audited()).filter((line) => line.startsWith(`settlement_entry.resolved ${id} per_1`));
    assert.equal(actions.length, 2);
    assert.equal(await resolve(await insertEntry('matched'), 'accepted'), undefined);
    const other = { ...scope(), merchantAccountId: newId('merchantAccount') };
    const foreign = { resolved: { resolution: 'accepted', note: null }, author: await author() } as const;
    assert.equal(await test.database.direct.row(resolveEntry(id, other, foreign)), undefined);
  });

  it('say of a transaction what it cost, and when it was settled', async () => {
    const paymentIntentId = await test.insertIntent({ status: 'succeeded' });
    const id = newId('transaction');
    await test.database.transaction.create({
      data: {
        ...scope(),
        id,
        paymentIntentId,
        attemptId: 'att_1',
        type: 'capture',
        amountMinor: 1_000n,
        currency: 'USD',
        provider: 'alpha',
        providerPaymentId: 'sim_1',
        createdAt: new Date(),
      },
    });
    const settled = async () => (await test.database.direct.row(selectTransaction(id, scope())))?.settled;
    assert.equal(await settled(), null);
    await insertEntry('matched', { transactionId: id });
    await insertEntry('duplicate', { transactionId: id });
    const { settledAt, ...money } = (await settled()) ?? assert.fail();
    assert.deepEqual(money, { settlementId, feeMinor: 59, netMinor: 941, currency: 'USD' });
    assert.ok(settledAt !== null);
  });
});
