import type { Figure } from './benchmark.ts';

/** Pairs that differ by more than this share of their median say more about the machine than about what was measured. */
const WIDEST_RANGE = 0.15;

/** Whether a figure is within its bounds; one without bounds always is. */
export function holds({ value, atMost = Infinity, atLeast = -Infinity }: Figure): boolean {
  return value <= atMost && value >= atLeast;
}

/** Whether a figure has bounds, and pairs that differ too much to be held to them. */
export function isUndecided({ value, atMost, atLeast, pairs }: Figure): boolean {
  if (pairs === undefined || (atMost === undefined && atLeast === undefined)) return false;
  const [lowest, highest] = pairs;
  return (highest - lowest) / value > WIDEST_RANGE;
}

/**
 * The figures for people: those of several conditions with a column for each, then the others and whatever is promised
 * one a line.
 */
export function figureTable(figures: readonly Figure[]): string {
  const inColumns = figures.filter(({ at }) => at !== undefined);
  const inLines = figures.filter((figure) => figure.at === undefined || promiseOf(figure) !== '');
  const lines = inLines.map((figure) => [nameOf(figure), valueOf(figure), promiseOf(figure)]);
  return [columnsOf(inColumns), lines]
    .filter((rows) => rows.length > 0)
    .map(linesOf)
    .join('\n\n');
}

function columnsOf(figures: readonly Figure[]): string[][] {
  if (figures.length === 0) return [];
  const columns = [...new Set(figures.map(({ at = '' }) => at))];
  const rows = [...new Set(figures.map(({ what }) => what))].map((what) => [
    what,
    ...columns.map((column) => valueOf(figures.find((figure) => figure.what === what && figure.at === column))),
  ]);
  return [['', ...columns], ...rows];
}

/** Names to the left, values to the right, and a promise behind them as it is. A table package would take more lines to configure. */
function linesOf(rows: readonly (readonly string[])[]): string {
  const width = (column: number) => Math.max(...rows.map((row) => row[column]?.length ?? 0));
  const cell = (text: string, column: number) => {
    if (column === 0) return text.padEnd(width(0));
    return /^at (?:most|least) /.test(text) ? text : text.padStart(width(column));
  };
  return rows.map((row) => `  ${row.map(cell).join('  ')}`.trimEnd()).join('\n');
}

function nameOf({ what, at }: Figure): string {
  return at === undefined ? what : `${what}, ${at}`;
}

function valueOf(figure: Figure | undefined): string {
  if (figure === undefined) return '';
  const value = `${figure.value.toFixed(2)} ${figure.unit}`.trimEnd();
  if (figure.pairs === undefined) return value;
  const [lowest, highest] = figure.pairs.map((each) => each.toFixed(2));
  return `${value} (${lowest} to ${highest})`;
}

function promiseOf(figure: Figure): string {
  const bounds = [
    ...(figure.atMost === undefined ? [] : [`at most ${figure.atMost} ${figure.unit}`.trimEnd()]),
    ...(figure.atLeast === undefined ? [] : [`at least ${figure.atLeast} ${figure.unit}`.trimEnd()]),
  ];
  if (bounds.length === 0) return '';
  if (isUndecided(figure)) return `${bounds.join(', ')}: NO VERDICT, the pairs differ by more than 15 %`;
  return `${bounds.join(', ')}: ${holds(figure) ? 'holds' : 'DOES NOT HOLD'}`;
}
