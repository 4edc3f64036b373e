import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { findPayments } from '../../../../dashboard/app/core/search.ts';

const ID = 'a'.repeat(32);
const nothing = () => Promise.resolve({ data: [], pagination: { total: 0 } });
const noSuch = () => Promise.reject(new Error('There is no such resource.'));

/** What is asked for, one after the other, while nothing is found. */
async function meaningsOf(text: string, others: Record<string, unknown> = {}, call: () => Promise<unknown> = noSuch) {
  const asked: unknown[] = [];
  const read = (query: Record<string, unknown>) => {
    asked.push(query);
    return nothing();
  };
  await findPayments(text, others, read, call);
  return asked;
}

const exactly = (amount: number, currency?: string) => ({
  ...(currency === undefined ? {} : { currency }),
  amountMin: amount,
  amountMax: amount,
});

describe('the search for payments', () => {
  for (const [text, others, amount] of [
    ['19.99', {}, exactly(1_999)],
    ['19,99', {}, exactly(1_999)],
    ['EUR 1,234.56', {}, exactly(123_456, 'EUR')],
    ['1.234,56 eur', {}, exactly(123_456, 'EUR')],
    ['EUR\u00A025', {}, exactly(2_500, 'EUR')],
    ['777 JPY', {}, exactly(777, 'JPY')],
    ['777', { currency: 'JPY' }, exactly(777, 'JPY')],
  ] as const) {
    it(`takes "${text}" for an amount too${'currency' in others ? `, in the currency of the filters` : ''}`, async () =>
      assert.deepEqual((await meaningsOf(text, others)).at(-1), { ...others, ...amount }));
  }

  it('reads four digits as those of a card first, then as a reference, and as an amount last', async () => {
    const [first, second, , last] = await meaningsOf('1999');
    assert.deepEqual([first, second, last], [{ last4: '1999' }, { reference: '1999' }, exactly(199_900)]);
  });

  it('takes no reference for an amount', async () => {
    for (const text of ['INV-19.99', 'INV 1042', '19.999', 'ORDER-77'])
      assert.ok(!JSON.stringify(await meaningsOf(text)).includes('amountMin'), text);
  });

  it('finds the payments of a link, and the payment of an event', async () => {
    assert.deepEqual((await meaningsOf(`plink_${ID}`)).at(-1), { paymentLinkId: `plink_${ID}` });
    const event = () => Promise.resolve({ data: { id: `evt_${ID}`, data: { id: `re_${ID}` } } });
    assert.deepEqual((await meaningsOf(`evt_${ID}`, {}, event))[0], { id: `re_${ID}` });
  });
});
