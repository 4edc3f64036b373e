import { createHmac, randomBytes } from 'node:crypto';
import { SECOND_MS } from '../../../domain/time.ts';
import type { FakeEdge, SignedWebhook } from '../edge.ts';
import { nowSeconds } from './objects.ts';

export interface WebhookSenderOptions {
  /** Signs webhooks. */
  readonly webhookSecret: string;
  /** Where webhooks are posted to; they are only kept where it is absent. */
  readonly webhookUrl?: string;
  /** What requests and webhooks pass, where the fake is a process of its own. */
  readonly edge?: FakeEdge;
}

/** An event as Stripe keeps it. */
export interface StoredEvent {
  readonly id: string;
  readonly type: string;
  readonly created: number;
}

/** Signs events and posts them, once each. */
export class WebhookSender {
  readonly #options: WebhookSenderOptions;
  readonly #sent: SignedWebhook[] = [];
  readonly #held: SignedWebhook[] = [];
  readonly #events: StoredEvent[] = [];
  #isHolding = false;

  constructor(options: WebhookSenderOptions) {
    this.#options = options;
  }

  /** Sends an event about an object, or keeps it back. @param previous what the object had before of the members that have changed */
  send(type: string, object: object, previous?: object): void {
    const id = `evt_1${randomBytes(12).toString('hex')}`;
    const data = { object, ...(previous === undefined ? {} : { previous_attributes: previous }) };
    const event = { id, object: 'event', type, created: nowSeconds(), livemode: false, data };
    this.#events.push(event);
    const body = Buffer.from(JSON.stringify(event));
    const { edge } = this.#options;
    if (edge !== undefined) {
      edge.deliver(() => this.sign(body));
      return;
    }
    const webhook = this.sign(body);
    if (this.#isHolding) {
      this.#held.push(webhook);
      return;
    }
    this.#sent.push(webhook);
    void this.#post(webhook);
  }

  /** Signs a body, by default with the endpoint's secret and for now. */
  sign(
    body: Buffer,
    { secret = this.#options.webhookSecret, at = new Date() }: { readonly secret?: string; readonly at?: Date } = {},
  ): SignedWebhook {
    const time = Math.floor(at.getTime() / SECOND_MS);
    const signature = createHmac('sha256', secret).update(`${time}.`).update(body).digest('hex');
    return { body, headers: { 'stripe-signature': `t=${time},v1=${signature}` } };
  }

  /** Every event, the newest first, whether it was sent or not. */
  events(): readonly StoredEvent[] {
    return this.#events.toReversed();
  }

  /** Oldest first. */
  sent(): readonly SignedWebhook[] {
    return [...this.#sent];
  }

  /** Keeps webhooks back until they are released. */
  hold(): void {
    this.#isHolding = true;
  }

  /** Sends what was kept back. Resolves when the receiver has answered it all. */
  async release(): Promise<void> {
    this.#isHolding = false;
    const released = this.#held.splice(0);
    this.#sent.push(...released);
    await Promise.all(released.map((webhook) => this.#post(webhook)));
  }

  async #post({ body, headers }: SignedWebhook): Promise<void> {
    const { webhookUrl } = this.#options;
    if (webhookUrl === undefined) return;
    const type = { 'content-type': 'application/json; charset=utf-8' };
    await fetch(webhookUrl, { method: 'POST', headers: { ...headers, ...type }, body: new Uint8Array(body) }).catch(
      () => undefined,
    );
  }
}
