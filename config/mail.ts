import type { Values } from './variables.ts';

/** Where e-mail is handed over, and who it comes from. */
export interface MailConfig {
  readonly smtpUrl: string;
  readonly from: string;
}

/** The mail server; null where none is set. */
export function mailConfig(
  { SMTP_URL: smtpUrl, MAIL_FROM: from }: Values<'SMTP_URL' | 'MAIL_FROM'>,
  problems: string[],
): MailConfig | null {
  if ((smtpUrl === null) !== (from === null))
    problems.push('SMTP_URL and MAIL_FROM must be set together or not at all.');
  return smtpUrl === null || from === null ? null : { smtpUrl, from };
}
