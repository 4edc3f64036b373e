import type { Statistics } from '../../../sdk/server/generated/schemas.ts';
import { PAYMENT_METHODS } from '../core/words.ts';

const countries = new Intl.DisplayNames('en', { type: 'region' });

export function formatCount(count: number): string {
  return new Intl.NumberFormat().format(count);
}

/** `1 attempt`, `2 attempts` */
export function countOf(count: number, noun: string): string {
  return `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** @param rate from 0 to 1; null where there is none */
export function formatRate(rate: number | null): string {
  if (rate === null) return '–';
  return new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 1 }).format(rate);
}

/** `1.4 s` */
export function inSeconds(durationMs: number): string {
  return `${(durationMs / 1_000).toFixed(1)} s`;
}

export function countryName(code: string | null): string {
  return code === null ? 'Not named' : (countries.of(code) ?? code);
}

export function methodName(type: string | null): string {
  if (type === null) return 'Unknown';
  return PAYMENT_METHODS.find(({ id }) => id === type)?.name ?? type;
}

/** The beginning of an interval: hours in the reader's zone, days in UTC as the API counts them. */
export function intervalName(at: Date, interval: Statistics['interval']): string {
  return new Intl.DateTimeFormat(
    undefined,
    interval === 'day'
      ? { day: 'numeric', month: 'short', timeZone: 'UTC' }
      : { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' },
  ).format(at);
}
