import type { RequestListener } from 'node:http';
import { pino, type LevelWithSilent } from 'pino';
import { isLoopback } from '../../domain/ip-address.ts';
import { MINUTE_MS, SECOND_MS } from '../../domain/time.ts';
import { createSimulatorApp } from './app.ts';
import { DEFAULT_LEDGER_LIMITS, openLedger, type LedgerLimits } from './ledger.ts';
import type { Delays } from './payment-state-machine.ts';
import { createFaultInjector } from './faults.ts';
import { createHeldReplies } from './held-replies.ts';
import { createHttpServer } from './http-server.ts';
import { createDisputeService } from './dispute-service.ts';
import { createPaymentService } from './payment-service.ts';
import { createRefundService } from './refund-service.ts';
import { createSettlementService } from './settlement-service.ts';
import { createWebhookOutbox, type WebhookTimings } from './webhook-outbox.ts';
import { createWebhookSender } from './webhook-sender.ts';

const LOOPBACK = '127.0.0.1';
/** How long requests in progress may take when the simulator stops. */
const STOP_GRACE_MS = 5 * SECOND_MS;

export interface SimulatorSettings {
  /** `alpha` fails where the failover card is used. */
  readonly name: string;
  /** Where it listens; this machine alone by default. */
  readonly host?: string;
  /** 0 chooses a free port; `publicUrl` is then the address with that port. */
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
  readonly limits: LedgerLimits;
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
  limits: DEFAULT_LEDGER_LIMITS,
};

export interface RunningSimulator {
  readonly url: string;
  /** Finishes requests in progress; the journal keeps everything else for the next start. Safe to repeat. */
  close(): Promise<void>;
}

/**
 * Starts one instance of the sandbox simulator.
 * @throws the listening error (`EADDRINUSE`) before the journal is opened, or an error about a damaged journal
 */
export async function startSimulator(
  settings: SimulatorSettings,
  tuning: Partial<SimulatorTuning> = {},
): Promise<RunningSimulator> {
  const tuned = { ...DEFAULT_TUNING, ...tuning };
  let listener: RequestListener = answerStarting;
  const server = createHttpServer((request, response) => {
    listener(request, response);
  });
  const { host = LOOPBACK } = settings;
  const url = `http://${host}:${await server.listen(host, settings.port)}`;
  try {
    const parts = await assemble(settings, tuned, settings.port === 0 ? url : settings.publicUrl);
    listener = parts.listener;
    const close = async () => {
      parts.releaseHeldReplies();
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
  const { name, host = LOOPBACK, apiKey, webhookSecret, webhookUrl } = settings;
  const logger = pino({ level: settings.logLevel, base: { service: 'simulator', instance: name } });
  const ledger = await openLedger(settings.dataFile, tuning.limits);
  const faults = createFaultInjector(Math.random);
  const heldReplies = createHeldReplies(tuning.holdMs);
  const sender = createWebhookSender(webhookUrl, webhookSecret, tuning.webhookTimeoutMs);
  const outbox = createWebhookOutbox({ ledger, faults, logger, sender, timings: tuning });
  const disputeService = createDisputeService({ ledger, onEvent: outbox.send });
  const paymentService = createPaymentService({
    ledger,
    instanceName: name,
    secret: apiKey,
    publicUrl,
    delays: tuning,
    ignoresClosures: () => faults.settings().ignoresClosures,
    onEvent: outbox.send,
    onDisputed: disputeService.carryOut,
    onError: (error) => {
      logger.error({ err: error }, 'a scheduled step of a payment failed');
    },
  });
  const refundService = createRefundService({ ledger, onEvent: outbox.send });
  outbox.resume();
  paymentService.resume();
  return {
    listener: createSimulatorApp({
      apiKey,
      instanceName: name,
      // Whoever lets other machines reach it decides by which names they do.
      hosts: isLoopback(host) ? [new URL(publicUrl).hostname] : null,
      ledger,
      paymentService,
      refundService,
      disputeService,
      settlementService: createSettlementService(ledger),
      faults,
      heldReplies,
      logger,
    }),
    releaseHeldReplies() {
      heldReplies.releaseAll();
    },
    async stop() {
      paymentService.stop();
      await outbox.stop();
      ledger.close();
    },
  };
}

const answerStarting: RequestListener = (_request, response) => {
  response.writeHead(503, { 'content-type': 'application/json', 'retry-after': '1' });
  response.end(JSON.stringify({ error: { code: 'starting', message: 'The ledger is being read.' } }));
};
