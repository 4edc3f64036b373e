import { fork } from 'node:child_process';
import path from 'node:path';
import { isContinuousIntegration } from '../config/continuous-integration.ts';
import { DIST_DIR } from '../sandbox/stack/project.ts';
import { runScript } from '../sandbox/stack/explain-error.ts';
import { changedFiles, type Digests, readDigests, refuseInCi, saveGreen } from './tests/changed.ts';
import { choose, type Choice, type Part } from './tests/parts.ts';
import { describeTimes, saveSecondTries, saveTimes, SECOND_TRIES } from './tests/reports.ts';
import {
  describeCounts,
  filesToRepeat,
  isGreen,
  type PartResult,
  type SecondTry,
  secondTries,
  withSecondTries,
} from './tests/results.ts';
import { runPart } from './tests/run-part.ts';

/** How many parts run in parallel. Tests of the whole engine wait more than they compute. */
const LANES = 4;

/** What a suite cannot run without, fetched while the ones before it run. */
const TOOLS: Readonly<Record<string, string>> = {
  time: 'test-server',
  'end-to-end': 'temporal',
  browser: 'temporal',
  chaos: 'temporal',
  crash: 'temporal',
};

/**
 * `npm test` runs the core, `npm run test:all` everything, chaos included; `npm test -- [<suite>] [words]` one suite, or the tests
 * whose title contains the words. Each suite has a process of its own. Files that fail run once more at the end. The last line
 * is the total.
 */
async function main(): Promise<void> {
  const choice = choose(process.argv.slice(2));
  if (choice === null) console.log(describeTimes());
  else process.exitCode = (await run(choice)) ? 0 : 1;
}

/** @returns whether everything passed */
async function run(choice: Choice): Promise<boolean> {
  const isWhole = choice.repeatsFailedFiles && !isContinuousIntegration();
  const digests: Digests = isWhole || choice.onlyChanged ? readDigests(suitesOf(choice)) : new Map();
  const first = await runInLanes(choice.onlyChanged ? withoutUnchanged(choice, digests) : choice);
  const second = choice.repeatsFailedFiles ? await repeatFailedFiles(first, choice.options) : [];
  const files = withSecondTries(first, second);
  const repeated = secondTries(first, second);
  saveTimes([...first, ...second]);
  saveSecondTries(repeated);
  if (isWhole) saveGreen(first, digests);
  // Repeated at the end, because thousands of lines may follow a failure.
  for (const { title, error } of files.flatMap(({ failed }) => failed)) console.log(`\nFailed: ${title}\n${error}\n`);
  for (const title of files.flatMap(({ skipped }) => skipped)) console.log(`Skipped: ${title}`);
  for (const { advice } of first) if (advice !== undefined) console.log(advice);
  for (const each of repeated) console.log(describeSecondTry(each));
  console.log(describeCounts(files));
  return isGreen(files) || (choice.onlyChanged && files.length === 0);
}

/** Chaos is no suite of files. */
function suitesOf({ parts }: Choice): readonly string[] {
  return [...new Set(parts.map(({ suite }) => suite))].filter((suite) => suite !== 'chaos');
}

function withoutUnchanged(choice: Choice, digests: Digests): Choice {
  refuseInCi();
  const parts = choice.parts.flatMap((part): Part[] => {
    if (part.suite === 'chaos') return [part];
    const files = changedFiles(part.suite, digests);
    return files.length === 0 ? [] : [{ ...part, files }];
  });
  return { ...choice, parts };
}

async function runInLanes({ parts, options }: Choice): Promise<readonly PartResult[]> {
  const fetching = new Map(
    [...new Set(parts.flatMap(({ suite }) => TOOLS[suite] ?? []))].map((tool) => [tool, fetchTool(tool)]),
  );
  const queue = [...parts];
  const runLane = async (output: 'inherit' | 'pipe'): Promise<PartResult[]> => {
    const ended: PartResult[] = [];
    for (let part = queue.shift(); part !== undefined; part = queue.shift()) {
      await fetching.get(TOOLS[part.suite] ?? '')?.(part.suite);
      ended.push(await runPart(part, options, output));
    }
    return ended;
  };
  const lanes = Array.from({ length: LANES }, (_, lane) => runLane(lane === 0 ? 'inherit' : 'pipe'));
  return (await Promise.all(lanes)).flat();
}

/** One suite after the other, so that nothing runs beside what has failed. */
async function repeatFailedFiles(first: readonly PartResult[], options: readonly string[]): Promise<PartResult[]> {
  const second: PartResult[] = [];
  for (const [suite, files] of filesToRepeat(first)) {
    const part: Part = { suite, files };
    second.push(await runPart(part, options, 'inherit'));
  }
  return second;
}

function describeSecondTry({ suite, file, failed }: SecondTry): string {
  const titles = failed.map(({ title }) => `"${title}"`).join(', ');
  return `Passed on the second try: ${suite}/${file} (${titles}). Mend it before anything else: ${SECOND_TRIES} has its error.`;
}

/** Begins to fetch a tool; the answer waits for the end. What goes wrong shows in the suite, which tries again. */
function fetchTool(tool: string): (suite: string) => Promise<void> {
  const child = fork(path.join(DIST_DIR, 'scripts', 'fetch-tools.js'), [tool], { stdio: 'ignore' });
  let ended = false;
  const end = new Promise<void>((resolve) => {
    child.once('close', () => {
      ended = true;
      resolve();
    });
  });
  return (suite) => {
    if (!ended)
      console.log(`Waiting for what the ${suite} tests need (${tool}), which is still being fetched or built …`);
    return end;
  };
}

await runScript(main);
process.exit();
