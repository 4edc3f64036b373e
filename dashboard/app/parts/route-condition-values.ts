import { parseMoney } from '../core/money.ts';

type Values = Record<string, unknown>;

/** Pairs as lines that people write: `channel=app`. */
export function metadataText(metadata: Readonly<Record<string, string>>): string {
  return Object.entries(metadata)
    .map(([name, value]) => `${name}=${value}`)
    .join('\n');
}

/** The pairs of such lines; undefined where one of them is no pair. */
export function readMetadata(text: unknown): Record<string, string> | undefined {
  const lines = typeof text === 'string' ? text.split('\n').filter((line) => line.trim() !== '') : [];
  const pairs = lines.map((line): [string, string] => {
    const separator = line.indexOf('=');
    return [line.slice(0, Math.max(separator, 0)).trim(), line.slice(separator + 1).trim()];
  });
  return pairs.some(([name]) => name === '') ? undefined : Object.fromEntries(pairs);
}

/**
 * The conditions of a route's form as the API takes them. Bounds of the amount need exactly one currency, and brands and groups need
 * cards, so their inputs are not shown otherwise, and the API gets none.
 */
export function conditionsOfForm(values: Values): Values {
  const currencies = listOf(values['currencies']);
  const [currency] = currencies.length === 1 ? currencies : [];
  const isCard = values['paymentMethod'] === 'card';
  return {
    amountMin: amountOf(values['amountMinText'], currency),
    amountMax: amountOf(values['amountMaxText'], currency),
    cardBrands: isCard ? listOf(values['cardBrands']) : [],
    cardGroups: isCard ? listOf(values['cardGroups']) : [],
    metadata: readMetadata(values['metadataText']) ?? {},
    captureMethods: listOf(values['captureMethods']),
    initiators: listOf(values['initiators']),
  };
}

function amountOf(text: unknown, currency: string | undefined): number | null {
  if (currency === undefined || typeof text !== 'string' || text.trim() === '') return null;
  return parseMoney(text, currency) ?? null;
}

function listOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [];
}
