import { execFile } from 'node:child_process';
import { get } from 'node:http';
import path from 'node:path';
import { promisify } from 'node:util';
import { TypedSearchAttributes } from '@temporalio/common';
import { MINUTE_MS, SECOND_MS } from '../../domain/time.ts';
import { SEARCH_ATTRIBUTES } from '../../protocol/search-attributes.ts';
import { TEMPORAL_FILES, KEEP_OR_DELETE_DATA } from './data-folder.ts';
import type { ChildSpec } from './child-spec.ts';
import type { ListeningPlace } from './ports.ts';

export interface TemporalServerOptions {
  /** The Temporal CLI. */
  readonly executable: string;
  readonly dataDir: string;
  readonly port: number;
  /** Where the UI listens. */
  readonly ui: ListeningPlace;
  /** The codec server that the UI asks; null where there is none. */
  readonly codecServer: string | null;
  readonly namespace: string;
  readonly settings: Readonly<Record<string, string | undefined>>;
}

const run = promisify(execFile);

/** How long a finished workflow can still be read; the development server's own default is one day. */
const HISTORY_RETENTION_DAYS = 30;

/**
 * The defaults are made for a demonstration: 20 polls a second hold every step up by tens of milliseconds. Of the four
 * partitions of a queue, one hands tasks to another; on a busy machine both may deliver one, and the server then forgets
 * the update that it was about. And each use of a search attribute reads from the database which ones there are.
 */
export const DYNAMIC_CONFIG = [
  'history.transferProcessorMaxPollRPS=2000',
  'history.timerProcessorMaxPollRPS=2000',
  'system.enableActivityEagerExecution=true',
  'matching.numTaskqueueReadPartitions=1',
  'matching.numTaskqueueWritePartitions=1',
  'system.forceSearchAttributesCacheRefreshOnRead=false',
  // While tasks wait for workers, those of each account get their turn.
  'matching.useNewMatcher=true',
  'matching.enableFairness=true',
];

/**
 * The server also listens for HTTP, on a port that it finds itself. Nothing here asks it; but any page in a browser on this machine
 * could, and end workflows. No host has this name.
 */
const NO_HTTP_API = 'frontend.httpAllowedHosts=["nobody.invalid"]';

/** Collecting garbage more rarely than by Go's defaults saves processor time; the limit keeps the memory in bounds. */
export const GO_COLLECTOR = { GOGC: '400', GOMEMLIMIT: '4GiB' };

/** What is acknowledged survives a power cut: the write-ahead log is synced at each commit. */
const SQLITE_PRAGMAS = ['journal_mode=wal', 'synchronous=2'];

/** A namespace has these from its creation, so that a worker need not register them. An older one lacks those that are newer. */
const SEARCH_ATTRIBUTE_TYPES = Object.values(SEARCH_ATTRIBUTES).map(
  ({ name, type }) => `${name}=${TypedSearchAttributes.toMetadataType(type)}`,
);

/** How the development server is run under the supervisor, its data kept in the data folder. */
export function temporalServerSpec(options: TemporalServerOptions): ChildSpec {
  return {
    name: 'temporal',
    command: options.executable,
    args: [
      'server',
      'start-dev',
      '--ip',
      '127.0.0.1',
      '--port',
      String(options.port),
      '--ui-ip',
      options.ui.host,
      '--ui-port',
      String(options.ui.port),
      ...(options.codecServer === null ? [] : ['--ui-codec-endpoint', options.codecServer]),
      '--namespace',
      options.namespace,
      '--db-filename',
      path.join(options.dataDir, TEMPORAL_FILES[0]),
      '--log-level',
      'warn',
      ...SQLITE_PRAGMAS.flatMap((pragma) => ['--sqlite-pragma', pragma]),
      ...SEARCH_ATTRIBUTE_TYPES.flatMap((type) => ['--search-attribute', type]),
      ...[...DYNAMIC_CONFIG, NO_HTTP_API].flatMap((value) => ['--dynamic-config-value', value]),
    ],
    env: { ...GO_COLLECTOR, ...options.settings },
    cwd: options.dataDir,
    isNode: false,
    stopSignal: 'SIGTERM',
    stopWithinMs: 15 * SECOND_MS,
    readyWithinMs: MINUTE_MS,
    isReady: () => answers(options),
    explain,
  };
}

/** Keeps finished workflows readable for 30 days; the server remembers it. */
export async function keepHistories(options: TemporalServerOptions): Promise<void> {
  const { executable, port, namespace, settings } = options;
  const address = `127.0.0.1:${port}`;
  const args = ['operator', 'namespace', 'update', '--address', address, '--namespace', namespace];
  await run(executable, [...args, '--retention', `${HISTORY_RETENTION_DAYS}d`], {
    env: { ...settings },
    timeout: 20 * SECOND_MS,
  });
}

/** Whether the server answers for its namespace, asked as the UI asks it. */
function answers({ ui, namespace }: TemporalServerOptions): Promise<boolean> {
  const target = `/api/v1/namespaces/${encodeURIComponent(namespace)}`;
  return new Promise((resolve) => {
    const request = get({ ...ui, path: target, timeout: 2 * SECOND_MS }, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    });
    request.on('timeout', () => request.destroy());
    request.on('error', () => resolve(false));
  });
}

const MEANINGS: readonly (readonly [RegExp, string])[] = [
  [
    /address already in use|port .* (?:is )?in use/i,
    'A port of the Temporal server is in use. Stop what uses it, or choose others with TEMPORAL_PORT and TEMPORAL_UI_PORT.',
  ],
  [/database or disk is full|no space left/i, 'The disk is full. Free some space, then start again.'],
  [
    /file is not a database|database disk image is malformed|unable to open database/i,
    `The Temporal data in the data folder is damaged. ${KEEP_OR_DELETE_DATA}`,
  ],
  [
    /readonly database|read-only file system/i,
    'The data folder cannot be written to. Set DATA_DIR to a folder that can be.',
  ],
];

function explain(output: string): string | undefined {
  return MEANINGS.find(([pattern]) => pattern.test(output))?.[1];
}
