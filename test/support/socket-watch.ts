import assert from 'node:assert/strict';
import { z } from 'zod';
import { EVENTS_SOCKET_PATH } from '../../gateway/attach-gateway.ts';
import { inTime } from './eventually.ts';
import { connectSocket } from './socket-client.ts';
import { getStack } from './stack.ts';

const readySchema = z.strictObject({
  type: z.literal('ready'),
  status: z.string(),
  paymentIntentId: z.string(),
  lastEventId: z.string().nullable(),
});

const frameSchema = z.strictObject({
  event: z.string(),
  id: z.string().startsWith('evt_'),
  sequence: z.int().positive(),
  paymentIntentId: z.string(),
  code: z.string().nullable(),
  message: z.string().nullable(),
  details: z.record(z.string(), z.unknown()).nullable(),
  terminal: z.boolean(),
  createdAt: z.iso.datetime({ precision: 3 }),
});

export type Frame = z.infer<typeof frameSchema>;

/** A page that watches one payment over the socket. */
export interface Watch {
  /** The payment status in the ready frame. */
  readonly status: string;
  /** The next `count` frames. */
  take(count: number): Promise<readonly Frame[]>;
  /** Closes the socket; throws if there is an unread frame. */
  end(): Promise<void>;
}

/** Subscribes with an intent's client secret, and resolves when the socket is ready. */
export async function watch(clientSecret: string, after?: string): Promise<Watch> {
  const client = await connectSocket(`${getStack().sandbox.baseUrl.replace(/^http/, 'ws')}${EVENTS_SOCKET_PATH}`);
  client.send({ type: 'subscribe', clientSecret, ...(after === undefined ? {} : { after }) });
  const ready = readySchema.parse(await inTime(client.next(), 'ready'));
  return {
    status: ready.status,
    async take(count) {
      const frames: Frame[] = [];
      while (frames.length < count) {
        const had = frames.map(describeFrame).join(', ');
        const frame = frameSchema.parse(
          await inTime(client.next(), `frame ${frames.length + 1} (had: ${had})`, 150_000),
        );
        assert.equal(frame.paymentIntentId, ready.paymentIntentId);
        frames.push(frame);
      }
      return frames;
    },
    async end() {
      const unexpected = client.next();
      await Promise.all([assert.rejects(unexpected, /socket closed/), client.close()]);
    },
  };
}

/** A frame as text: `payment-failed CARD_DECLINED`, `payment-succeeded, terminal`. */
export function describeFrame({ event, code, terminal }: Frame): string {
  return `${event}${code === null ? '' : ` ${code}`}${terminal ? ', terminal' : ''}`;
}
