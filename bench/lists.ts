import { DAY_MS } from '../domain/time.ts';
import { SANDBOX_ACCOUNTS } from '../sandbox/stack/sandbox-data.ts';
import { type Credentials, sendSigned } from '../sandbox/signed-request.ts';
import type { Bench, Figure } from './benchmark.ts';
import { fillAccounts, OLDEST_MS } from './fill-accounts.ts';
import { measureInterleaved, percentile, type Samples } from './interleave.ts';
import { measureJobStatements } from './job-statements.ts';

const FEW = 10_000;
const MANY = 1_000_000;
const ROUNDS = 100;
const WARM_UP_ROUNDS = 10;
/** The highest ratio of the time of a page at a million intents to that at ten thousand. */
const RATIO_AT_MOST = 1.5;

const LIST = '/api/v1/payment-intents?';
const STATISTICS = '/api/v1/statistics?currency=USD&';
/** In a query, stands for the part of the ids that tells the accounts apart. */
const ACCOUNT = '{account}';
const [SMALL, LARGE] = SANDBOX_ACCOUNTS;

/**
 * Compares lists of payment intents and statistics of an account with a million intents (or `--rows`) with those of one with ten
 * thousand, and the statements of a worker's jobs with few and with all of them in the tables.
 */
export async function benchmarkLists({ startEngine, report, sizes, signal, keep }: Bench): Promise<readonly Figure[]> {
  const { sandbox, superuserUrl } = await startEngine();
  const many = sizes.rows ?? MANY;
  const filledAt = Date.now();
  await fillAccounts(superuserUrl, [{ merchantAccountId: SMALL.id, count: FEW }]);
  report('Measuring the jobs with few payments …');
  const jobsWithFew = await measureJobStatements(superuserUrl, signal);
  report(`Writing ${formatCount(many)} intents (about two minutes for a million) …`);
  await fillAccounts(superuserUrl, [{ merchantAccountId: LARGE.id, count: many }]);
  report('Measuring the jobs with many payments …');
  const jobsWithMany = await measureJobStatements(superuserUrl, signal);
  const figures = [...jobsWithFew].flatMap(([what, few]) =>
    ratioOf(what, many, { few, many: jobsWithMany.get(what) ?? Number.NaN }),
  );
  keep(figures);
  const paths = {
    ...withPrefix(LIST, queriesAt(filledAt)),
    ...withPrefix(STATISTICS, statisticsAt(filledAt)),
  };
  for (const [what, path] of Object.entries(paths)) {
    report(`Measuring: ${what} …`);
    const samples = await measureInterleaved(
      { few: () => read(sandbox, SMALL.id, path), many: () => read(sandbox, LARGE.id, path) },
      { rounds: ROUNDS, warmUpRounds: WARM_UP_ROUNDS, signal },
    );
    figures.push(...figuresOf(what, many, samples.get('few') ?? [], samples.get('many') ?? []));
    keep(figures);
  }
  return figures;
}

function queriesAt(filledAt: number): Readonly<Record<string, string>> {
  const at = (share: number) => new Date(filledAt - share * OLDEST_MS).toISOString();
  return {
    'first page': '',
    'page 2': 'page=2',
    '100 a page': 'limit=100',
    'by status': 'status=succeeded',
    'by a rare status': 'status=failed',
    'by currency': 'currency=EUR',
    'by customer': 'customerId=cus_7',
    'by time of creation': `createdAfter=${at(0.9)}&createdBefore=${at(0.1)}`,
    'by status and time': `status=succeeded&createdAfter=${at(0.9)}`,
    'by reference': 'reference=ORDER-7777',
    'by a rare pair of metadata': 'metadata[order]=7777',
    'by a frequent pair of metadata': 'metadata[channel]=web',
    'by two pairs of metadata': 'metadata[order]=7777&metadata[channel]=web',
    'by last four digits': 'last4=0077',
    'by frequent last four digits': 'last4=4242',
    'by last four digits and status': 'last4=4242&status=failed',
    'by a narrow amount range': 'amountMin=3000&amountMax=3010',
    'by a wide amount range': 'amountMin=2000',
    "by the provider's id": `id=sim_${ACCOUNT}${(7_777).toString(16).padStart(28, '0')}`,
  };
}

/** What the home page of the dashboard reads. */
function statisticsAt(filledAt: number): Readonly<Record<string, string>> {
  const since = (days: number) => `from=${new Date(filledAt - days * DAY_MS).toISOString()}`;
  return {
    'statistics of 24 hours by hour': `${since(1)}&interval=hour`,
    'statistics of 7 days by hour': `${since(7)}&interval=hour`,
    'statistics of 30 days by day': `${since(30)}&interval=day`,
  };
}

function withPrefix(prefix: string, queries: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(queries).map(([what, query]) => [what, prefix + query]));
}

async function read(credentials: Credentials, merchantAccountId: string, path: string): Promise<void> {
  const answer = await sendSigned(credentials, {
    method: 'GET',
    path: path.replace(ACCOUNT, merchantAccountId.slice(-4)),
    headers: { 'X-Merchant-ID': merchantAccountId },
  });
  const text = await answer.text();
  if (answer.status !== 200) throw new Error(`the request was answered with ${answer.status}: ${text}`);
}

function figuresOf(what: string, count: number, few: Samples, many: Samples): Figure[] {
  const medians = { few: percentile(few, 0.5), many: percentile(many, 0.5) };
  return [
    ...ratioOf(what, count, medians),
    { what: `${what}, ${formatCount(count)} intents, 95 %`, value: percentile(many, 0.95), unit: 'ms' },
  ];
}

interface Medians {
  readonly few: number;
  readonly many: number;
}

function ratioOf(what: string, count: number, { few, many }: Medians): Figure[] {
  return [
    { what: `${what}, ${formatCount(FEW)} intents, median`, value: few, unit: 'ms' },
    { what: `${what}, ${formatCount(count)} intents, median`, value: many, unit: 'ms' },
    { what: `${what}, ratio of medians`, value: many / few, unit: '×', atMost: RATIO_AT_MOST },
  ];
}

function formatCount(count: number): string {
  return count.toLocaleString('en');
}
