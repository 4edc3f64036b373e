import { randomUUID } from 'node:crypto';
import { type RequestListener, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import express, { type Express } from 'express';
import { type Logger, pino } from 'pino';
import { MINUTE_MS, SECOND_MS } from '../../domain/time.ts';
import { createFaultInjector, type FaultInjector } from '../simulator/faults.ts';
import { createHeldReplies } from '../simulator/held-replies.ts';
import { createErrorHandler } from '../simulator/http-errors.ts';
import { faultsSchema, ledgerQuerySchema, settlementInstructionSchema } from '../simulator/protocol.ts';
import { createWebhookOutbox } from '../simulator/webhook-outbox.ts';
import type { FakeLedger, LedgerEntry } from './fake-ledger.ts';

/** A webhook as it is posted. */
export interface SignedWebhook {
  readonly body: Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

/** What requests to a fake and its webhooks pass: faults on demand, and the paths that control them. */
export interface FakeEdge {
  /** Answers the control paths itself, and has the fake answer all others, subject to the faults. */
  serve(listener: RequestListener): RequestListener;
  /** Sends a webhook until it is accepted, unless a fault loses it. @param sign called before each try: signatures get old */
  deliver(sign: () => SignedWebhook): void;
  /** Whether the next webhook also has items of others, if the vendor sends several at once. */
  drawForeignItems(): boolean;
}

export interface FakeEdgeOptions {
  /** Called once the fake runs. */
  readonly ledger: () => FakeLedger;
  /** Where webhooks are posted to; null while that is not known. */
  readonly webhookUrl: () => string | null;
}

const TIMINGS = { webhookRetryMs: SECOND_MS, maximumWebhookRetryMs: 5 * SECOND_MS, webhookHoldBackMs: 3 * SECOND_MS };
const WEBHOOK_TIMEOUT_MS = 10 * SECOND_MS;
const HOLD_REPLIES_MS = MINUTE_MS;
const CONTROL_PATH = /^\/(?:simulate|ledger)(?:[/?]|$)/;
/** The fakes know no operations: their faults concern all requests. */
const ANY_OPERATION = 'payments';
/** From here on a provider may have done the work; statuses below say that it has not. */
const INTERNAL_ERROR = 500;

/**
 * The faults are those of the simulator, set in the same way (`PUT /simulate/faults`), except that half of the answers with a status
 * 5xx come although the work is done. `operations` and `ignoresClosures` have no effect.
 */
export function createFakeEdge({ ledger, webhookUrl }: FakeEdgeOptions): FakeEdge {
  const faults = createFaultInjector(Math.random);
  const heldReplies = createHeldReplies(HOLD_REPLIES_MS);
  const waiting = new Map<string, { readonly createdAt: string; readonly sign: () => SignedWebhook }>();
  const lost: (() => SignedWebhook)[] = [];
  const eventOf = (id: string) => ({ id, createdAt: waiting.get(id)?.createdAt ?? '', body: '' });
  const logger = pino({ level: 'warn' });
  const outbox = createWebhookOutbox({
    ledger: {
      event: (id) => (waiting.has(id) ? eventOf(id) : undefined),
      finishEvent: (id) => void waiting.delete(id),
      waitingEvents: () => [...waiting.keys()].map(eventOf),
    },
    // Webhooks are lost before they come here.
    faults: { ...faults, drawLostWebhook: () => false },
    logger,
    sender: {
      send: ({ id }) => post(webhookUrl(), waiting.get(id)?.sign()),
      abort: () => undefined,
    },
    timings: TIMINGS,
  });
  const send = (sign: () => SignedWebhook): void => {
    const id = randomUUID();
    waiting.set(id, { createdAt: new Date().toISOString(), sign });
    outbox.send(eventOf(id));
  };

  const sendLost = (): number => {
    const found = lost.splice(0);
    found.forEach(send);
    return found.length;
  };
  const control = createControl({ ledger, faults, sendLost, logger });

  return {
    serve: (listener) => (request, response) => {
      if (CONTROL_PATH.test(request.url ?? '')) {
        control(request, response);
        return;
      }
      const answer = async (): Promise<void> => {
        await sleep(faults.drawLatencyMs(ANY_OPERATION));
        const isFailing = faults.drawError(ANY_OPERATION);
        const { errorStatus } = faults.settings();
        const isWorkDone = !isFailing || (errorStatus >= INTERNAL_ERROR && Math.random() < 0.5);
        const isLost = isFailing || faults.drawLostReply(ANY_OPERATION);
        // A response without a socket sends nothing: the answer of the fake is lost.
        if (isWorkDone) listener(request, isLost ? new ServerResponse(request) : response);
        if (isFailing) response.writeHead(errorStatus, { 'content-type': 'application/json' }).end('{}');
        else if (isLost) heldReplies.hold(response);
      };
      answer().catch(() => response.destroy());
    },
    drawForeignItems: () => faults.drawForeignItems(),
    deliver(sign) {
      if (faults.drawLostWebhook()) lost.push(sign);
      else send(sign);
    },
  };
}

interface Controlled {
  readonly ledger: () => FakeLedger;
  readonly faults: Pick<FaultInjector, 'settings' | 'replace'>;
  /** Sends the lost webhooks after all. @returns how many */
  readonly sendLost: () => number;
  readonly logger: Logger;
}

/** What testers call, with the paths and bodies of the simulator's. */
function createControl({ ledger, faults, sendLost, logger }: Controlled): Express {
  const control = express();
  control.disable('x-powered-by');
  control.use(express.json({ limit: '16kb' }));
  control.put('/simulate/faults', (request, response) => {
    faults.replace(faultsSchema.parse(request.body));
    response.json(faults.settings());
  });
  control.post('/simulate/lost-webhooks', (_request, response) => {
    response.json({ sent: sendLost() });
  });
  control.post('/simulate/settle', (request, response) => {
    const { reference, paymentIntentId, refundReference, outcome } = settlementInstructionSchema.parse(request.body);
    const isApproved = outcome === 'approved';
    const { entries, settlePayment, settleRefund } = ledger();
    const isNamed = ({ idempotencyKey: key, paymentIntentId: intent }: LedgerEntry): boolean =>
      key === reference || (intent !== null && intent === paymentIntentId);
    const settled =
      refundReference === undefined
        ? entries()
            .filter(isNamed)
            .map(({ idempotencyKey }) => idempotencyKey)
            .filter((attemptId) => settlePayment(attemptId, isApproved))
        : [refundReference].filter((refundId) => settleRefund(refundId, isApproved));
    const [id] = settled;
    if (id === undefined) response.status(409).json({ error: { code: 'not_open', message: 'Nothing waits.' } });
    else response.json({ id });
  });
  control.get('/ledger', (request, response) => {
    const { page, limit } = ledgerQuerySchema.parse(request.query);
    const entries = ledger().entries();
    const data = entries.slice((page - 1) * limit, page * limit);
    response.json({ data, pagination: { page, limit, totalPages: Math.ceil(entries.length / limit) } });
  });
  control.use(createErrorHandler(logger));
  return control;
}

/** @returns why the webhook was not accepted; null where it was */
async function post(url: string | null, webhook: SignedWebhook | undefined): Promise<string | null> {
  if (url === null || webhook === undefined) return 'there is no receiver yet';
  const { body, headers } = webhook;
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: new Uint8Array(body),
      signal: AbortSignal.timeout(WEBHOOK_TIMEOUT_MS),
    });
    return response.ok ? null : `status ${response.status}`;
  } catch (error) {
    return String(error);
  }
}
