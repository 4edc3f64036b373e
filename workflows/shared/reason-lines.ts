import type { JsonObject, JsonValue } from '../../domain/json.ts';
import { codeSpan } from './code-span.ts';

const MAXIMUM_LENGTH = 500;

/** Why something failed, as lines of a markdown list: the engine's own reason, and the provider's answer as its adapter has redacted it. */
export function reasonLines(provider: string, details: JsonObject | undefined): readonly string[] {
  const { reason, providerResponse } = details ?? {};
  return [
    ...(reason === undefined ? [] : [`- Reason: ${codeSpan(textOf(reason))}.`]),
    ...(providerResponse === undefined ? [] : [`- ${provider}'s answer: ${codeSpan(textOf(providerResponse))}.`]),
  ];
}

function textOf(value: JsonValue): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length <= MAXIMUM_LENGTH ? text : `${text.slice(0, MAXIMUM_LENGTH)} …`;
}
