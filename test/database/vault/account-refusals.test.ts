import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { checkCredentials, rotateCredentials, updateAccount } from '../../../accounts/provider-accounts/write.ts';
import { readAccount } from '../../../accounts/provider-accounts/stored-account.ts';
import { stuckStep } from '../../../domain/payment-resolution.ts';
import type { ProviderOperation } from '../../../providers/around-calls.ts';
import { noteRefusals } from '../../../providers/note-refusals.ts';
import { CredentialsRefusedError } from '../../../providers/provider-errors.ts';
import { presentEvent } from '../../../contract/presenters/event.ts';
import { selectEvent } from '../../../prisma/queries/stored-event.ts';
import { describeAdvisory } from '../../../workflows/payment-intent/details.ts';
import { accountRefusals, PROVIDER_CREDENTIALS_REFUSED } from '../../../vault/account-refusals.ts';
import { createProviderAccounts } from '../../../vault/provider-accounts.ts';
import { useAccount } from '../../support/account-fixture.ts';
import { credentialsRefused } from '../../support/outcomes.ts';
import { AT, note, openAttemptOf, opening, record } from '../../support/payment-steps.ts';
import { cardOf, newSignal, requestWith } from '../../support/provider-contract.ts';
import {
  accountAccess,
  ACCOUNTS_KEYRING as keyring,
  insertProviderAccount,
  SIMULATOR_ACCOUNT,
  SIMULATOR_KINDS as kinds,
} from '../../support/provider-accounts.ts';
import { scriptedProvider } from '../../support/scripted-provider.ts';

const REQUEST = requestWith(cardOf('4242424242424242'));
const PENDING = { kind: 'pending', providerPaymentId: 'sim_1' } as const;

