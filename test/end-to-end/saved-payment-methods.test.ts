import assert from 'node:assert/strict';
import { before, describe, it } from 'mocha';
import { z } from 'zod';
import { MINUTE_MS } from '../../domain/time.ts';
import { CVC } from '../../sandbox/test-payment-methods.ts';
import { splitClientSecret } from '../../vault/client-secret.ts';
import { createdIntentOf, failureOf, intentOf } from '../support/envelopes.ts';
import { eventually } from '../support/eventually.ts';
import { settle } from '../support/ledger.ts';
import { useMerchant } from '../support/merchants.ts';
import { clientOf } from '../support/resources.ts';
import type { Answer } from '../support/signed-request.ts';
import { queryStack } from '../support/stack-database.ts';
import { getStack } from '../support/stack.ts';

const withId = z.looseObject({ data: z.looseObject({ id: z.string() }) });
const savedList = z.looseObject({ data: z.array(z.looseObject({ id: z.string(), status: z.string() })) });
const ledgerSchema = z.object({
  data: z.array(
    z.looseObject({
      reference: z.string().nullable(),
      charges: z.array(z.unknown()),
      credentialUse: z.unknown(),
    }),
  ),
});
const CARDS = {
  approved: '4242424242424242',
  wantsCustomer: '4000002760003184',
  lostLater: '4000002500001001',
  authenticatedOnce: '4000002500003155',
};

