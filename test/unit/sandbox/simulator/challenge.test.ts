import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { z } from 'zod';
import { contentSecurityPolicy } from '../../../../sandbox/simulator/challenge-page.ts';
import { cardPayment, pay, readLedger } from '../../../support/simulator-client.ts';
import { useSimulator } from '../../../support/simulator-fixture.ts';

const challengedSchema = z.object({ action: z.object({ type: z.literal('redirect'), url: z.url() }) });

describe('3-D Secure page of the simulator', () => {
  const simulator = useSimulator();

  const challenge = async (key: string, returnUrl: string | null) => {
    const { body } = await pay(simulator.url, cardPayment(key, '4000000000003220', { returnUrl }), key);
    return challengedSchema.parse(body).action.url;
  };
  const decide = (url: string, decision: string) =>
    fetch(url, { method: 'POST', body: new URLSearchParams({ decision }), redirect: 'manual' });
  const statusOf = async (key: string) =>
    (await readLedger(simulator.url, { idempotencyKey: key })).data[0]?.payment?.status;

  it('shows the amount and two buttons, and allows nothing but its own form', async () => {
    const response = await fetch(await challenge('shown', 'https://shop.example/back?order=1'));
    const html = await response.text();
    assert.equal(response.status, 200);
    assert.match(html, /<html lang="en">/);
    assert.match(html, /USD 12\.34/);
    assert.equal(html.match(/<button type="submit"/g)?.length, 2);
    const policy = response.headers.get('content-security-policy') ?? '';
    assert.match(policy, /^default-src 'none'; style-src 'sha256-[^']+'; form-action 'self' https:\/\/shop\.example;/);
    assert.match(policy, /frame-ancestors 'none'$/);
  });

  const decisions = [
    { decision: 'approve', status: 'captured' },
    { decision: 'refuse', status: 'declined' },
  ];
  for (const { decision, status } of decisions) {
    it(`makes the payment ${status} on "${decision}" and redirects to the return URL, also when sent twice`, async () => {
      const url = await challenge(decision, 'https://shop.example/back?order=1');
      for (const sent of [decision, decision, 'approve']) {
        const response = await decide(url, sent);
        assert.equal(response.status, 303);
        assert.equal(response.headers.get('location'), 'https://shop.example/back?order=1');
      }
      assert.equal(await statusOf(decision), status);
    });
  }

  it('shows a closing page where there is no return URL', async () => {
    const url = await challenge('closing', null);
    const response = await decide(url, 'approve');
    assert.equal(response.status, 200);
    assert.match(await response.text(), /was approved/);
    assert.match(await (await fetch(url)).text(), /was approved/);
  });

  it('redirects to web addresses only', async () => {
    const response = await decide(await challenge('hostile', 'javascript:alert(1)'), 'approve');
    assert.equal(response.status, 200);
    assert.equal(response.headers.get('location'), null);
  });

  it('rejects an invalid decision and unknown payments', async () => {
    const url = await challenge('undecided', null);
    assert.equal((await decide(url, 'perhaps')).status, 400);
    assert.equal(await statusOf('undecided'), 'requires_action');
    assert.equal((await fetch(new URL('/3ds/sim_unknown', simulator.url))).status, 404);
    assert.equal((await decide(new URL('/3ds/sim_unknown', simulator.url).href, 'approve')).status, 404);
  });

  it('includes only the origin of the return URL in its policy', () => {
    const policy = contentSecurityPolicy(new URL("https://shop.example/a;script-src 'unsafe-inline'"));
    assert.doesNotMatch(policy, /script-src|unsafe-inline/);
  });
});
