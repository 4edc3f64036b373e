import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, it } from 'mocha';
import { z } from 'zod';
import { UNLIMITED_ADMISSION } from '../../../../../api/admission.ts';
import { executionWithoutKey } from '../../../../../api/idempotency/idempotency.ts';
import { deleteCustomer, insertCustomer } from '../../../../../api/resources/customers/write.ts';
import { createPaymentIntent } from '../../../../../api/resources/payment-intents/create.ts';
import { createOpenConfirms } from '../../../../../api/resources/payment-intents/open-confirms.ts';
import { customerBody } from '../../../../../contract/schemas/customer.ts';
import { createPaymentIntentBody } from '../../../../../contract/schemas/payment-intent-requests.ts';
import { newId } from '../../../../../domain/new-id.ts';
import { parseCardPublicKey, publicKeyOf } from '../../../../../vault/card-keys.ts';
import { createKeyring } from '../../../../../vault/keyring.ts';
import type { PaymentWorkflows } from '../../../../../workflow-client/payment-workflows.ts';
import { useAccount } from '../../../../support/account-fixture.ts';
import { principalWith } from '../../../../support/principal.ts';

describe('the creation of a payment', () => {
  const test = useAccount();
  const key = { id: 'k', bytes: randomBytes(32) };
  const workflows: Pick<PaymentWorkflows, 'start'> = { start: () => Promise.resolve() };
  const dependencies = () => ({
    database: test.database,
    keyring: createKeyring([key]),
    cards: parseCardPublicKey(publicKeyOf(key)),
    workflows: workflows as PaymentWorkflows,
    declineLimits: { count: () => Promise.reject(new Error('it is no confirm')) },
    upiRequestLimits: { count: () => Promise.reject(new Error('it is no confirm')) },
    openConfirms: createOpenConfirms(test.database),
    admission: UNLIMITED_ADMISSION,
    confirmWaitMs: 1_000,
    failoverWithinMs: 120_000,
  });

  it('returns its response to a repeat after the payment has ended and its customer was deleted', async () => {
    const principal = principalWith({ merchantAccountId: test.account });
    const customerId = newId('customer');
    await insertCustomer(test.database, principal, { id: customerId, fields: customerBody.parse({ country: 'DE' }) });
    const body = createPaymentIntentBody.parse({ amount: 1_000, currency: 'USD', customerId });
    const call = { principal, id: '', pathParameters: {}, body, query: undefined, respondAsync: false };
    const first = executionWithoutKey(newId('paymentIntent'));
    const created = await createPaymentIntent(dependencies(), call, first);
    await test.database.paymentIntent.update({ where: { id: first.resourceId }, data: { status: 'canceled' } });
    await deleteCustomer(test.database, principal, customerId);

    const repeated = await createPaymentIntent(dependencies(), call, { ...first, resumed: true });
    const answered = z.object({ success: z.boolean(), data: z.looseObject({}) }).parse(JSON.parse(created.body));
    const canceled = { ...answered.data, status: 'canceled', expiresAt: null };
    assert.deepEqual(JSON.parse(repeated.body), { ...answered, data: canceled });
    const another = { ...first, resourceId: newId('paymentIntent'), resumed: true };
    await assert.rejects(createPaymentIntent(dependencies(), call, another), { code: 'CUSTOMER_NOT_FOUND' });
  });
});
