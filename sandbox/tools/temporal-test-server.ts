import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { UserError } from '../../domain/user-error.ts';
import { MINUTE_MS } from '../../domain/time.ts';
import { downloadTemporalProgram } from './download-program.ts';
import { fetchOnce } from './fetch-once.ts';
import { findOnPath, isExecutable, runLong } from './installed-programs.ts';
import { findFreePorts } from '../stack/ports.ts';
import type { ProvisionOptions } from './temporal-cli.ts';

const VERSION = '1.38.0';
const PROGRAM = 'temporal-test-server';

/** Of Java's loaded classes; a newer Java than the one that wrote it passes it over. */
const ARCHIVE = 'classes.jsa';

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

/**
 * Replaces itself by Java, so that stopping the script stops the server. Few tests share a server: what matters is that it
 * starts quickly, for which Java keeps the loaded classes in an archive.
 */
const LAUNCHER = `#!/bin/sh
folder=$(cd "$(dirname "$0")" && pwd)
[ -f "$folder/${ARCHIVE}" ] && archive="-XX:SharedArchiveFile=$folder/${ARCHIVE}"
exec java -Xmx256m -XX:+UseSerialGC -XX:TieredStopAtLevel=1 \${archive:+"$archive"} -cp "$folder/lib/*" io.temporal.testserver.TestServer "$@"
`;

/**
 * Finds the time-skipping test server of Temporal: the one that TEMPORAL_TEST_SERVER names, in the cache, by download, or
 * put together by Maven. What is fetched is kept in the cache.
 * @throws SentenceError naming what to install
 */
export async function provideTemporalTestServer(options: ProvisionOptions): Promise<string> {
  const { tools, report } = options;
  if (tools.testServer !== null) {
    if (isExecutable(tools.testServer)) return tools.testServer;
    throw new UserError(`TEMPORAL_TEST_SERVER names ${tools.testServer}, which cannot be run.`);
  }
  const folder = path.join(tools.cacheDir, `${PROGRAM}-${VERSION}`);
  const downloaded = path.join(folder, PROGRAM);
  const assembled = path.join(folder, 'jvm', PROGRAM);
  const java = findOnPath('java', tools.searchPath);
  const findIt = (): string | undefined => {
    if (isExecutable(downloaded)) return downloaded;
    return isExecutable(assembled) && java !== undefined ? assembled : undefined;
  };
  await fetchOnce({
    folder,
    what: 'the test server',
    isThere: () => findIt() !== undefined,
    fetch: async () => (await downloadInto(folder, downloaded, options)) || assembleWithMaven(folder, java, options),
    report,
  });
  const found = findIt();
  if (found !== undefined) return found;
  throw new UserError(
    `The tests need the time-skipping test server of Temporal, and it can neither be downloaded nor put together. Do one of these, then run them again:\n` +
      `  - install Java 11 or later and Maven, which fetch it\n` +
      `  - set TEMPORAL_TEST_SERVER to the path of one`,
  );
}

async function downloadInto(folder: string, file: string, { environment, report }: ProvisionOptions): Promise<boolean> {
  report(`Downloading the test server of Temporal (about 70 MB, a minute or less) …`);
  const download = await downloadTemporalProgram('time-skipping', 'default', folder, environment);
  if (download.file === undefined) {
    report(`  not possible: ${download.reason ?? 'unknown reason'}.`);
    return false;
  }
  await chmod(download.file, 0o755);
  await rename(download.file, file);
  return true;
}

async function assembleWithMaven(
  folder: string,
  java: string | undefined,
  options: ProvisionOptions,
): Promise<boolean> {
  const maven = findOnPath('mvn', options.tools.searchPath);
  return java !== undefined && maven !== undefined && assemble(maven, folder, options);
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
    const finished = path.join(folder, 'jvm');
    await rm(finished, { recursive: true, force: true });
    await rename(draft, finished);
    await archiveClasses(finished, environment);
    return true;
  } catch (error) {
    report(`  not possible: ${error instanceof Error ? error.message : String(error)}`);
    return false;
  } finally {
    if (existsSync(draft)) await rm(draft, { recursive: true, force: true });
  }
}

/** Starts the server once, so that later starts take a third of the time. A Java that cannot do that (before 13) works without. */
async function archiveClasses(folder: string, environment: ProvisionOptions['environment']): Promise<void> {
  const draft = path.join(folder, `${ARCHIVE}.new`);
  const [port = 0] = await findFreePorts(1);
  const server = spawn(path.join(folder, PROGRAM), [String(port)], {
    env: { ...environment, JDK_JAVA_OPTIONS: `-XX:ArchiveClassesAtExit="${draft}"` },
    stdio: 'ignore',
    timeout: MINUTE_MS,
  });
  const ended = new Promise<void>((resolve) => {
    server.once('close', () => resolve());
    server.once('error', () => resolve());
  });
  const stop = (): boolean => server.kill();
  process.once('exit', stop);
  while (server.exitCode === null && server.signalCode === null && !(await isListening(port))) await wait(100);
  stop();
  await ended;
  process.off('exit', stop);
  if (existsSync(draft)) await rename(draft, path.join(folder, ARCHIVE));
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port });
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
