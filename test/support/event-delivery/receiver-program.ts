import { appendFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import { verifyWebhook } from '../../../sdk/server/index.ts';
import { createRandom } from './random.ts';

/**
 * `node receiver-program.js PORT RECORD FAILURE_RATE SEED SECRETS`: a merchant's server that takes webhooks at `/0`, `/1` …, each
 * verified with the secret of that endpoint. It writes down whose event it was before it answers 204, and answers 500 at times,
 * before or after it has written. It ends with its parent.
 */
const [port, record = '', failureRate, seed, secrets = ''] = process.argv.slice(2);
const random = createRandom(Number(seed));
const fails = (): boolean => random.next() < Number(failureRate) / 2;

const write = (line: object): void => appendFileSync(record, `${JSON.stringify(line)}\n`);

async function take(request: IncomingMessage): Promise<number> {
  const endpoint = Number(request.url?.slice(1));
  const payload = await readText(request);
  if (fails()) return 500;
  try {
    const secret = secrets.split(',')[endpoint] ?? '';
    const { id, type, sequence, merchantId, data } = verifyWebhook({ payload, headers: request.headers, secret });
    const paymentIntentId = 'paymentIntentId' in data ? data.paymentIntentId : data.id;
    write({ endpoint, id, type, sequence, merchantId, paymentIntentId });
  } catch (error) {
    write({ endpoint, refused: String(error) });
    return 400;
  }
  return fails() ? 500 : 204;
}

const server = createServer((request, response) => {
  take(request).then(
    (status) => response.writeHead(status).end(),
    () => response.destroy(),
  );
});
server.listen(Number(port), '127.0.0.1', () => console.log('receiver listening'));
process.stdin.on('end', () => process.exit()).resume();
