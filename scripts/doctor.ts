import path from 'node:path';
import { Connection } from '@temporalio/client';
import { type DoctorConfig, readDoctorConfig } from '../config/commands.ts';
import { messageOf } from '../domain/message-of.ts';
import { parseKeyTexts } from '../domain/named-keys.ts';
import { SECOND_MS } from '../domain/time.ts';
import { createDatabase } from '../prisma/connection/client.ts';
import { waitForDatabase } from '../prisma/connection/wait-for-database.ts';
import { runScript } from '../sandbox/stack/explain-error.ts';
import { settingsOfInstallation } from '../sandbox/stack/installation.ts';
import { PROJECT_ROOT } from '../sandbox/stack/project.ts';
import { latestActivityWaitsMs } from '../workflow-client/activity-waits.ts';
import { connectionOptions, createTemporalClient } from '../workflow-client/connection.ts';
import { createWorkerVersions } from '../workflow-client/worker-versions.ts';
import { type CheckResult, failed, runChecks } from './doctor/check.ts';
import { DATABASE_CHECKS } from './doctor/database-checks.ts';
import { freeSpaceOf, MACHINE_CHECKS } from './doctor/machine-checks.ts';
import { TEMPORAL_CHECKS } from './doctor/temporal-checks.ts';
import { refuseArguments } from './command-arguments.ts';

const CONNECT_TIMEOUT_MS = 5 * SECOND_MS;
const MARKS = { failed: '✖', warning: '!' } as const;

/** `npm run doctor`: looks for what is wrong with an installation, and says how to mend it. It changes nothing. */
await runScript(async () => {
  refuseArguments('doctor');
  const config = readDoctorConfig(await settingsOfInstallation());
  let failures = 0;
  const groups = [checkDatabase, checkTemporal, checkMachine];
  for (const check of groups) {
    const results = await check(config);
    results.forEach(show);
    failures += results.filter(({ finding }) => finding?.severity === 'failed').length;
  }
  process.exitCode = failures === 0 ? 0 : 1;
});

async function checkDatabase({
  databaseUrl,
  poolSize,
  vaultKeys,
  cardKeys,
}: DoctorConfig): Promise<readonly CheckResult[]> {
  const title = 'The database answers';
  try {
    await waitForDatabase(databaseUrl, { giveUpAfterMs: 0 });
  } catch (error) {
    return [
      { title, finding: failed(messageOf(error), 'Then run this again: nothing else of the database was looked at.') },
    ];
  }
  const database = createDatabase({ url: databaseUrl, poolSize: 1 });
  try {
    const results = await runChecks(DATABASE_CHECKS, {
      database,
      databaseUrl,
      poolSize,
      migrationsDirectory: path.join(PROJECT_ROOT, 'prisma', 'migrations'),
      vaultKeyIds: idsOf(vaultKeys),
      cardKeyIds: cardKeys === null ? null : idsOf(cardKeys),
      nowMs: Date.now,
    });
    return [{ title, finding: null }, ...results];
  } finally {
    await database.$disconnect();
  }
}

function idsOf(keys: string): readonly string[] {
  return parseKeyTexts(keys).map(({ id }) => id);
}

async function checkTemporal({ temporal }: DoctorConfig): Promise<readonly CheckResult[]> {
  const title = 'Temporal answers';
  const options = { ...connectionOptions(temporal), connectTimeout: CONNECT_TIMEOUT_MS };
  const connection = await Connection.connect(options).catch(() => null);
  if (connection === null) {
    const problem = `Temporal at ${temporal.address} does not answer.`;
    const mending = 'Check TEMPORAL_ADDRESS and TEMPORAL_TLS, and that the server runs.';
    return [{ title, finding: failed(problem, mending) }];
  }
  const client = createTemporalClient(temporal);
  try {
    const versions = createWorkerVersions(client);
    const results = await runChecks(TEMPORAL_CHECKS, {
      connection,
      namespace: temporal.namespace,
      versions,
      activityWaits: () => latestActivityWaitsMs(client),
    });
    return [{ title, finding: null }, ...results];
  } finally {
    await Promise.all([connection.close(), client.connection.close()]);
  }
}

function checkMachine({ dataDir }: DoctorConfig): Promise<readonly CheckResult[]> {
  return runChecks(MACHINE_CHECKS, { dataDir, freeSpace: freeSpaceOf });
}

function show({ title, finding }: CheckResult): void {
  if (finding === null) return console.log(`✔ ${title}`);
  console.log(`${MARKS[finding.severity]} ${title}: no. ${finding.problem}\n    ${finding.mending}`);
}
