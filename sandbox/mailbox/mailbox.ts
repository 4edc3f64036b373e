import type { Readable } from 'node:stream';
import { simpleParser } from 'mailparser';

/** A mail as the page shows it. */
export interface ReceivedMail {
  /** From 1, in the order of arrival. */
  readonly number: number;
  /** ISO 8601 in UTC. */
  readonly receivedAt: string;
  readonly from: string;
  readonly to: readonly string[];
  readonly subject: string;
  /** Plain text. */
  readonly text: string;
}

export interface Mailbox {
  add(mail: Omit<ReceivedMail, 'number' | 'receivedAt'>): void;
  /** Newest first. */
  list(): readonly ReceivedMail[];
}

/** Older ones are forgotten. */
const MAXIMUM_MAILS = 200;

/** Mails in memory. */
export function createMailbox(): Mailbox {
  let mails: readonly ReceivedMail[] = [];
  let received = 0;
  return {
    add(mail) {
      received += 1;
      const added = { number: received, receivedAt: new Date().toISOString(), ...mail };
      mails = [added, ...mails].slice(0, MAXIMUM_MAILS);
    },
    list: () => mails,
  };
}

/** Reads a mail as a mail server gets it. */
export async function readMail(
  stream: Readable,
  to: readonly string[],
): Promise<Omit<ReceivedMail, 'number' | 'receivedAt'>> {
  const { from, subject = '', text = '' } = await simpleParser(stream, { skipHtmlToText: true, skipTextToHtml: true });
  return { from: from?.text ?? '', to, subject, text };
}
