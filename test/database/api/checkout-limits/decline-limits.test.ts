import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { describe, it } from 'mocha';
import { ApiError } from '../../../../domain/api-error.ts';
import {
  type CardConfirm,
  createDeclineLimits,
  type DeclineLimits,
  type DeclinesPerHour,
} from '../../../../api/checkout-limits/decline-limits.ts';
import { HOUR_MS, SECOND_MS } from '../../../../domain/time.ts';
import { parseKeyring } from '../../../../vault/keyring.ts';
import { digestsOfMethod } from '../../../../vault/payment-method-vault.ts';
import { reportCardTesting } from '../../../../api/checkout-limits/report-card-testing.ts';
import { insertMerchantAccount } from '../../../support/payment-rows.ts';
import { useTestDatabase } from '../../../support/database.ts';
import { cardOf } from '../../../support/provider-contract/requests.ts';

const NO_LIMITS: DeclinesPerHour = { card: 0, address: 0, bin: 0, account: 0 };
const NUMBER = '4242424242424242';

describe('limits of declined cards', () => {
  const test = useTestDatabase();
  const keyring = parseKeyring(`k:${randomBytes(32).toString('base64')}`);

  function limitTo(limits: Partial<DeclinesPerHour>): DeclineLimits {
    return createDeclineLimits(test.database, { ...NO_LIMITS, ...limits }, () => undefined);
  }

  const confirmOf = ({
    cardNumber = NUMBER,
    ...rest
  }: Partial<CardConfirm> & { readonly cardNumber?: string } = {}): CardConfirm => {
    const confirm = {
      environment: 'production',
      merchantAccountId: `mer_${randomUUID()}`,
      pageAddress: undefined,
      link: null,
      ...rest,
    } as const;
    const digests = digestsOfMethod(keyring, confirm, cardOf(cardNumber));
    assert.ok(digests !== null);
    return { ...confirm, digests };
  };

  /** A card number that no other test has. */
  const newCard = (bin = '42424242'): string => `${bin}${String(randomBytes(4).readUInt32BE() % 1e8).padStart(8, '0')}`;

  /** An address that no other test has. */
  const newAddress = (): string => `10.${[...randomBytes(3)].join('.')}`;

  async function assertExceeded(counting: Promise<unknown>, limit: number): Promise<void> {
    const error = await counting.then(
      () => assert.fail('the confirm was let through'),
      (thrown: unknown) => thrown,
    );
    assert.ok(error instanceof ApiError);
    assert.deepEqual([error.code, error.details?.['limit']], ['RATE_LIMIT_EXCEEDED', limit]);
    const { retryAfterSeconds = 0 } = error;
    assert.ok(retryAfterSeconds > 0 && retryAfterSeconds <= HOUR_MS / SECOND_MS);
  }

  it('are told to the merchant by one event an hour where a BIN or the account exceeds its own', async () => {
    const production = { environment: 'production' } as const;
    const merchantAccountId = await insertMerchantAccount(test.database, production);
    const reports: Promise<void>[] = [];
    const limits = createDeclineLimits(test.database, { ...NO_LIMITS, bin: 2, account: 100 }, (confirm, suspected) => {
      reports.push(reportCardTesting(test.database, confirm, suspected));
    });
    const count = () => limits.count(confirmOf({ merchantAccountId, cardNumber: newCard() }));
    await count();
    await count();
    assert.equal(reports.length, 0);
    await Promise.allSettled([1, 2, 3, 4].map(count));
    await Promise.all(reports);
    const where = { merchantAccountId };
    const [event, ...others] = await test.database.event.findMany({ where });
    assert.deepEqual([event?.type, others], ['card_testing.suspected', []]);
    assert.match(JSON.stringify(event?.snapshot), /"limit":"bin"/);
    assert.match(JSON.stringify(event?.snapshot), /"limitPerHour":2/);
    // The event is not among those of the account whose cards nobody tests.
    const neighbour = await insertMerchantAccount(test.database, production);
    await limits.count(confirmOf({ merchantAccountId: neighbour, cardNumber: newCard() }));
    assert.equal(await test.database.event.count({ where: { merchantAccountId: neighbour } }), 0);
  });

  it('hold for one card in all accounts, and for confirms at the same moment', async () => {
    const limits = limitTo({ card: 3 });
    const cardNumber = newCard();
    await Promise.all([1, 2, 3].map(() => limits.count(confirmOf({ cardNumber }))));
    await assertExceeded(limits.count(confirmOf({ cardNumber })), 3);
    await limits.count(confirmOf({ cardNumber: newCard() }));
  });

  it('do not count what was not declined', async () => {
    const limits = limitTo({ card: 2, address: 2, bin: 2, account: 2 });
    const confirm = confirmOf({ cardNumber: newCard(), pageAddress: '192.0.2.1' });
    for (let approved = 0; approved < 10; approved += 1) await (await limits.count(confirm)).undoDecline();
    await limits.count(confirm);
    await limits.count(confirm);
    await assertExceeded(limits.count(confirm), 2);
  });

  it('hold for a payment link from any addresses, for whoever has had a decline', async () => {
    const limits = limitTo({ address: 2 });
    const link = { paymentLinkId: `plink_${randomUUID()}`, maxPayments: null };
    const from = (pageAddress: string, of = link) =>
      limits.count(confirmOf({ cardNumber: newCard(), pageAddress, link: of }));
    for (let host = 0; host < 19; host += 1) await from(newAddress());
    const caller = newAddress();
    await from(caller);
    await assertExceeded(from(caller), 20);
    await from(newAddress());
    await from(caller, { ...link, paymentLinkId: `plink_${randomUUID()}` });
  });

  it('hold for the different cards of a link that may be paid a few times, whatever is approved', async () => {
    const limits = limitTo({ address: 2 });
    const link = { paymentLinkId: `plink_${randomUUID()}`, maxPayments: 3 };
    const from = (pageAddress: string) => limits.count(confirmOf({ cardNumber: newCard(), pageAddress, link }));
    for (let host = 0; host < 5; host += 1) await (await from(newAddress())).undoDecline();
    const caller = newAddress();
    await from(caller);
    await assertExceeded(from(caller), 5);
  });

  it("hold for the network of a page, and not for a merchant's server", async () => {
    const limits = limitTo({ address: 2 });
    const from = (pageAddress: string | undefined) => limits.count(confirmOf({ cardNumber: newCard(), pageAddress }));
    await from('2001:db8::1');
    await from('2001:db8::2');
    await assertExceeded(from('2001:db8::3'), 2);
    await from('2001:db8:1::1');
    for (let count = 0; count < 5; count += 1) await from(undefined);
  });

  it('hold for the first digits of a card in one account', async () => {
    const limits = limitTo({ bin: 2 });
    const merchantAccountId = `mer_${randomUUID()}`;
    await limits.count(confirmOf({ merchantAccountId, cardNumber: newCard() }));
    await limits.count(confirmOf({ merchantAccountId, cardNumber: newCard() }));
    await assertExceeded(limits.count(confirmOf({ merchantAccountId, cardNumber: newCard() })), 2);
    await limits.count(confirmOf({ merchantAccountId, cardNumber: newCard('51515151') }));
    await limits.count(confirmOf({ cardNumber: newCard() }));
  });

  it('hold for an account only while most of its confirms are declined', async () => {
    const limits = limitTo({ account: 3 });
    const confirm = confirmOf();
    for (let approved = 0; approved < 5; approved += 1) await (await limits.count(confirm)).undoDecline();
    for (let declined = 0; declined < 5; declined += 1) await limits.count(confirm);
    await assertExceeded(limits.count(confirm), 3);
  });

  it('hold for an address whatever is approved there, by declines and by different cards', async () => {
    const limits = limitTo({ address: 3 });
    const live = newCard();
    const from = (pageAddress: string, cardNumber: string) => limits.count(confirmOf({ cardNumber, pageAddress }));
    for (let approved = 0; approved < 20; approved += 1) await (await from('192.0.2.77', live)).undoDecline();
    for (let declined = 0; declined < 2; declined += 1) await from('192.0.2.77', newCard());
    await assertExceeded(from('192.0.2.77', newCard()), 3);
    const other = '192.0.2.78';
    for (let card = 0; card < 3; card += 1) await (await from(other, newCard())).undoDecline();
    const further = newCard();
    for (let tries = 0; tries < 2; tries += 1) await assertExceeded(from(other, further), 3);
  });

  it('hold for all networks of one subscriber of IPv6', async () => {
    const limits = limitTo({ address: 2 });
    const from = (pageAddress: string) => limits.count(confirmOf({ cardNumber: newCard(), pageAddress }));
    await from('2001:db8:7:100::1');
    await from('2001:db8:7:1ff::1');
    await assertExceeded(from('2001:db8:7:123::1'), 2);
    for (let network = 2; network < 8; network += 1) await from(`2001:db8:7:${network}00::1`);
    await assertExceeded(from('2001:db8:7:900::1'), 8);
    await from('2001:db8:8:900::1');
  });

  it('leave customers of the same bank alone who have had no decline, and refuse those who have', async () => {
    const limits = limitTo({ card: 10, address: 10, bin: 2 });
    const merchantAccountId = `mer_${randomUUID()}`;
    const from = (pageAddress: string) =>
      limits.count(confirmOf({ merchantAccountId, cardNumber: newCard(), pageAddress }));
    for (let declined = 0; declined < 3; declined += 1) await from(`203.0.113.${declined}`);
    await from('203.0.113.99');
    await assertExceeded(from('203.0.113.1'), 2);
  });

  it('hold for who goes on beyond them, also by confirms without an outcome', async () => {
    const limits = limitTo({ address: 2 });
    const confirm = () => limits.count(confirmOf({ cardNumber: newCard(), pageAddress: '198.51.100.7' }));
    await confirm();
    for (let refused = 0; refused < 5; refused += 1) await (await confirm()).undo();
    await confirm();
    for (let refused = 0; refused < 5; refused += 1) await assertExceeded(confirm(), 2);
  });

  it('are ten times as high in the sandbox', async () => {
    const limits = limitTo({ card: 1 });
    const confirm = confirmOf({ environment: 'sandbox', cardNumber: newCard() });
    for (let declined = 0; declined < 10; declined += 1) await limits.count(confirm);
    await assertExceeded(limits.count(confirm), 10);
  });

  it('store no digit of a card', async () => {
    const cardNumber = newCard();
    await limitTo({ card: 1, bin: 1, account: 1 }).count(confirmOf({ cardNumber }));
    const rows = await test.database.rateLimit.findMany();
    assert.ok(rows.length > 0);
    assert.doesNotMatch(JSON.stringify(rows.map(({ key }) => key)), new RegExp(cardNumber.slice(0, 8)));
  });
});
