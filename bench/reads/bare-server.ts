import express, { type Response } from 'express';
import { Pool } from 'pg';
import { z } from 'zod';
import { SECOND_MS } from '../../domain/time.ts';
import { serveTurns } from '../load/serve-turns.ts';

const settingsSchema = z.object({ databaseUrl: z.string(), port: z.number(), merchantAccountId: z.string() });

/** The pool size of an API process. */
const POOL_SIZE = 10;
/** The same as in the API, so that neither subject reconnects between its turns. */
const KEEP_ALIVE_MS = 75 * SECOND_MS;
/** The API counts up to the same number of rows. */
const COUNTED_ROWS = 5_001;

/** An intent in the form of the API, built by the database. */
const INTENT = `jsonb_build_object('id', r.id, 'object', 'payment_intent', 'merchantId', r.merchant_account_id,
  'environment', r.environment, 'amount', r.amount_minor, 'currency', r.currency,
  'amountCapturable', r.amount_capturable_minor, 'amountCaptured', r.amount_captured_minor,
  'amountRefunded', r.amount_refunded_minor, 'status', r.status, 'reference', r.reference, 'description', r.description,
  'customerId', r.customer_id, 'country', r.country, 'captureMethod', r.capture_method,
  'paymentMethod', (SELECT m.masked FROM payment_method m WHERE m.id = r.payment_method_id),
  'nextAction', r.next_action, 'provider', r.provider,
  'attempts', (SELECT coalesce(jsonb_agg(jsonb_build_object('id', a.id, 'route', a.route_id, 'provider', a.provider,
      'tries', a.tries, 'outcome', a.outcome, 'code', a.code, 'startedAt', a.started_at, 'finishedAt', a.finished_at)
      ORDER BY a.number), '[]') FROM payment_attempt a WHERE a.payment_intent_id = r.id),
  'lastError', r.last_error, 'advisory', r.advisory, 'cancellationReason', r.cancellation_reason,
  'metadata', r.metadata, 'expiresAt', r.expires_at, 'createdAt', r.created_at, 'updatedAt', r.updated_at) AS intent`;

const READ_ONE = `SELECT ${INTENT} FROM payment_intent r WHERE id = $1 AND merchant_account_id = $2`;
const READ_PAGE = `SELECT ${INTENT}, (SELECT count(*)::int FROM (SELECT FROM payment_intent
    WHERE merchant_account_id = $1 ORDER BY created_at DESC, id DESC LIMIT ${COUNTED_ROWS}) AS counted) AS total
  FROM payment_intent r WHERE merchant_account_id = $1 ORDER BY created_at DESC, id DESC LIMIT 20`;

interface Row {
  readonly intent: Readonly<Record<string, unknown>> & {
    readonly attempts: readonly Readonly<Record<string, unknown>>[];
  };
  readonly total: number;
}

/** The smallest server with the same responses: Express and one query. It neither authenticates nor validates requests. */
async function serve({ databaseUrl, port, merchantAccountId }: z.infer<typeof settingsSchema>): Promise<null> {
  const pool = new Pool({ connectionString: databaseUrl, max: POOL_SIZE });
  const app = express();
  app.disable('etag');
  app.get('/payment-intents/:id', async ({ params }, response: Response) => {
    const { rows } = await pool.query<Row>({
      name: 'one',
      text: READ_ONE,
      values: [params.id, merchantAccountId],
    });
    response.json({ success: true, data: presented(rows[0]) });
  });
  app.get('/payment-intents', async (_request, response: Response) => {
    const { rows } = await pool.query<Row>({ name: 'page', text: READ_PAGE, values: [merchantAccountId] });
    const total = rows[0]?.total ?? 0;
    const pagination = { page: 1, limit: 20, total, totalPages: Math.ceil(total / 20) };
    response.json({ success: true, data: rows.map(presented), pagination });
  });
  await new Promise<void>((resolve) => {
    app.listen(port, '127.0.0.1', () => resolve()).keepAliveTimeout = KEEP_ALIVE_MS;
  });
  return null;
}

/** Times in the API's own form. */
function presented(row: Row | undefined): Readonly<Record<string, unknown>> | null {
  if (row === undefined) return null;
  const attempts = row.intent.attempts.map((attempt) => withTimes(attempt, ['startedAt', 'finishedAt']));
  return { ...withTimes(row.intent, ['expiresAt', 'createdAt', 'updatedAt']), attempts };
}

function withTimes(row: Readonly<Record<string, unknown>>, names: readonly string[]): Record<string, unknown> {
  const times = names.map((name) => [name, new Date(String(row[name]))]);
  return Object.assign({}, row, Object.fromEntries(times) as Record<string, Date>);
}

serveTurns(settingsSchema, serve);
