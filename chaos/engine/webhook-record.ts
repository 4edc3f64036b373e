import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { z } from 'zod';

/** A webhook whose signature the receiver accepted. */
export interface ReceivedWebhook {
  readonly id: string;
  readonly type: string;
  readonly sequence: number;
  readonly merchantId: string;
  readonly paymentIntentId: string | null;
}

export interface WebhookRecord {
  /** In the order of arrival, repeats included. */
  readonly received: readonly ReceivedWebhook[];
  /** Why other webhooks were rejected. */
  readonly rejections: readonly string[];
}

const lineSchema = z.union([z.object({ payload: z.string() }), z.object({ refused: z.string() })]);
const eventSchema = z.object({
  id: z.string(),
  type: z.string(),
  sequence: z.number(),
  merchantId: z.string(),
  data: z.object({ id: z.string(), paymentIntentId: z.string().nullish() }),
});

/** Reads what the receiver has recorded, across its restarts. */
export async function readWebhookRecord(file: string): Promise<WebhookRecord> {
  const text = existsSync(file) ? await readFile(file, 'utf8') : '';
  const lines = text.split('\n').flatMap((line) => parseLine(line));
  return {
    received: lines.flatMap((line) => ('payload' in line ? [webhookOf(line.payload)] : [])),
    rejections: lines.flatMap((line) => ('refused' in line ? [line.refused] : [])),
  };
}

/** Skips the incomplete line of a killed receiver, which had not answered yet. */
function parseLine(line: string): z.infer<typeof lineSchema>[] {
  try {
    return [lineSchema.parse(JSON.parse(line))];
  } catch {
    return [];
  }
}

function webhookOf(payload: string): ReceivedWebhook {
  const { data, ...event } = eventSchema.parse(JSON.parse(payload));
  const ownId = data.id.startsWith('pi_') ? data.id : null;
  return { ...event, paymentIntentId: data.paymentIntentId ?? ownId };
}
