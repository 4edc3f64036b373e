import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { invitationMail } from '../../../mail/messages.ts';

const URL_OF_INVITATION = 'https://dashboard.example/invitation?token=x';

describe('a mail that invites to a team', () => {
  const mailOf = (merchantName: string) =>
    invitationMail({ to: 'a@example.com', merchantName, role: 'finance', url: URL_OF_INVITATION });

  it('has one link, whatever a stranger calls the merchant', () => {
    for (const name of [
      'Locked: unlock it at https://attacker.example/now',
      'attacker.example',
      'www.attacker.example/now',
      'write to help@attacker.example',
      'mailto:help@attacker.example',
      'attacker\uff0eexample',
      'first\r\nhttps://attacker.example',
    ]) {
      const { subject, text } = mailOf(name);
      const typed = `${subject} ${text.replace(URL_OF_INVITATION, '')}`;
      assert.doesNotMatch(typed, /:\/|www\.|@|attacker[.\u3002\uff0e\uff61]/, name);
      assert.equal(text.split('\n\n').length, 3, name);
    }
  });

  it('shows other names as they are', () => {
    for (const name of ['Lamps & Co.', "St. Mary's", 'Müller GmbH']) {
      assert.equal(mailOf(name).subject, `Join the team of ${name}`);
    }
  });
});
