import { appendFileSync, readFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import { verifyWebhook } from '../../sdk/server/index.ts';

/**
 * `node receiver-program.js PORT RECORD SECRET_FILE`: a merchant's server that takes webhooks. It verifies each one with the
 * secret in the file, and writes down its raw body, or why it was refused, before it answers.
 */
const [port, recordFile = '', secretFile = ''] = process.argv.slice(2);

// The line break comes first, so that an incomplete line of a killed receiver does not damage the next line.
const write = (line: object): void => appendFileSync(recordFile, `\n${JSON.stringify(line)}`, { mode: 0o600 });

async function take(request: IncomingMessage): Promise<number> {
  const payload = await readText(request);
  try {
    verifyWebhook({ payload, headers: request.headers, secret: readFileSync(secretFile, 'utf8').trim() });
  } catch (error) {
    write({ refused: String(error) });
    return 400;
  }
  write({ payload });
  return 204;
}

const server = createServer((request, response) => {
  take(request).then(
    (status) => response.writeHead(status).end(),
    () => response.destroy(),
  );
});
server.listen(Number(port), '127.0.0.1', () => console.log('webhook receiver listening'));
process.on('SIGTERM', () => process.exit(0));
