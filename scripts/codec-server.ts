import pino from 'pino';
import { runProcess, serveUntilStopped } from '../http/server/run-server.ts';
import { createServer } from '../http/server/server.ts';
import { readCodecServerConfig } from '../config/engine.ts';
import { readKeyring } from '../vault/key-providers.ts';
import { createPayloadCodec } from '../vault/payload-codec.ts';
import { createCodecApp } from './codec-app.ts';

/** `npm run codec-server`: decrypts payloads for support staff, who read them in the Temporal UI. */
async function main(): Promise<void> {
  const config = readCodecServerConfig();
  const codec = createPayloadCodec(await readKeyring(config), { encrypts: true });
  const server = createServer(createCodecApp({ ...config, codec }), {
    tls: config.tls,
    maximumConnectionsPerAddress: 100,
    isTrustedProxy: () => false,
    countRejection: () => Promise.resolve({ headers: {}, exceeded: null }),
    logger: pino({ name: 'codec-server', level: config.logLevel }),
  });
  await serveUntilStopped({
    name: 'codec server',
    portVariable: 'CODEC_SERVER_PORT',
    config,
    server,
    gateway: null,
  });
}

runProcess('codec server', main);
