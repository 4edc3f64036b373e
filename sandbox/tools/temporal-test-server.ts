import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { ToolsConfig } from '../../config/tools.ts';
import { UserError } from '../../domain/user-error.ts';
import { MINUTE_MS } from '../../domain/time.ts';
import { downloadProgram, type PinnedArchive, PLATFORM } from './download-program.mjs';
import { fetchOnce } from './fetch-once.mjs';
import { findOnPath, isExecutable, runLong } from './installed-programs.mjs';
import { findFreePorts } from '../stack/ports.ts';
import type { ProvisionOptions } from './build-with-go.mjs';
import { TEST_SERVER_JARS } from './test-server-jars.ts';

const VERSION = '1.38.0';
const PROGRAM = 'temporal-test-server';

/** The archives by platform. Where there is none, Maven puts the server together. */
export const TEST_SERVER_ARCHIVES: Readonly<Partial<Record<string, PinnedArchive>>> = {
  'linux-x64': archiveOf('linux_amd64', '41df834fe8e1ac59619e13908f41b63e4d1054f37634a2f89033d8cf6af71b96'),
};

/** An archive of Java's loaded classes; a newer Java than the one that wrote it ignores it. */
const ARCHIVE = 'classes.jsa';

const MAVEN_PLUGIN = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1';

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

export interface TestServerOptions extends ProvisionOptions {
  readonly tools: ToolsConfig;
}

/**
 * Finds the time-skipping test server of Temporal: the one that TEMPORAL_TEST_SERVER names, in the cache, by download, or
 * put together by Maven. What is fetched is kept in the cache.
 * @throws UserError naming what to install
 */
export async function provideTemporalTestServer(options: TestServerOptions): Promise<string> {
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
    fetch: async () => (await downloadInto(downloaded, options)) || assembleWithMaven(folder, java, options),
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

async function downloadInto(file: string, { settings, report }: ProvisionOptions): Promise<boolean> {
  const archive = TEST_SERVER_ARCHIVES[PLATFORM];
  if (archive === undefined) return false;
  report(`Downloading the test server of Temporal (about 70 MB, a minute or less) …`);
  const { failure } = await downloadProgram(archive, file, settings);
  if (failure !== undefined) report(`  not possible: ${failure}.`);
  return failure === undefined;
}

async function assembleWithMaven(
  folder: string,
  java: string | undefined,
  options: ProvisionOptions,
): Promise<boolean> {
  const maven = findOnPath('mvn', options.tools.searchPath);
  return java !== undefined && maven !== undefined && assemble(maven, folder, options);
}

/** Works in a folder of its own first: an interrupted run must not look like a complete one. */
async function assemble(maven: string, folder: string, { settings, report }: ProvisionOptions): Promise<boolean> {
  report(`Fetching the test server ${VERSION} with Maven (10 seconds to a minute, once only) …`);
  const draft = await mkdtemp(path.join(folder, 'build-'));
  try {
    await writeFile(path.join(draft, 'pom.xml'), POM);
    const args = ['-q', '-B', `${MAVEN_PLUGIN}:copy-dependencies`, '-DoutputDirectory=lib'];
    await runLong({ command: maven, args, env: settings, cwd: draft, withinMs: 10 * MINUTE_MS }, (seconds) =>
      report(`  … still fetching, ${seconds} s`),
    );
    await verifyFiles(path.join(draft, 'lib'), TEST_SERVER_JARS);
    await writeFile(path.join(draft, PROGRAM), LAUNCHER, { mode: 0o755 });
    const finished = path.join(folder, 'jvm');
    await rm(finished, { recursive: true, force: true });
    await rename(draft, finished);
    await archiveClasses(finished, settings);
    return true;
  } catch (error) {
    report(`  not possible: ${error instanceof Error ? error.message : String(error)}`);
    return false;
  } finally {
    if (existsSync(draft)) await rm(draft, { recursive: true, force: true });
  }
}

/** @throws Error if a folder holds other files than the named ones, or one with another SHA-256 */
export async function verifyFiles(folder: string, digests: Readonly<Record<string, string>>): Promise<void> {
  const names = await readdir(folder);
  for (const name of new Set([...Object.keys(digests), ...names])) {
    const expected = digests[name] ?? 'no such file';
    const actual = names.includes(name) ? await sha256Of(path.join(folder, name)) : 'no such file';
    if (actual !== expected) throw new Error(`refused: ${name} has the SHA-256 ${actual} and must have ${expected}`);
  }
}

async function sha256Of(file: string): Promise<string> {
  return createHash('sha256')
    .update(await readFile(file))
    .digest('hex');
}

/** Starts the server once, so that later starts take a third of the time. A Java that cannot do that (before 13) works without. */
async function archiveClasses(folder: string, settings: ProvisionOptions['settings']): Promise<void> {
  const draft = path.join(folder, `${ARCHIVE}.new`);
  const [port = 0] = await findFreePorts(1);
  const server = spawn(path.join(folder, PROGRAM), [String(port)], {
    env: { ...settings, JDK_JAVA_OPTIONS: `-XX:ArchiveClassesAtExit="${draft}"` },
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

function archiveOf(platform: string, sha256: string): PinnedArchive {
  const name = `${PROGRAM}_${VERSION}_${platform}`;
  const url = `https://github.com/temporalio/sdk-java/releases/download/v${VERSION}/${name}.tar.gz`;
  return { url, sha256, program: `${name}/${PROGRAM}` };
}
