import { createServer } from 'node:http';
import { SMTPServer } from 'smtp-server';
import { readMailboxConfig } from '../../config/sandbox.ts';
import { runScript } from '../stack/explain-error.ts';
import { createMailbox, readMail } from './mailbox.ts';
import { createMailboxApp } from './app.ts';

const MAXIMUM_MAIL_BYTES = 262_144;
const MAXIMUM_CLIENTS = 20;
/** Wherever the engine listens: its mails have links that choose passwords. */
const LOOPBACK = '127.0.0.1';

/** The mailbox of the sandbox: a mail server that delivers nothing, and a page that shows what it was given. */
async function main(): Promise<void> {
  const { port, smtpPort } = readMailboxConfig();
  const mailbox = createMailbox();
  const smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ['AUTH', 'STARTTLS'],
    size: MAXIMUM_MAIL_BYTES,
    maxClients: MAXIMUM_CLIENTS,
    onData(stream, session, done) {
      const recipients = session.envelope.rcptTo.map(({ address }) => address);
      readMail(stream, recipients).then(
        (mail) => {
          mailbox.add(mail);
          done();
        },
        (error: unknown) => done(error instanceof Error ? error : new Error(String(error))),
      );
    },
  });
  const server = createServer(createMailboxApp(mailbox, LOOPBACK));
  await Promise.all([
    new Promise<void>((resolve, reject) => {
      smtp.once('error', reject);
      smtp.listen(smtpPort, LOOPBACK, () => resolve());
    }),
    new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen({ host: LOOPBACK, port }, () => resolve());
    }),
  ]);
  smtp.on('error', () => undefined);
  const stopped = new Promise<void>((resolve) => {
    for (const event of ['SIGTERM', 'SIGINT', 'disconnect']) process.on(event, () => resolve());
  });
  process.stdout.write(`mailbox listening on http://${LOOPBACK}:${port}\n`);
  await stopped;
  server.closeAllConnections();
  await Promise.all([
    new Promise((resolve) => server.close(resolve)),
    new Promise<void>((resolve) => smtp.close(() => resolve())),
  ]);
}

await runScript(main);
process.exit();
