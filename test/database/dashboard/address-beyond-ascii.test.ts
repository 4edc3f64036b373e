import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { pino } from 'pino';
import { createAuth } from '../../../dashboard/server/auth.ts';
import { libraryAddressOf } from '../../../dashboard/server/library-address.ts';
import type { Mail } from '../../../mail/mailer.ts';
import { useAccount } from '../../support/account-fixture.ts';

const DASHBOARD = 'https://dashboard.example';
const PASSWORD = 'correct horse battery staple';

describe('a person whose e-mail address is beyond ASCII', () => {
  const test = useAccount();

  const addresses = ['müller@shop.example', 'उपयोगकर्ता@xn--p1b6ci4b4b3a.xn--h2brj9c', "o'neil&sons@shop.example"];
  for (const address of addresses) {
    it(`signs up, confirms the address, signs in and chooses another password: ${address}`, async () => {
      const mails: Mail[] = [];
      const auth = createAuth({
        publicUrl: DASHBOARD,
        secret: 'x'.repeat(32),
        signUp: 'invitation',
        openIdProvider: null,
        simulators: [],
        database: test.database,
        mailer: { post: (mail) => void mails.push(mail), close: () => Promise.resolve() },
        logger: pino({ level: 'silent' }),
      });
      const post = (path: string, body: object) =>
        auth.handle(
          new Request(new URL(`/auth${path}`, DASHBOARD), {
            method: 'POST',
            headers: { 'content-type': 'application/json', origin: DASHBOARD },
            body: JSON.stringify(body),
          }),
        );
      const lastLink = () => new URL(/https:\S+/.exec(mails.at(-1)?.text ?? '')?.[0] ?? assert.fail('no link'));
      const email = libraryAddressOf(address);
      const signIn = (password: string) => post('/sign-in/email', { email, password });

      const signedUp = await post('/sign-up/email', { email, password: PASSWORD, name: 'Person' });
      assert.equal(signedUp.status, 200, await signedUp.text());
      assert.ok(await test.database.person.findUnique({ where: { email: address } }));
      assert.equal((await signIn(PASSWORD)).status, 403);
      await auth.handle(new Request(lastLink()));
      const answered = await signIn(PASSWORD);
      assert.equal(answered.status, 200, await answered.clone().text());
      const cookie = answered.headers.getSetCookie().map((each) => each.split(';')[0]);
      const person = await auth.findPerson(new Headers({ cookie: cookie.join('; ') }));
      assert.equal(person?.email, address);

      assert.equal((await post('/request-password-reset', { email })).status, 200);
      const token = lastLink().searchParams.get('token');
      const newPassword = 'another correct horse battery';
      assert.equal((await post('/reset-password', { token, newPassword })).status, 200);
      assert.equal((await signIn(newPassword)).status, 200);
      assert.deepEqual([...new Set(mails.map(({ to }) => to))], [address]);
      assert.ok(mails.length >= 3);
    });
  }
});
