import type { Role } from '../domain/roles.ts';
import type { Mail } from './mailer.ts';

/** The words of a role for people. */
const ROLE_NAMES: Readonly<Record<Role, string>> = {
  owner: 'owner',
  developer: 'developer',
  support: 'support',
  finance: 'finance',
  read_only: 'read-only',
};

/** What people type may not make further lines, and so no further text of a mail, nor anything that a mail program takes for a link. */
function oneLine(text: string): string {
  return text
    .replace(/[\p{C}\s]+/gu, ' ')
    .replace(/[.\u3002\uff0e\uff61:/@]+(?=\S)/gu, ' ')
    .trim()
    .slice(0, 200);
}

/** Asks a person to confirm an e-mail address. */
export function verificationMail(to: string, url: string): Mail {
  return {
    to,
    byStrangers: true,
    subject: 'Confirm your e-mail address',
    text: [
      'Open this link to confirm your e-mail address for the payment dashboard:',
      url,
      'The link is valid for one hour. If you did not sign up, ignore this mail: without the link nothing happens.',
    ].join('\n\n'),
  };
}

/** Tells the owner of an address that somebody tried to sign up with it. */
export function alreadySignedUpMail(to: string, dashboardUrl: string): Mail {
  return {
    to,
    byStrangers: true,
    subject: 'You have an account already',
    text: [
      'Somebody, perhaps you, tried to sign up for the payment dashboard with this e-mail address, which has an account already.',
      `Sign in, or choose "Forgot password" there: ${dashboardUrl}/sign-in`,
      'If it was not you, ignore this mail: nothing has changed.',
    ].join('\n\n'),
  };
}

/** Lets a person choose another password. */
export function passwordResetMail(to: string, url: string): Mail {
  return {
    to,
    byStrangers: true,
    subject: 'Choose another password',
    text: [
      'Open this link to choose another password for the payment dashboard:',
      url,
      'The link is valid for one hour and works once. If you did not ask for it, ignore this mail: your password stays as it is.',
    ].join('\n\n'),
  };
}

/** Tells a person that the password was changed. */
export function passwordChangedMail(to: string): Mail {
  return {
    to,
    subject: 'Your password was changed',
    text: [
      'The password of your account at the payment dashboard was changed, and all sessions were ended.',
      'If it was not you, choose "Forgot password" on the sign-in page at once, and tell an owner of your team.',
    ].join('\n\n'),
  };
}

/** Tells a person that signing in takes a second factor from now on. */
export function secondFactorOnMail(to: string): Mail {
  return {
    to,
    subject: 'Your second factor is on',
    text: [
      'Signing in to your account at the payment dashboard takes a code of your authenticator app from now on. Sessions that began without one were ended.',
      'If it was not you, choose "Forgot password" on the sign-in page at once, and tell an owner of your team.',
    ].join('\n\n'),
  };
}

/** Tells a person that signing in takes no second factor any more. */
export function secondFactorOffMail(to: string): Mail {
  return {
    to,
    subject: 'Your second factor is off',
    text: [
      'The second factor of your account at the payment dashboard was turned off. The password alone signs you in now.',
      'If it was not you, choose "Forgot password" on the sign-in page at once, and tell an owner of your team.',
    ].join('\n\n'),
  };
}

/** Tells a person that somebody removed it from a team. */
export function removedFromTeamMail(to: string): Mail {
  return {
    to,
    subject: 'You are no longer in your team',
    text: [
      'Somebody removed you from your team at the payment dashboard. Your sessions were ended.',
      'If you did not expect it, ask an owner of the team, or the support of the platform, at once.',
    ].join('\n\n'),
  };
}

/** What an invitation says. */
export interface InvitationMail {
  readonly to: string;
  readonly merchantName: string;
  readonly role: Role;
  readonly url: string;
}

/** Invites a person into the team of a merchant. */
export function invitationMail({ to, merchantName, role, url }: InvitationMail): Mail {
  return {
    to,
    byStrangers: true,
    subject: `Join the team of ${oneLine(merchantName)}`,
    text: [
      `You are invited into the team of ${oneLine(merchantName)} at the payment dashboard, in the role "${ROLE_NAMES[role]}".`,
      `Open this link to join: ${url}`,
      'The link is valid for 7 days and for this e-mail address only. If you did not expect it, ignore this mail.',
    ].join('\n\n'),
  };
}

/** A webhook endpoint that has failed for a while. */
export interface FailingEndpointMail {
  readonly to: string;
  readonly merchantName: string;
  readonly accountName: string;
  readonly environment: string;
  readonly failingSince: Date;
  /** What failed last, such as `status 500`. */
  readonly lastFailure: string | null;
  /** The page of the endpoint. */
  readonly url: string;
}

/** Tells a person of a team that an endpoint gets no events. */
export function failingEndpointMail(mail: FailingEndpointMail): Mail {
  const { to, failingSince, lastFailure, url } = mail;
  const [merchant, account] = [oneLine(mail.merchantName), oneLine(mail.accountName)];
  const since = `${failingSince.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  const reason = lastFailure === null ? '' : ` The last answer: ${oneLine(lastFailure)}.`;
  return {
    to,
    subject: `A webhook endpoint of ${merchant} fails`,
    text: [
      `A webhook endpoint of the account "${account}" of ${merchant} (${mail.environment}) has taken no event since ${since}.${reason}`,
      'Its events wait, and are sent when it answers again. An endpoint that fails for five days is turned off.',
      `Open the endpoint to see what it answers: ${url}`,
    ].join('\n\n'),
  };
}
