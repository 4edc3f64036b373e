import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { after, afterEach, before, describe, it } from 'mocha';
import { kindOfProviderAccount, PROVIDER_KIND_NAMES, providerAccountIdOf } from '../../../domain/provider-account.ts';
import { PROVIDER_KINDS } from '../../../providers/provider-kinds.ts';
import type { RefundRequest } from '../../../providers/payment-provider.ts';
import { ProviderOutageError } from '../../../providers/provider-errors.ts';
import {
  type ScriptedServer,
  SIMULATOR_WEBHOOK_SECRET,
  startScriptedServer,
  UNREACHABLE_URL,
} from '../../support/simulator-harness.ts';
import { createTestKinds } from '../../support/provider-kinds.ts';

const REFUND: RefundRequest = {
  refundId: 're_01a20ac8fecc755f8135e12a456ca947',
  environment: 'sandbox',
  attemptId: 'att_01a20ac8fecc755f8135e12a456ca947_1',
  providerPaymentId: 'pi_of_provider',
  amountMinor: 100,
  currency: 'INR',
};
const credentials = { apiKey: 'right-key', webhookSecret: SIMULATOR_WEBHOOK_SECRET };

/** Which credentials of a kind are sent as headers, and some that are right. */
const SENT = {
  simulator: [['apiKey'], credentials],
  stripe: [['secretKey'], { secretKey: `sk_test_${'a'.repeat(24)}`, webhookSecret: `whsec_${'a'.repeat(24)}` }],
  adyen: [['apiKey'], { apiKey: 'key', merchantAccount: 'Lamps', hmacKey: 'ab'.repeat(32) }],
  cashfree: [['clientId', 'clientSecret'], { clientId: 'id', clientSecret: 'secret', fallbackPhone: '9999999999' }],
} as const;

