import { faultsSchema, type FaultSettings, type Operation } from './protocol.ts';

/** The z-score of the 99th percentile: how many standard deviations p99 lies above the median. */
const Z_99 = 2.326;
const MAXIMUM_LATENCY_MS = 60_000;

/** Decides for each request and webhook which faults it meets. Its settings do not survive a restart. */
export interface FaultInjector {
  settings(): FaultSettings;
  replace(settings: FaultSettings): void;
  /** The latency of this request. */
  drawLatencyMs(operation: Operation): number;
  /** Whether this request fails before it has any effect. */
  drawError(operation: Operation): boolean;
  /** Whether this request takes effect, but gets no reply. */
  drawLostReply(operation: Operation): boolean;
  /** Whether this webhook is never sent. */
  drawLostWebhook(): boolean;
  /** Whether this webhook is sent twice. */
  drawDuplicateWebhook(): boolean;
  /** Whether this webhook is held back until later ones have overtaken it. */
  drawOvertakenWebhook(): boolean;
  /** Whether this webhook also has items of others. */
  drawForeignItems(): boolean;
}

/** @param random a source of numbers from 0 up to but not including 1 */
export function createFaultInjector(random: () => number): FaultInjector {
  let settings = faultsSchema.parse({});
  const applies = (operation: Operation) => settings.operations.includes(operation);
  return {
    settings: () => settings,
    replace(replacement) {
      settings = replacement;
    },
    drawLatencyMs: (operation) => (applies(operation) ? drawLatencyMs(settings.latencyMs, random) : 0),
    drawError: (operation) => applies(operation) && random() < settings.errorRate,
    drawLostReply: (operation) => applies(operation) && random() < settings.dropReplyRate,
    drawLostWebhook: () => random() < settings.webhookDropRate,
    drawDuplicateWebhook: () => random() < settings.webhookDuplicateRate,
    drawOvertakenWebhook: () => random() < settings.webhookReorderRate,
    drawForeignItems: () => random() < settings.webhookForeignRate,
  };
}

/** Log-normal, as the latencies of real providers are: most near the median, a few far above. */
function drawLatencyMs(latencyMs: FaultSettings['latencyMs'], random: () => number): number {
  if (typeof latencyMs === 'number') return latencyMs;
  if (latencyMs.p50 === 0) return 0;
  const deviation = Math.log(latencyMs.p99 / latencyMs.p50) / Z_99;
  return Math.min(latencyMs.p50 * Math.exp(deviation * drawNormal(random)), MAXIMUM_LATENCY_MS);
}

/** Box and Muller's transform. */
function drawNormal(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}
