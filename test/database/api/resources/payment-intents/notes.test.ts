import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { updateNotes, isNote } from '../../../../../api/resources/payment-intents/notes.ts';
import { newId } from '../../../../../domain/new-id.ts';
import { useAccount } from '../../../../support/account-fixture.ts';
import { principalWith } from '../../../../support/principal.ts';

describe('the notes of a payment that was confirmed', () => {
  const test = useAccount();
  const find = (id: string) => test.database.paymentIntent.findUniqueOrThrow({ where: { id } });
  const owner = () => principalWith({ merchantAccountId: test.account });

  for (const status of ['processing', 'requires_capture', 'succeeded', 'failed', 'canceled', 'expired']) {
    it(`are changed in ${status}, with the timeline and the audit log`, async () => {
      const id = await test.insertIntent({ status, description: 'before', metadata: { order: '7', note: 'old' } });
      const { version } = await find(id);
      const notes = { description: null, reference: 'ORDER-7', metadata: { order: '8' } };
      await updateNotes(test.database, owner(), { id, notes });
      const changed = await find(id);
      assert.deepEqual(
        [changed.status, changed.version, changed.description, changed.reference, changed.metadata],
        [status, version + 1, null, 'ORDER-7', { order: '8' }],
      );
      const entries = await test.database.timelineEntry.findMany({ where: { paymentIntentId: id, kind: 'updated' } });
      assert.deepEqual(
        entries.map(({ summary }) => summary),
        ['Updated: description, metadata, reference'],
      );
      const [audited, ...others] = await test.database.auditEvent.findMany({ where: { resourceId: id } });
      assert.equal(others.length, 0);
      assert.equal(audited?.action, 'payment_intent.updated');
      const state = { id, object: 'payment_intent' };
      const before = { ...state, reference: null, description: 'before', metadata: { order: '7', note: 'old' } };
      assert.deepEqual([audited.before, audited.after], [before, { ...state, ...notes }]);
    });
  }

  it('are written once where they are as they were asked to be, and by several requests one after the other', async () => {
    const id = await test.insertIntent({ status: 'succeeded', metadata: { b: '2', a: '1' } });
    await updateNotes(test.database, owner(), { id, notes: { metadata: { a: '1', b: '2' } } });
    assert.equal(await test.database.timelineEntry.count({ where: { paymentIntentId: id, kind: 'updated' } }), 0);
    const texts = Array.from({ length: 5 }, (_, index) => `note ${index}`);
    await Promise.all(texts.map((description) => updateNotes(test.database, owner(), { id, notes: { description } })));
    assert.equal(await test.database.timelineEntry.count({ where: { paymentIntentId: id, kind: 'updated' } }), 5);
    assert.equal((await find(id)).version, 5);
  });

  it('are changed by nobody else', async () => {
    const id = await test.insertIntent({ status: 'succeeded' });
    const stranger = principalWith({ merchantAccountId: 'mer_other' });
    for (const [who, asked] of [
      [stranger, id],
      [owner(), newId('paymentIntent')],
    ] as const) {
      const change = updateNotes(test.database, who, { id: asked, notes: { description: 'x' } });
      await assert.rejects(change, { code: 'PAYMENT_INTENT_NOT_FOUND' });
    }
  });

  it('are reference, description and metadata alone', () => {
    assert.ok(isNote({ reference: null, description: 'x', metadata: {} }));
    for (const terms of [{ amount: 1 }, { description: 'x', customerId: null }, { returnUrl: null }]) {
      assert.ok(!isNote(terms));
    }
  });
});
