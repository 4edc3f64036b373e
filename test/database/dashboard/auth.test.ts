import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { pino } from 'pino';
import { createAuth } from '../../../dashboard/server/auth.ts';
import { useAccount } from '../../support/account-fixture.ts';

const DASHBOARD = 'https://dashboard.example';

describe('the log of the dashboard', () => {
  const test = useAccount();

  it('has no card number, no e-mail address and no long text of a stranger', async () => {
    const lines: string[] = [];
    const auth = createAuth({
      publicUrl: DASHBOARD,
      secret: 'x'.repeat(32),
      signUp: 'invitation',
      openIdProvider: null,
      simulators: [],
      database: test.database,
      mailer: { post: () => assert.fail('a mail was sent'), close: () => Promise.resolve() },
      logger: pino({}, { write: (line: string) => void lines.push(line) }),
    });
    const url = new URL('/auth/verify-email', DASHBOARD);
    const wrong = `https://4242424242424242.example/?a=person@shop.example&b=${'long '.repeat(10_000)}`;
    url.search = new URLSearchParams({ token: 'x', callbackURL: wrong }).toString();
    const { status } = await auth.handle(new Request(url));
    assert.deepEqual([status, lines.length], [403, 1]);
    assert.match(lines[0] ?? '', /Invalid callbackURL: \[redacted\] long /);
    assert.doesNotMatch(lines[0] ?? '', /4242|shop\.example/);
    assert.ok((lines[0] ?? '').length < 1_000);
  });
});
