import type { Figure } from './benchmark.ts';

/** Whether a figure keeps its promise; one without a promise always does. */
export function holds({ value, atMost = Infinity, atLeast = -Infinity }: Figure): boolean {
  return value <= atMost && value >= atLeast;
}

/** The figures for people, one a line. */
export function figureTable(figures: readonly Figure[]): string {
  const rows = figures.map((figure) => [figure.what, `${figure.value.toFixed(2)} ${figure.unit}`, promiseOf(figure)]);
  const width = (column: number) => Math.max(...rows.map((row) => row[column]?.length ?? 0));
  return rows
    .map(([what = '', value = '', promise = '']) =>
      `  ${what.padEnd(width(0))}  ${value.padStart(width(1))}  ${promise}`.trimEnd(),
    )
    .join('\n');
}

function promiseOf(figure: Figure): string {
  const bounds = [
    ...(figure.atMost === undefined ? [] : [`at most ${figure.atMost} ${figure.unit}`]),
    ...(figure.atLeast === undefined ? [] : [`at least ${figure.atLeast} ${figure.unit}`]),
  ];
  if (bounds.length === 0) return '';
  return `${bounds.join(', ')}: ${holds(figure) ? 'holds' : 'DOES NOT HOLD'}`;
}
