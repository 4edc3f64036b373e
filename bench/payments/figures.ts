import { SECOND_MS } from '../../domain/time.ts';
import type { Figure } from '../benchmark.ts';
import { percentile } from '../interleave.ts';
import { median } from '../measures/median.ts';
import type { Pairs, SubjectTurn } from './turns.ts';

/** The bounds of payments, compared with the baseline. */
const RATE_AT_LEAST = { clients: 32, ratio: 0.75 };
const CONFIRM_AT_MOST = { clients: 1, ratio: 1.4 };

/** Rates, times, processor time and the ratios of both subjects, for one number of clients. */
export function figuresOf({ clients, payment, baseline }: Pairs): Figure[] {
  const at = clients === 1 ? '1 client' : `${clients} clients`;
  const p50 = (turns: readonly SubjectTurn[], step: string) => percentile(samplesOf(turns, step), 0.5);
  const [create, confirm] = [p50(payment, 'create'), p50(payment, 'confirm')];
  const [start, update] = [p50(baseline, 'start'), p50(baseline, 'update')];
  return [
    { what: 'payments', value: rateOf(payment), unit: '/s' },
    { what: 'baseline', value: rateOf(baseline), unit: '/s' },
    {
      what: 'payments ÷ baseline',
      ...ofPairs({ payment, baseline }, (one, other) => rateOf([one]) / rateOf([other])),
      unit: '×',
      ...(clients === RATE_AT_LEAST.clients ? { atLeast: RATE_AT_LEAST.ratio } : {}),
    },
    ...timesOf(payment, 'create'),
    ...timesOf(payment, 'confirm'),
    ...timesOf(baseline, 'start', 'baseline '),
    ...timesOf(baseline, 'update', 'baseline '),
    {
      what: "confirm ÷ baseline's update, p50",
      ...ofPairs({ payment, baseline }, (one, other) => p50([one], 'confirm') / p50([other], 'update')),
      unit: '×',
      ...(clients === CONFIRM_AT_MOST.clients ? { atMost: CONFIRM_AT_MOST.ratio } : {}),
    },
    { what: "confirm ÷ baseline's start and update, p50", value: confirm / (start + update), unit: '×' },
    { what: "create and confirm ÷ baseline's, p50", value: (create + confirm) / (start + update), unit: '×' },
    ...cpuOf(payment, 'CPU of a payment'),
    ...cpuOf(baseline, 'CPU of a baseline'),
    ...cpuBeside(baseline),
  ].map((figure) => ({ ...figure, at }));
}

/** The median of what each pair of turns gives, with its range: one disturbed turn does not decide. */
function ofPairs(
  { payment, baseline }: Pick<Pairs, 'payment' | 'baseline'>,
  ratio: (payment: SubjectTurn, baseline: SubjectTurn) => number,
): Pick<Figure, 'value' | 'pairs'> {
  const ratios = payment.flatMap((turn, index) => {
    const other = baseline[index];
    return other === undefined ? [] : [ratio(turn, other)];
  });
  return { value: median(ratios), pairs: [Math.min(...ratios), Math.max(...ratios)] };
}

/** Over all turns together. */
function rateOf(turns: readonly SubjectTurn[]): number {
  const sum = (of: (turn: SubjectTurn) => number): number => turns.reduce((total, turn) => total + of(turn), 0);
  return (sum(({ result }) => result.done) / sum(({ result }) => result.elapsedMs)) * SECOND_MS;
}

function samplesOf(turns: readonly SubjectTurn[], step: string): number[] {
  return turns.flatMap(({ result }) => result.steps[step] ?? []);
}

function timesOf(turns: readonly SubjectTurn[], step: string, of = ''): Figure[] {
  const samples = samplesOf(turns, step);
  return [
    { what: `${of}${step}, p50`, value: percentile(samples, 0.5), unit: 'ms' },
    { what: `${of}${step}, p99`, value: percentile(samples, 0.99), unit: 'ms' },
  ];
}

/** What the engine took while the baseline ran, in the turns and not in its figures. */
function cpuBeside(turns: readonly SubjectTurn[]): Figure[] {
  const done = turns.reduce((sum, { result }) => sum + result.done, 0);
  const times = turns.flatMap(({ besideMs }) => (besideMs === null ? [] : [besideMs]));
  if (times.length === 0) return [];
  const total = times.flatMap((time) => Object.values(time)).reduce((sum, ms) => sum + ms, 0);
  return [{ what: 'CPU of the idle engine beside a baseline', value: total / done, unit: 'ms' }];
}

/** Over all turns together: each process, then their sum. */
function cpuOf(turns: readonly SubjectTurn[], what: string): Figure[] {
  const done = turns.reduce((sum, { result }) => sum + result.done, 0);
  const times = turns.flatMap(({ cpuMs }) => (cpuMs === null ? [] : [cpuMs]));
  const [first] = times;
  if (first === undefined) return [];
  const each = Object.keys(first).map((name) => ({
    what: `${what}: ${name}`,
    value: times.reduce((sum, time) => sum + (time[name] ?? 0), 0) / done,
    unit: 'ms',
  }));
  return [...each, { what: `${what}: in all`, value: each.reduce((sum, { value }) => sum + value, 0), unit: 'ms' }];
}
