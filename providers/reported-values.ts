import { channel } from 'node:diagnostics_channel';
import { z } from 'zod';

/** What stands for a value of a vendor's enumeration that the adapter does not know. */
export const UNKNOWN_VALUE = 'unknown';

/** For the log, beside the member and its value. */
export const UNKNOWN_VALUE_MESSAGE =
  'a provider reports a value that its adapter does not know: what it is about stays open, and is asked about';

/** A member whose value the adapter does not know. */
interface UnknownValue {
  /** As in `cashfree payment_status`. */
  readonly member: string;
  readonly value: string;
}

const UNKNOWN_VALUES = channel('payment-engine:unknown-value');
const MAXIMUM_VALUE_LENGTH = 100;
/** A vendor adds a few values a year. */
const MAXIMUM_NOTED = 1_000;
const noted = new Set<string>();

/** Calls the listener for each value that an adapter meets and does not know, once in this process. */
export function onUnknownValue(listener: (unknown: UnknownValue) => void): void {
  UNKNOWN_VALUES.subscribe((message) => {
    listener(message as UnknownValue);
  });
}

/** Reports a value that the adapter does not know, once. @param member as in `cashfree payment_status` */
export function noteUnknownValue(member: string, value: string): void {
  const known = `${member} ${value}`;
  if (noted.has(known) || noted.size >= MAXIMUM_NOTED) return;
  noted.add(known);
  UNKNOWN_VALUES.publish({ member, value: value.slice(0, MAXIMUM_VALUE_LENGTH) } satisfies UnknownValue);
}

/**
 * A member whose values the vendor lists, and may add to: a value that is not listed becomes `unknown`, and is reported once.
 * @param member as in `cashfree payment_status`
 */
export function openEnum<const Values extends readonly string[]>(member: string, values: Values) {
  return reportedText(MAXIMUM_VALUE_LENGTH).transform((value): Values[number] | typeof UNKNOWN_VALUE => {
    const known = values.find((each) => each === value);
    if (known === undefined) noteUnknownValue(member, value);
    return known ?? UNKNOWN_VALUE;
  });
}

/** A text, also where the vendor sends a number; cut to the length. */
export function reportedText(maximumLength: number) {
  return z.union([z.string(), z.number()]).transform((value) => String(value).slice(0, maximumLength));
}

/**
 * What a value of a vendor's enumeration means; one that the adapter does not know is reported once.
 * @param member as in `cashfree payment_status` @param said null or undefined where the provider does not say it
 */
export function reportedMeaning<Meaning>(
  member: string,
  said: string | null | undefined,
  meaningOf: (said: string) => Meaning | undefined,
): { readonly meaning: Meaning | null; readonly unknown: string | null } {
  if (said == null) return { meaning: null, unknown: null };
  const meaning = meaningOf(said);
  if (meaning !== undefined) return { meaning, unknown: null };
  noteUnknownValue(member, said);
  return { meaning: null, unknown: said };
}

/** A provider's time, ISO 8601 UTC; null where there is none, or it is no time. */
export function reportedTime(text: string | null | undefined): string | null {
  const time = new Date(text ?? NaN);
  return Number.isNaN(time.getTime()) ? null : time.toISOString();
}
