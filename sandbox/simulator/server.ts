import type { RequestListener } from 'node:http';
import { pino, type LevelWithSilent } from 'pino';
import { MINUTE_MS, SECOND_MS } from '../../domain/time.ts';
import { createSimulatorApp } from './app.ts';
import { DEFAULT_BOOKS_LIMITS, openBooks, type BooksLimits } from './ledger.ts';
import type { Delays } from './payment-state-machine.ts';
import { createFaults } from './faults.ts';
import { createHeldReplies } from './held-replies.ts';
import { createHttpServer } from './http-server.ts';
import { createPaymentDesk } from './payment-service.ts';
import { createRefundDesk } from './refund-service.ts';
import { createWebhookOutbox, type WebhookTimings } from './webhook-outbox.ts';
import { createWebhookSender } from './webhook-sender.ts';

const HOST = '127.0.0.1';
const KEEP_ALIVE_MS = 65 * SECOND_MS;
/** How long requests on their way may take when the simulator stops. */
const STOP_GRACE_MS = 5 * SECOND_MS;

export interface SimulatorSettings {
  /** `alpha` fails where the failover card is used. */
  readonly name: string;
  /** 0 takes any free port; `publicUrl` is then the address that came of it. */
  readonly port: number;
  readonly apiKey: string;
  /** `whsec_` and base64. */
  readonly webhookSecret: string;
  readonly webhookUrl: string;
  /** Where customers reach the 3-D Secure page. */
  readonly publicUrl: string;
  /** The journal. */
  readonly dataFile: string;
  readonly logLevel: LevelWithSilent;
}

export interface SimulatorTuning extends WebhookTimings, Delays {
  readonly webhookTimeoutMs: number;
  /** How long a connection without a reply is held. */
  readonly holdMs: number;
  readonly limits: BooksLimits;
}

const DEFAULT_TUNING: SimulatorTuning = {
  webhookTimeoutMs: 10 * SECOND_MS,
  webhookRetryMs: SECOND_MS,
  maximumWebhookRetryMs: MINUTE_MS,
  webhookHoldBackMs: 3 * SECOND_MS,
  approvalDelayMs: SECOND_MS,
  depositDelayMs: SECOND_MS,
  confirmationDelayMs: SECOND_MS,
  holdMs: MINUTE_MS,
  limits: DEFAULT_BOOKS_LIMITS,
};

export interface RunningSimulator {
  readonly url: string;
  /** Finishes what is under way; everything else is in the journal for the next start. Safe to repeat. */
  close(): Promise<void>;
}

/**
 * Starts one instance of the sandbox simulator.
 * @throws the listening error (`EADDRINUSE`) before the journal is touched, or a sentence about a damaged journal
 */
export async function startSimulator(
  settings: SimulatorSettings,
  tuning: Partial<SimulatorTuning> = {},
): Promise<RunningSimulator> {
  const tuned = { ...DEFAULT_TUNING, ...tuning };
  let listener: RequestListener = answerStarting;
  const server = createHttpServer((request, response) => {
    listener(request, response);
  }, KEEP_ALIVE_MS);
  const url = `http://${HOST}:${await server.listen(HOST, settings.port)}`;
  try {
    const parts = await assemble(settings, tuned, settings.port === 0 ? url : settings.publicUrl);
    listener = parts.listener;
    const close = async () => {
      parts.stopTaking();
      await server.close(STOP_GRACE_MS);
      await parts.stop();
    };
    let closing: Promise<void> | undefined;
    return { url, close: () => (closing ??= close()) };
  } catch (error) {
    await server.close(STOP_GRACE_MS);
    throw error;
  }
}

async function assemble(settings: SimulatorSettings, tuning: SimulatorTuning, publicUrl: string) {
  const { name, apiKey, webhookSecret, webhookUrl } = settings;
  const logger = pino({ level: settings.logLevel, base: { service: 'simulator', instance: name } });
  const books = await openBooks(settings.dataFile, tuning.limits);
  const faults = createFaults(Math.random);
  const heldReplies = createHeldReplies(tuning.holdMs);
  const sender = createWebhookSender(webhookUrl, webhookSecret, tuning.webhookTimeoutMs);
  const outbox = createWebhookOutbox({ books, faults, logger, sender, timings: tuning });
  const desk = createPaymentDesk({
    books,
    instanceName: name,
    secret: apiKey,
    publicUrl,
    delays: tuning,
    ignoresClosures: () => faults.settings().ignoresClosures,
    onEvent: outbox.send,
    onError: (error) => {
      logger.error({ err: error }, 'payment could not go on');
    },
  });
  const refundDesk = createRefundDesk({ books, onEvent: outbox.send });
  outbox.resume();
  desk.resume();
  return {
    listener: createSimulatorApp({ apiKey, instanceName: name, books, desk, refundDesk, faults, heldReplies, logger }),
    stopTaking() {
      heldReplies.releaseAll();
    },
    async stop() {
      desk.stop();
      await outbox.stop();
      books.close();
    },
  };
}

const answerStarting: RequestListener = (_request, response) => {
  response.writeHead(503, { 'content-type': 'application/json', 'retry-after': '1' });
  response.end(JSON.stringify({ error: { code: 'starting', message: 'The books are being read.' } }));
};