describe('payments with saved cards', function () {
  this.timeout(2 * MINUTE_MS);
  const test = useMerchant();
  const terms = { amount: 1_900, currency: 'EUR' } as const;

  const create = (body: object): Promise<Answer> => test.send('POST', '/payment-intents', { ...terms, ...body });
  const idOf = ({ body }: Answer): string => withId.parse(body).data.id;
  const newCustomer = async (): Promise<string> => idOf(await test.send('POST', '/customers', { name: 'Ada' }));
  const cardOf = (name: keyof typeof CARDS) => ({
    type: 'card',
    card: { number: CARDS[name], expiryMonth: 12, expiryYear: 2_034, cvc: CVC },
  });
  const pageOf = (answer: Answer) => {
    const { clientSecret } = z
      .looseObject({ data: z.looseObject({ clientSecret: z.string() }) })
      .parse(answer.body).data;
    const { key, salt } = splitClientSecret(clientSecret);
    return clientOf({ baseUrl: getStack().sandbox.baseUrl, apiKey: key, secretSalt: salt, signatureVersion: 1 });
  };

  /** Saves a card by a first payment, and waits for the provider's token. */
  const save = async (customerId: string, name: keyof typeof CARDS, usage = 'off_session') => {
    const answer = await create({
      customerId,
      setupFutureUsage: usage,
      consent: { text: 'I agree' },
      confirm: true,
      paymentMethod: cardOf(name),
      returnUrl: 'https://shop.example/thanks',
    });
    const first = createdIntentOf(answer);
    if (first.status === 'requires_action') await settle('alpha', first.id, 'approved');
    const id = await eventually(async () => {
      const { body } = await test.send('GET', `/payment-methods?customerId=${customerId}&status=active`);
      assert.match(JSON.stringify(body), /"provider_token","status":"active"/);
      return savedList.parse(body).data[0]?.id ?? assert.fail('nothing is saved');
    });
    return { id, firstId: first.id };
  };
  const ledgerOf = async (paymentIntentId: string) => {
    const { url } = getStack().sandbox.simulators.find(({ name }) => name === 'alpha') ?? assert.fail('no alpha');
    const response = await fetch(`${url}/ledger?paymentIntentId=${paymentIntentId}`);
    return ledgerSchema.parse(await response.json()).data.toReversed();
  };
  const statusOf = async (id: string): Promise<string> => {
    const { body } = await test.send('GET', `/payment-methods/${id}`);
    return z.looseObject({ data: z.looseObject({ status: z.string() }) }).parse(body).data.status;
  };

  it('are made by the server without the customer, and name the payment that saved the card', async () => {
    const customerId = await newCustomer();
    const { id, firstId } = await save(customerId, 'approved');
    const renewal = { customerId, confirm: true, paymentMethodId: id, offSession: 'recurring' };
    const paid = createdIntentOf(await create(renewal));
    assert.deepEqual([paid.status, paid.paymentMethod?.type], ['succeeded', 'card']);
    const { body } = await test.send('GET', `/payment-intents/${paid.id}`);
    const { data } = z.looseObject({ data: z.looseObject({}) }).parse(body);
    assert.deepEqual([data.offSession, data.savedPaymentMethodId], ['recurring', id]);
    const [entry, ...others] = await ledgerOf(paid.id);
    assert.deepEqual([entry?.charges.length, others.length], [1, 0]);
    const initialReference = firstId.replace('pi_', 'att_') + '_1';
    assert.deepEqual(entry?.credentialUse, { initiator: 'merchant', reason: 'recurring', initialReference });
    const [used] = await queryStack(
      'SELECT last_used_at > created_at AS later FROM saved_payment_method WHERE id = $1',
      [id],
    );
    assert.deepEqual(used, { later: true });
  });

  it('ask nobody to act without the customer, who can then pay on a page with the same card', async () => {
    const customerId = await newCustomer();
    const { id } = await save(customerId, 'wantsCustomer');
    const renewal = { customerId, confirm: true, paymentMethodId: id, offSession: 'unscheduled' };
    const answer = await create({ ...renewal, allowSavedPaymentMethods: true, returnUrl: 'https://shop.example' });
    const { code, details } = failureOf(answer);
    assert.equal(code, 'CARD_DECLINED');
    const { reason, advice, paymentIntent } = z
      .looseObject({
        reason: z.string(),
        advice: z.string(),
        paymentIntent: z.looseObject({ id: z.string(), status: z.string() }),
      })
      .parse(details);
    assert.deepEqual(
      [reason, advice, paymentIntent.status],
      ['authentication_required', 'authenticate', 'requires_payment_method'],
    );
    const events = await queryStack('SELECT type FROM event WHERE payment_intent_id = $1', [paymentIntent.id]);
    assert.ok(!JSON.stringify(events).includes('requires_action'));
    const { clientSecret } = z.looseObject({ clientSecret: z.string() }).parse(paymentIntent);
    const { key, salt } = splitClientSecret(clientSecret);
    const page = clientOf({ baseUrl: getStack().sandbox.baseUrl, apiKey: key, secretSalt: salt, signatureVersion: 1 });
    const listed = await page('GET', `/payment-intents/${paymentIntent.id}/saved-payment-methods`);
    assert.equal(savedListOfPage(listed)[0]?.id, id);
    const confirmed = await page('POST', `/payment-intents/${paymentIntent.id}/confirm`, {
      paymentMethodId: id,
      cvc: CVC,
    });
    assert.equal(intentOf(confirmed).status, 'requires_action');
    await settle('alpha', paymentIntent.id, 'approved');
    await eventually(async () => {
      const { status } = intentOf(await test.send('GET', `/payment-intents/${paymentIntent.id}`));
      assert.equal(status, 'succeeded');
    });
    const charges = (await ledgerOf(paymentIntent.id)).flatMap((each) => each.charges);
    assert.equal(charges.length, 1);
    assert.deepEqual(
      await queryStack('SELECT 1 FROM payment_method_cvc WHERE payment_intent_id = $1', [paymentIntent.id]),
      [],
    );
  });

  it('make a card invalid that its issuer refuses for good, and then call nobody', async () => {
    const customerId = await newCustomer();
    const { id } = await save(customerId, 'lostLater');
    const renewal = { customerId, confirm: true, paymentMethodId: id, offSession: 'recurring' };
    const { code, details } = failureOf(await create(renewal));
    assert.deepEqual([code, details?.advice], ['CARD_DECLINED', 'never']);
    assert.equal(await statusOf(id), 'invalid');
    const events = await queryStack('SELECT type FROM event WHERE resource_id = $1 ORDER BY insertion DESC LIMIT 1', [
      id,
    ]);
    assert.deepEqual(events, [{ type: 'payment_method.invalidated' }]);
    assert.equal(failureOf(await create(renewal)).code, 'INVALID_PAYMENT_METHOD');
  });

  it('are approved without the customer who was authenticated when the card was saved', async () => {
    const customerId = await newCustomer();
    const { id } = await save(customerId, 'authenticatedOnce');
    const paid = await create({ customerId, confirm: true, paymentMethodId: id, offSession: 'recurring' });
    assert.equal(createdIntentOf(paid).status, 'succeeded');
  });

  describe('are refused', () => {
    let customerId: string;
    let other: string;
    let onSession: string;

    before(async () => {
      [customerId, other] = [await newCustomer(), await newCustomer()];
      onSession = (await save(customerId, 'approved', 'on_session')).id;
    });

    it('alike, whether the card is unknown, of another customer, or removed', async () => {
      const removed = (await save(other, 'approved')).id;
      const ofOther = { customerId: other, confirm: true, paymentMethodId: onSession };
      const unknown = { ...ofOther, paymentMethodId: onSession.replace(/.{4}$/, '0000') };
      const answers = [await create(ofOther), await create(unknown)];
      assert.equal((await test.send('DELETE', `/payment-methods/${removed}`)).status, 200);
      answers.push(await create({ ...ofOther, paymentMethodId: removed }));
      const failures = answers.map(failureOf).map(({ code, message }) => `${code} ${message}`);
      assert.equal(new Set(failures).size, 1);
      assert.match(failures[0] ?? '', /^INVALID_PAYMENT_METHOD/);
    });

    it('without the customer who has not agreed, by a card, and with a security code', async () => {
      const base = { customerId, confirm: true, offSession: 'recurring' };
      const bodies = [
        { ...base, paymentMethodId: onSession },
        { ...base, paymentMethod: cardOf('approved') },
        { ...base, paymentMethodId: onSession, cvc: CVC },
      ];
      for (const body of bodies) assert.equal(failureOf(await create(body)).code, 'INVALID_PAYMENT_METHOD');
    });

    it('on a page without permission, of another customer, and without the customer', async () => {
      const closed = await create({ customerId });
      const open = await create({ customerId: other, allowSavedPaymentMethods: true });
      const path = (answer: Answer, end: string) => `/payment-intents/${idOf(answer)}/${end}`;
      const listed = await pageOf(closed)('GET', path(closed, 'saved-payment-methods'));
      assert.equal(failureOf(listed).code, 'RESOURCE_NOT_FOUND');
      const body = { paymentMethodId: onSession };
      for (const answer of [closed, open]) {
        const refused = await pageOf(answer)('POST', path(answer, 'confirm'), body);
        assert.equal(failureOf(refused).code, 'INVALID_PAYMENT_METHOD');
      }
      const alone = await pageOf(open)('POST', path(open, 'confirm'), { ...body, offSession: 'recurring' });
      assert.match(JSON.stringify(alone.body), /"offSession","message":"[^"]*","code":"unknown"/);
    });

    it('to lose their card while they are under way', async () => {
      const saved = (await save(other, 'wantsCustomer')).id;
      const paying = await create({ customerId: other, confirm: true, paymentMethodId: saved });
      assert.equal(createdIntentOf(paying).status, 'requires_action');
      assert.equal(failureOf(await test.send('DELETE', `/payment-methods/${saved}`)).code, 'STATE_CONFLICT');
      await test.send('POST', `/payment-intents/${idOf(paying)}/cancel`, {});
      assert.equal((await test.send('DELETE', `/payment-methods/${saved}`)).status, 200);
    });
  });

  describe('with a security code that is stored before the confirm', () => {
    let customerId: string;
    let savedId: string;

    before(async () => {
      customerId = await newCustomer();
      savedId = (await save(customerId, 'approved', 'on_session')).id;
    });
    const store = (intent: Answer, body: object) =>
      pageOf(intent)('POST', `/payment-intents/${idOf(intent)}/payment-methods`, body);
    const codesOf = (intent: Answer) =>
      queryStack('SELECT 1 FROM payment_method_cvc WHERE payment_intent_id = $1', [idOf(intent)]);

    it('are paid by the id that the frame gives the page, and the code is erased', async () => {
      const open = await create({ customerId, allowSavedPaymentMethods: true });
      const stored = await store(open, { paymentMethodId: savedId, cvc: CVC });
      assert.equal(stored.status, 201);
      assert.match(idOf(stored), /^pm_/);
      assert.equal((await codesOf(open)).length, 1);
      const paid = await pageOf(open)('POST', `/payment-intents/${idOf(open)}/confirm`, {
        paymentMethodId: idOf(stored),
      });
      assert.equal(intentOf(paid).status, 'succeeded');
      assert.deepEqual(await codesOf(open), []);
      const [entry] = await ledgerOf(idOf(open));
      assert.match(JSON.stringify(entry?.credentialUse), /"initiator":"customer","reason":"card_on_file"/);
      const { body } = await test.send('GET', `/payment-intents/${idOf(open)}`);
      assert.equal(z.looseObject({ data: z.looseObject({}) }).parse(body).data.savedPaymentMethodId, savedId);
    });

    it('are refused without permission, of another customer, and without a code', async () => {
      const closed = await create({ customerId });
      const other = await create({ customerId: await newCustomer(), allowSavedPaymentMethods: true });
      const unknown = await create({ customerId, allowSavedPaymentMethods: true });
      const bodies = [
        [closed, savedId],
        [other, savedId],
        [unknown, savedId.replace(/.{4}$/, '0000')],
      ] as const;
      const failures = [];
      for (const [intent, paymentMethodId] of bodies) {
        failures.push(failureOf(await store(intent, { paymentMethodId, cvc: CVC })));
        assert.deepEqual(await codesOf(intent), []);
      }
      assert.equal(new Set(failures.map(({ code, message }) => `${code} ${message}`)).size, 1);
      assert.equal(failures[0]?.code, 'INVALID_PAYMENT_METHOD');
      assert.equal(failureOf(await store(unknown, { paymentMethodId: savedId })).code, 'MISSING_REQUIRED_FIELD');
      assert.equal(failureOf(await store(unknown, {})).code, 'MISSING_REQUIRED_FIELD');
      const both = { paymentMethodId: savedId, cvc: CVC, paymentMethod: cardOf('approved') };
      assert.equal((await store(unknown, both)).status, 422);
    });

    it('are refused once the payment is of another customer, or the card was removed', async () => {
      const open = await create({ customerId, allowSavedPaymentMethods: true });
      const { id } = await save(customerId, 'authenticatedOnce', 'on_session');
      const stored = [
        idOf(await store(open, { paymentMethodId: savedId, cvc: CVC })),
        idOf(await store(open, { paymentMethodId: id, cvc: CVC })),
      ];
      const confirm = (paymentMethodId = '') =>
        pageOf(open)('POST', `/payment-intents/${idOf(open)}/confirm`, { paymentMethodId });
      assert.equal((await test.send('DELETE', `/payment-methods/${id}`)).status, 200);
      assert.equal(failureOf(await confirm(stored[1])).code, 'INVALID_PAYMENT_METHOD');
      const moved = { customerId: await newCustomer() };
      assert.equal((await test.send('PATCH', `/payment-intents/${idOf(open)}`, moved)).status, 200);
      assert.equal(failureOf(await confirm(stored[0])).code, 'INVALID_PAYMENT_METHOD');
      assert.deepEqual(await ledgerOf(idOf(open)), []);
    });
  });

  it('need no security code of a customer who is present', async () => {
    const customerId = await newCustomer();
    const { id } = await save(customerId, 'approved', 'on_session');
    const paid = createdIntentOf(await create({ customerId, confirm: true, paymentMethodId: id }));
    assert.equal(paid.status, 'succeeded');
    const [entry] = await ledgerOf(paid.id);
    assert.match(JSON.stringify(entry?.credentialUse), /"initiator":"customer","reason":"card_on_file"/);
  });
});

function savedListOfPage({ body }: Answer): readonly { readonly id: string }[] {
  return z.looseObject({ data: z.array(z.looseObject({ id: z.string() })) }).parse(body).data;
}
