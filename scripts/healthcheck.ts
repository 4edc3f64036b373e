import { readFile } from 'node:fs/promises';
import http from 'node:http';
import https from 'node:https';
import { messageOf } from '../domain/message-of.ts';
import { SECOND_MS } from '../domain/time.ts';

const ANSWERS_WITHIN_MS = 5 * SECOND_MS;
const API_PORT = '3000';

/**
 * `node dist/scripts/healthcheck.js [PORT] [PATH] [CERTIFICATE FILE]`: whether the process that listens there is ready, by HTTPS if it
 * has a certificate. The exit code says it; an image has no other program that could ask.
 */
const [port = API_PORT, path = '/readyz', certificateFile = ''] = process.argv.slice(2);
try {
  const status = await requestStatus();
  if (status !== 200) throw new Error(`it answers ${status}`);
} catch (error) {
  console.error(`Port ${port}, ${path}: ${messageOf(error)}`);
  process.exitCode = 1;
}

async function requestStatus(): Promise<number | undefined> {
  const target = { host: '127.0.0.1', port, path, signal: AbortSignal.timeout(ANSWERS_WITHIN_MS) };
  const request =
    certificateFile === '' ? http.get(target) : https.get({ ...target, ...(await trustOnly(certificateFile)) });
  return new Promise((resolve, reject) => {
    request.once('error', reject).once('response', (response) => {
      response.resume();
      resolve(response.statusCode);
    });
  });
}

/** Trusts the certificate itself, without its authority. It need not name 127.0.0.1. */
async function trustOnly(file: string) {
  return { ca: await readFile(file), allowPartialTrustChain: true, checkServerIdentity: () => undefined };
}
