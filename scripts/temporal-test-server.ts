import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { MINUTE_MS } from '../domain/time.ts';
import { downloadTemporalProgram } from './download-program.ts';
import { findOnPath, isExecutable, runLong } from './installed-programs.ts';
import { SentenceError } from '../domain/sentence-error.ts';
import type { ProvisionOptions } from './temporal-cli.ts';

const VERSION = '1.38.0';
const PROGRAM = 'temporal-test-server';

const POM = `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>payment-engine</groupId>
  <artifactId>test-server</artifactId>
  <version>1</version>
  <dependencies>
    <dependency><groupId>io.temporal</groupId><artifactId>temporal-test-server</artifactId><version>${VERSION}</version></dependency>
    <dependency><groupId>org.slf4j</groupId><artifactId>slf4j-nop</artifactId><version>2.0.16</version></dependency>
  </dependencies>
</project>
`;

/** Replaces itself by Java, so that stopping the script stops the server. */
const LAUNCHER = `#!/bin/sh
folder=$(cd "$(dirname "$0")" && pwd)
exec java -Xmx256m -cp "$folder/lib/*" io.temporal.testserver.TestServer "$@"
`;

/**
 * Finds the time-skipping test server of Temporal: the one that TEMPORAL_TEST_SERVER names, in the cache, by download, or
 * put together by Maven. What is fetched is kept in the cache.
 * @throws SentenceError naming what to install
 */
export async function provideTemporalTestServer(options: ProvisionOptions): Promise<string> {
  const { tools, environment, report } = options;
  if (tools.testServer !== null) {
    if (isExecutable(tools.testServer)) return tools.testServer;
    throw new SentenceError(`TEMPORAL_TEST_SERVER names ${tools.testServer}, which cannot be run.`);
  }
  const folder = path.join(tools.cacheDir, `${PROGRAM}-${VERSION}`);
  const downloaded = path.join(folder, PROGRAM);
  const assembled = path.join(folder, 'java', PROGRAM);
  const java = findOnPath('java', tools.searchPath);
  if (isExecutable(downloaded)) return downloaded;
  if (isExecutable(assembled) && java !== undefined) return assembled;

  await mkdir(folder, { recursive: true });
  report(`Downloading the test server of Temporal (about 70 MB, a minute or less) …`);
  const download = await downloadTemporalProgram('time-skipping', 'default', folder, environment);
  if (download.file !== undefined) {
    await chmod(download.file, 0o755);
    await rename(download.file, downloaded);
    return downloaded;
  }
  report(`  not possible: ${download.reason ?? 'unknown reason'}.`);
  const maven = findOnPath('mvn', tools.searchPath);
  if (java !== undefined && maven !== undefined && (await assemble(maven, folder, options))) return assembled;
  throw new SentenceError(
    `The tests need the time-skipping test server of Temporal, and it can neither be downloaded nor put together. Do one of these, then run them again:\n` +
      `  - install Java 11 or later and Maven, which fetch it\n` +
      `  - set TEMPORAL_TEST_SERVER to the path of one`,
  );
}

/** Into a folder of its own first: one that is cut off must not look like a finished one. */
async function assemble(maven: string, folder: string, { environment, report }: ProvisionOptions): Promise<boolean> {
  report(`Fetching the test server ${VERSION} with Maven (10 seconds to a minute, once only) …`);
  const draft = await mkdtemp(path.join(folder, 'build-'));
  try {
    await writeFile(path.join(draft, 'pom.xml'), POM);
    const args = ['-q', '-B', 'dependency:copy-dependencies', '-DoutputDirectory=lib'];
    await runLong({ command: maven, args, env: environment, cwd: draft, withinMs: 10 * MINUTE_MS }, (seconds) =>
      report(`  … still fetching, ${seconds} s`),
    );
    await writeFile(path.join(draft, PROGRAM), LAUNCHER, { mode: 0o755 });
    await rm(path.join(folder, 'java'), { recursive: true, force: true });
    await rename(draft, path.join(folder, 'java'));
    return true;
  } catch (error) {
    report(`  not possible: ${error instanceof Error ? error.message : String(error)}`);
    return false;
  } finally {
    if (existsSync(draft)) await rm(draft, { recursive: true, force: true });
  }
}