describe('kinds of providers', () => {
  afterEach(() => mock.timers.reset());

  let server: ScriptedServer;
  let status = 200;

  before(async () => {
    server = await startScriptedServer(({ headers }) => ({
      status: headers.authorization === 'Bearer right-key' ? status : 401,
    }));
  });
  after(() => server.close());

  const kindsAt = (apiUrl: string | null, allowSimulatorInProduction = false) =>
    createTestKinds({
      apiUrls: new Map(apiUrl === null ? [] : [['simulator', apiUrl]]),
      timeoutMs: 10_000,
      allowSimulatorInProduction,
    });

  it('have accounts of simulators only where one is configured, and in production only if that is allowed', () => {
    assert.equal(kindsAt(null, true).find('simulator', 'sandbox'), undefined);
    assert.ok(kindsAt(server.url).namesFor('sandbox').includes('simulator'));
    assert.ok(!kindsAt(server.url).namesFor('production').includes('simulator'));
    assert.ok(kindsAt(server.url, true).namesFor('production').includes('simulator'));
  });

  it('send credentials of production to an address of their own over HTTPS alone', () => {
    for (const kind of PROVIDER_KIND_NAMES.filter((name) => name !== 'simulator')) {
      for (const [apiUrl, isOffered] of [
        ['http://fake.example', false],
        ['https://fake.example', true],
      ] as const) {
        const kinds = createTestKinds({
          apiUrls: new Map([[kind, apiUrl]]),
          timeoutMs: 1_000,
          allowSimulatorInProduction: true,
        });
        assert.equal(kinds.find(kind, 'production') !== undefined, isOffered, `${kind} at ${apiUrl}`);
        assert.ok(kinds.find(kind, 'sandbox') !== undefined);
      }
    }
  });

  it('say of each credential what it is, and which are secret', () => {
    for (const kind of PROVIDER_KIND_NAMES) {
      const described = Object.values(PROVIDER_KINDS[kind].credentials);
      assert.ok(described.some(({ isSecret }) => isSecret));
      assert.ok(described.every(({ meaning }) => meaning !== ''));
    }
  });

  it('keep to the limit of requests that the operator sets', async () => {
    const accounts = {
      stripe: { secretKey: 'sk_test_0123456789', webhookSecret: 'whsec_0123456789' },
      adyen: { apiKey: 'an-api-key-of-adyen', merchantAccount: 'Shop', hmacKey: '0'.repeat(64) },
      cashfree: { clientId: 'client', clientSecret: 'secret-of-cashfree', fallbackPhone: '9876543210' },
    };
    // The next one's turn comes each second: here it never comes, however slow the machine is.
    mock.timers.enable({ apis: ['setInterval'] });
    for (const kind of ['stripe', 'adyen', 'cashfree'] as const) {
      const kinds = createTestKinds({
        apiUrls: new Map([[kind, UNREACHABLE_URL]]),
        timeoutMs: 1_000,
        requestsPerSecond: new Map([[kind, 1]]),
        allowSimulatorInProduction: false,
      });
      const provider = kinds.find(kind, 'sandbox')?.create({ name: `${kind}_1`, credentials: accounts[kind] });
      assert.ok(provider);
      const refundBy = ({ signal }: AbortController): Promise<unknown> => provider.refund(REFUND, signal);
      // One is sent, ten wait for their turn, and the others are refused at once.
      const callers = Array.from({ length: 20 }, () => new AbortController());
      const refunds = Promise.allSettled(callers.map(refundBy));
      const refused = { code: 'TSP_UNAVAILABLE', message: /wait for the limit/ };
      await assert.rejects(refundBy(new AbortController()), refused);
      for (const caller of callers) caller.abort(new Error('given up'));
      const reasons = (await refunds).map((each) => each.status === 'rejected' && `${each.reason}`);
      assert.equal(
        reasons.filter((reason) => reason !== false && reason.includes('wait for the limit')).length,
        9,
        kind,
      );
    }
  });

  it('say that they answer disputes where their adapters do, and only there', () => {
    for (const kind of ['simulator', 'stripe', 'adyen', 'cashfree'] as const) {
      const kinds = kindsAt(server.url);
      const { submitEvidence, acceptDispute } =
        kinds.find(kind, 'sandbox')?.create({ name: `${kind}_1`, credentials: SENT[kind][1] }) ?? assert.fail(kind);
      const isOffered = PROVIDER_KINDS[kind].disputeAnswers !== null;
      assert.deepEqual([submitEvidence !== undefined, acceptDispute !== undefined], [isOffered, isOffered], kind);
    }
    assert.equal(PROVIDER_KINDS.evm.disputeAnswers, null, 'nobody disputes a transfer of tokens');
  });

  it('take no credential that cannot be sent as a header', () => {
    for (const kind of ['simulator', 'stripe', 'adyen', 'cashfree'] as const) {
      const [names, good] = SENT[kind];
      const { schema } = PROVIDER_KINDS[kind];
      assert.ok(schema.safeParse(good).success, kind);
      for (const name of Object.keys(good)) {
        const { error } = schema.safeParse({ ...good, [name]: '\u0436' });
        assert.match(error?.issues[0]?.message ?? '', /^Expected .*; got another text\.$/, `${kind}: ${name}`);
      }
      for (const name of names) {
        for (const text of ['\u0436', '\u20ac', 'a\r\nb: c', 'a\u0000', '']) {
          const bad = { ...good, [name]: text };
          assert.ok(!schema.safeParse(bad).success, `${kind} takes ${JSON.stringify(text)} as its ${name}`);
        }
      }
    }
  });

  it('are found by the id of an account', () => {
    for (const kind of PROVIDER_KIND_NAMES) {
      const id = providerAccountIdOf(kind, '0'.repeat(32));
      assert.equal(kindOfProviderAccount(id), kind, `the name ${kind} must be lower-case letters alone`);
    }
  });

  it('check credentials with a request that tells a wrong key from an outage', async () => {
    const kind = kindsAt(server.url).find('simulator', 'sandbox');
    assert.ok(kind);
    const check = (apiKey: string) =>
      kind.check({ name: 'simulator_1', credentials: { ...credentials, apiKey } }, new AbortController().signal);
    assert.equal(await check('right-key'), null);
    assert.match((await check('wrong-key')) ?? '', /API key/);
    status = 500;
    await assert.rejects(check('right-key'), ProviderOutageError);
  });

  it('offer what their credentials allow', () => {
    const { capabilitiesOf } = PROVIDER_KINDS.cashfree;
    assert.deepEqual(capabilitiesOf({ preauthorization: 'true' }).captureMethods, ['automatic', 'manual']);
    assert.deepEqual(capabilitiesOf({}).captureMethods, ['automatic']);
  });

  it('refuse credentials of another form', () => {
    const kind = kindsAt(server.url).find('simulator', 'sandbox');
    assert.throws(() => kind?.create({ name: 'simulator_1', credentials: { ...credentials, webhookSecret: 'x' } }));
  });
});
