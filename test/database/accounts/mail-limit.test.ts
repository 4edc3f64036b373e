import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { describe, it } from 'mocha';
import { createMailLimit, MAILS_BY_STRANGERS_PER_ADDRESS } from '../../../accounts/mail-limit.ts';
import { MINUTE_MS } from '../../../domain/time.ts';
import { createMailer, type Mail } from '../../../mail/mailer.ts';
import {
  alreadySignedUpMail,
  invitationMail,
  passwordChangedMail,
  passwordResetMail,
  verificationMail,
} from '../../../mail/messages.ts';
import { useTestDatabase } from '../../support/database.ts';

describe('the mails that strangers can have sent', function () {
  // A mail that is refused is tried three times, with pauses.
  this.timeout(MINUTE_MS);
  const test = useTestDatabase();

  it('are limited for an address over all kinds and processes, and those of its owner are not', async () => {
    const to = `${randomUUID()}@example.com`;
    const url = 'https://dashboard.example/link';
    const kinds: readonly Mail[] = [
      verificationMail(to, url),
      alreadySignedUpMail(to, url),
      passwordResetMail(to.toUpperCase(), url),
      invitationMail({ to, merchantName: 'Shop', role: 'support', url }),
    ];
    // A server that refuses every mail: those that are not even tried are told apart by their log.
    const server = createServer((socket) => socket.end('554 no service\r\n')).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    assert.ok(address !== null && typeof address === 'object');
    const counted: boolean[] = [];
    const limit = createMailLimit(test.database);
    const options = {
      smtpUrl: `smtp://127.0.0.1:${address.port}`,
      from: 'payments@example.com',
      mayGetAnother: async (recipient: string) => {
        const may = await limit(recipient);
        counted.push(may);
        return may;
      },
      logger: { warn: () => undefined },
    };
    try {
      const mailers = [createMailer(options), createMailer(options)];
      const sent = MAILS_BY_STRANGERS_PER_ADDRESS + 4;
      for (let number = 0; number < sent; number += 1) {
        const mail = kinds[number % kinds.length];
        assert.ok(mail !== undefined);
        mailers[number % mailers.length]?.post(mail);
        mailers[0]?.post(passwordChangedMail(to));
      }
      await Promise.all(mailers.map((mailer) => mailer.close()));
      assert.equal(counted.length, sent);
      assert.equal(counted.filter(Boolean).length, MAILS_BY_STRANGERS_PER_ADDRESS);
      assert.ok(await limit(`${randomUUID()}@example.com`));
    } finally {
      server.close();
    }
  });
});