describe('credentials of an account that its provider refuses', function () {
  this.timeout(60_000);
  const test = useAccount();

  const newAccount = async () => {
    const id = await insertProviderAccount(test.database, test.account);
    const { dependencies, principal } = await accountAccess(test.database, test.account);
    const logged: unknown[] = [];
    const log = (fields: unknown): void => void logged.push(fields);
    const logger = { error: log, info: () => undefined, warn: assert.fail };
    /** Makes a call as a worker does: it looks the account up, and calls. */
    const call = async (operation: Extract<ProviderOperation, 'authorize' | 'inquire'>, isRefused: boolean) => {
      const line = isRefused ? credentialsRefused : PENDING;
      const provider = await createProviderAccounts({
        database: test.database,
        keyring,
        kinds,
        wrap: (_adapter, account) =>
          noteRefusals(
            scriptedProvider(id, { authorize: [line], inquire: [line] }, () => undefined),
            accountRefusals(test.database, logger, account),
          ),
      }).find(id);
      const answer = provider?.[operation](REQUEST, newSignal());
      if (isRefused) await assert.rejects(answer ?? assert.fail(), CredentialsRefusedError);
      else assert.equal((await answer)?.kind, 'pending');
    };
    const events = async () => {
      const rows = await test.database.event.findMany({ where: { resourceId: id }, orderBy: { insertion: 'asc' } });
      return rows.map(({ type }) => type.replace('provider_account.credentials_', ''));
    };
    return {
      id,
      dependencies,
      principal,
      logged,
      call,
      events,
      since: async () => (await readAccount(test.database, principal, id)).credentialsRefusedSince,
      rotate: () =>
        rotateCredentials(dependencies, principal, {
          id,
          rotationId: 'rotation_1',
          credentials: SIMULATOR_ACCOUNT.credentials,
        }),
    };
  };

  it('are told once, by the account, an event and an alert, and again once the same operation is answered', async () => {
    const { id, call, since, events, logged } = await newAccount();
    await call('authorize', false);
    assert.equal(await since(), null);
    await call('authorize', true);
    const first = await since();
    assert.ok(first);
    await call('authorize', true);
    await call('inquire', true);
    assert.deepEqual([await since(), await events()], [first, ['refused']]);
    const [alert, ...others] = logged;
    assert.deepEqual(others, []);
    const reason = `${id} does not know the key`;
    assert.deepEqual(alert, { alert: PROVIDER_CREDENTIALS_REFUSED, provider: id, operation: 'authorize', reason });
    // A key that may read need not be one that may charge.
    await call('inquire', false);
    assert.deepEqual(await since(), first);
    await call('authorize', false);
    assert.deepEqual([await since(), await events()], [null, ['refused', 'accepted']]);
  });

  it('are shown by the event as the API shows the account, without secrets', async () => {
    const { id, call, since } = await newAccount();
    await call('authorize', true);
    const [row] = await test.database.event.findMany({ where: { resourceId: id } });
    assert.ok(row && !JSON.stringify(row.snapshot).includes('ciphertext'));
    await test.database.event.updateMany({ where: { id: row.id }, data: { sequence: 1n } });
    const stored = await test.database.direct.row(selectEvent(row.id));
    const event = presentEvent(stored ?? assert.fail());
    assert.ok(event.data.object === 'provider_account');
    assert.deepEqual([event.data.id, event.data.credentialsRefusedSince], [id, (await since())?.toISOString()]);
  });

  it('count as accepted after any answered call once they were replaced, and as refused anew if they are', async () => {
    const { call, since, events, rotate } = await newAccount();
    await call('authorize', true);
    await rotate();
    assert.notEqual(await since(), null);
    await call('inquire', false);
    assert.deepEqual([await since(), await events()], [null, ['refused', 'accepted']]);
    await call('authorize', true);
    await rotate();
    await call('inquire', true);
    assert.deepEqual(await events(), ['refused', 'accepted', 'refused', 'refused']);
  });

  it('are not told of a call that was made before the account was changed', async () => {
    const { id, dependencies, principal, since } = await newAccount();
    const provider = await createProviderAccounts({
      database: test.database,
      keyring,
      kinds,
      wrap: (_adapter, account) => {
        const script = { authorize: [credentialsRefused] };
        const logger = { error: assert.fail, info: assert.fail, warn: assert.fail };
        return noteRefusals(
          scriptedProvider(id, script, () => undefined),
          accountRefusals(test.database, logger, account),
        );
      },
    }).find(id);
    await updateAccount(dependencies, principal, { id, fields: { name: 'Another' } });
    await assert.rejects(provider?.authorize(REQUEST, newSignal()) ?? assert.fail(), CredentialsRefusedError);
    assert.equal(await since(), null);
  });

  it('are found out, and found to work again, by a test', async () => {
    const { id, dependencies, principal, call, since, events } = await newAccount();
    const check = (problem: string | null) => {
      const offered = {
        ...(kinds.find('simulator', 'sandbox') ?? assert.fail()),
        check: () => Promise.resolve(problem),
      };
      return checkCredentials({ ...dependencies, providerKinds: { ...kinds, find: () => offered } }, principal, id);
    };
    assert.equal(await check('It refuses the key.'), 'It refuses the key.');
    assert.notEqual(await since(), null);
    await call('inquire', false);
    assert.equal(await since(), null);
    await call('authorize', true);
    assert.equal(await check(null), null);
    assert.deepEqual([await since(), await events()], [null, ['refused', 'accepted', 'refused', 'accepted']]);
  });

  it('are the reason in the advisory of a payment that waits there, in its details too, until they work again', async () => {
    const { id: provider, call } = await newAccount();
    const id = await test.insertIntent();
    const attempts = [openAttemptOf(id, { provider })];
    await record(test.database, id, opening(id, { columns: { paymentMethodId: 'pm_1', provider }, attempts }));
    await call('inquire', true);
    const payment = await record(test.database, id, stuckStep(AT, 'No outcome for 90 s'));
    const advisory = payment.columns.advisory ?? assert.fail();
    assert.deepEqual([advisory.code, advisory.reason], ['PAYMENT_STUCK', 'credentials_refused']);
    assert.match(describeAdvisory(advisory), /PAYMENT_STUCK.*The provider refuses the credentials of its account/);
    const [stuck] = await test.database.event.findMany({ where: { resourceId: id, type: 'payment_intent.stuck' } });
    assert.match(JSON.stringify(stuck?.snapshot), /"reason":"credentials_refused"/);
    await call('inquire', false);
    await record(test.database, id, note('asked again'));
    const intent = await test.database.paymentIntent.findUniqueOrThrow({ where: { id } });
    assert.deepEqual(intent.advisory, { code: 'PAYMENT_STUCK', since: AT });
  });
});
