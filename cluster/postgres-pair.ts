import { execFile } from 'node:child_process';
import { chown, mkdir, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { type FaultProxy, openFaultProxy } from '../chaos/engine/fault-proxy.ts';
import type { Settings } from '../config/read-variables.ts';
import { MINUTE_MS, SECOND_MS } from '../domain/time.ts';
import { processTree, signalProcess } from '../sandbox/process-tree.ts';
import { findFreePorts } from '../sandbox/stack/ports.ts';
import { type EmbeddedPostgresOptions, initializePostgres, postgresSpec } from '../sandbox/stack/postgres.ts';
import type { Supervisor } from '../sandbox/stack/supervisor.ts';

/** How a standby follows its primary; null means that there is none. */
export type Standby = 'synchronous' | 'asynchronous' | null;

export interface PostgresPairOptions {
  readonly supervisor: Supervisor;
  /** The folder of the two clusters and of the archive. */
  readonly folder: string;
  readonly name: 'engine' | 'temporal';
  /** Of the superuser. */
  readonly password: string;
  readonly settings: Settings;
  readonly standby: Standby;
  /** Whether the primary archives its write-ahead log, so that it can be restored to any moment. */
  readonly archives?: boolean;
}

/** A PostgreSQL server and, where there is one, its standby, behind an address that does not change. */
export interface PostgresPair {
  /** Of the proxy that stands for a pooler, or a name that the operator points at the primary. */
  readonly port: number;
  /** Copies the primary's data, as a base backup does. */
  copyTo(cluster: string): Promise<void>;
  /** Begins to copy the primary's changes. Call it once the databases are made. */
  startStandby(): Promise<void>;
  /** Ends the primary as a power cut would, promotes the standby, and points the address at it. Resolves with the duration in ms. */
  failOver(): Promise<number>;
  close(): Promise<void>;
}

const run = promisify(execFile);
const CONNECTIONS = 300;
const USER = 'postgres';
const POLL_MS = 100;
/** So far behind is an asynchronous standby: one on the same machine would have missed almost nothing. */
export const ASYNCHRONOUS_LAG_MS = 2 * SECOND_MS;

/** Starts the primary, with a cluster of its own where there is none yet. */
export async function startPostgresPair(options: PostgresPairOptions): Promise<PostgresPair> {
  const { supervisor, folder, name, password, settings, standby, archives = false } = options;
  const [primaryPort = 0, standbyPort = 0] = await findFreePorts(2);
  const server = (role: 'primary' | 'standby', port: number, own: readonly string[]): EmbeddedPostgresOptions => ({
    name: `${name}-postgres-${role}`,
    dataDir: path.join(folder, `${name}-${role}`),
    port,
    password,
    settings,
    parameters: [`max_connections=${CONNECTIONS}`, 'wal_keep_size=256MB', ...own],
  });
  const archive = archiveOf(folder, name);
  const replication = await openFaultProxy(primaryPort);
  const primary = server('primary', primaryPort, archives ? archiving(archive) : []);
  const follower = server('standby', standbyPort, [
    `primary_conninfo=host=127.0.0.1 port=${replication.port} user=${USER} password=${password} application_name=standby`,
  ]);
  await mkdir(primary.dataDir, { recursive: true, mode: 0o700 });
  await initializePostgres(primary);
  if (archives) await makeFolderAsOwner(archive, clusterOf(primary));
  await supervisor.start(await postgresSpec(primary));
  // A server that is being restored answers before it has come to the moment.
  while ((await query(primary, 'SELECT 1 WHERE pg_is_in_recovery()')) > 0) await sleep(POLL_MS);
  const proxy: FaultProxy = await openFaultProxy(primaryPort);
  return {
    port: proxy.port,
    copyTo: (cluster) => copyCluster(primary, cluster),
    async startStandby() {
      if (standby === null) return;
      await mkdir(follower.dataDir, { recursive: true, mode: 0o700 });
      await copyCluster(primary, clusterOf(follower));
      await writeAsOwner(path.join(clusterOf(follower), 'standby.signal'), '');
      await supervisor.start(await postgresSpec(follower));
      if (standby === 'synchronous') await requireStandby(primary);
    },
    async failOver() {
      if (standby === 'asynchronous') {
        replication.swallow(['replies']);
        await sleep(ASYNCHRONOUS_LAG_MS);
      }
      const startedAt = Date.now();
      supervisor.expectEnd(primary.name ?? '');
      const pid = supervisor.pidOf(primary.name ?? '');
      for (const each of pid === undefined ? [] : processTree(pid)) signalProcess(each, 'SIGKILL');
      await query(follower, `SELECT pg_promote(true, 60)`);
      proxy.forwardTo(standbyPort);
      return Date.now() - startedAt;
    },
    close: async () => void (await Promise.all([proxy.close(), replication.close()])),
  };
}

/** Where a server archives its write-ahead log. */
export function archiveOf(folder: string, name: PostgresPairOptions['name']): string {
  return path.join(folder, `${name}-archive`);
}

function archiving(archive: string): readonly string[] {
  return ['archive_mode=on', `archive_command=cp %p ${archive}/%f`];
}

async function makeFolderAsOwner(folder: string, cluster: string): Promise<void> {
  const { uid, gid } = await stat(cluster);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await chown(folder, uid, gid);
}

/** The directory of the data of a server. */
function clusterOf({ dataDir }: Pick<EmbeddedPostgresOptions, 'dataDir'>): string {
  return path.join(dataDir, 'postgres');
}

/** Copies the data of a server that runs, as pg_basebackup would, which the embedded PostgreSQL does not have. */
async function copyCluster(server: EmbeddedPostgresOptions, to: string): Promise<void> {
  await withSuperuser(server, async (client) => {
    await client.query(`SELECT pg_backup_start('copy', true)`);
    await run('cp', ['-a', clusterOf(server), to], { timeout: MINUTE_MS });
    const { rows } = await client.query<{ labelfile: string }>('SELECT labelfile FROM pg_backup_stop(false)');
    await writeAsOwner(path.join(to, 'backup_label'), rows[0]?.labelfile ?? '');
  });
  for (const file of ['postmaster.pid', 'postmaster.opts']) await rm(path.join(to, file), { force: true });
}

/** Writes a file that belongs to the owner of its folder: PostgreSQL does not run as root. */
export async function writeAsOwner(file: string, text: string): Promise<void> {
  const { uid, gid } = await stat(path.dirname(file));
  await writeFile(file, text, { mode: 0o600 });
  await chown(file, uid, gid);
}

/** From now on the primary acknowledges a commit only when the standby has it on disk. */
async function requireStandby(primary: EmbeddedPostgresOptions): Promise<void> {
  await query(primary, `ALTER SYSTEM SET synchronous_standby_names = 'standby'`);
  await query(primary, 'SELECT pg_reload_conf()');
  const isSynchronous = `SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync'`;
  while ((await query(primary, isSynchronous)) === 0) await sleep(POLL_MS);
}

/** @returns how many rows there are */
async function query(server: Pick<EmbeddedPostgresOptions, 'port' | 'password'>, sql: string): Promise<number> {
  let count = 0;
  await withSuperuser(server, async (client) => {
    count = (await client.query(sql)).rowCount ?? 0;
  });
  return count;
}

async function withSuperuser(
  { port, password }: Pick<EmbeddedPostgresOptions, 'port' | 'password'>,
  work: (client: pg.Client) => Promise<void>,
): Promise<void> {
  const client = new pg.Client({ host: '127.0.0.1', port, user: USER, password, database: 'postgres' });
  client.on('error', () => undefined);
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
