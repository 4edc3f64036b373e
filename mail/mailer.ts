import { createTransport } from 'nodemailer';
import { SECOND_MS } from '../domain/time.ts';

/** A mail to one person, in plain text. */
export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  /** Whether somebody who only knows the address can have it sent, again and again. */
  readonly byStrangers?: true;
}

export interface Mailer {
  /** Hands the mail to the server without waiting. A failure is logged, without the mail's text. */
  post(mail: Mail): void;
  /** Waits for the mails that are under way. */
  close(): Promise<void>;
}

export interface MailerOptions {
  /** `smtp://user:password@host:port`, or `smtps://` for TLS from the start. */
  readonly smtpUrl: string;
  /** `Name <address>` */
  readonly from: string;
  /** Counts a mail that strangers can have sent; resolves with whether the address may get it. */
  readonly mayGetAnother: (to: string) => Promise<boolean>;
  readonly logger: { warn(fields: object, message: string): void };
}

const TIMEOUTS = { connectionTimeout: 10 * SECOND_MS, greetingTimeout: 10 * SECOND_MS, socketTimeout: 20 * SECOND_MS };
const CONNECTIONS = 2;
/** Mails that wait for the server; further ones are dropped, so that a server that is gone fills no memory. */
const MAXIMUM_WAITING = 1_000;
const TRIES = 3;
const PAUSE_MS = 2 * SECOND_MS;

/** Sends mails through an SMTP server, each with up to three tries. */
export function createMailer({ smtpUrl, from, mayGetAnother, logger }: MailerOptions): Mailer {
  const transport = createTransport({ url: smtpUrl, pool: true, maxConnections: CONNECTIONS, ...TIMEOUTS }, { from });
  const underWay = new Set<Promise<void>>();

  /** Where mails cannot be counted, they are sent: nobody would get in otherwise. */
  const isAllowed = async ({ to, byStrangers }: Mail): Promise<boolean> =>
    byStrangers !== true || (await mayGetAnother(to).catch(() => true));

  const deliver = async ({ byStrangers: _byStrangers, ...mail }: Mail): Promise<void> => {
    for (let tried = 1; ; tried += 1) {
      try {
        await transport.sendMail({ ...mail, disableFileAccess: true, disableUrlAccess: true });
        return;
      } catch (error) {
        if (tried === TRIES) return logger.warn({ err: error, subject: mail.subject }, 'a mail was not sent');
        await new Promise((resolve) => setTimeout(resolve, PAUSE_MS * tried).unref());
      }
    }
  };

  return {
    post(mail) {
      if (underWay.size >= MAXIMUM_WAITING) {
        return logger.warn({ subject: mail.subject }, 'a mail was dropped, because too many wait');
      }
      const send = async () => {
        if (await isAllowed(mail)) return await deliver(mail);
        logger.warn({ subject: mail.subject }, 'a mail was not sent, because its address gets too many');
      };
      const delivery = send().finally(() => underWay.delete(delivery));
      underWay.add(delivery);
    },
    async close() {
      await Promise.all(underWay);
      transport.close();
    },
  };
}
