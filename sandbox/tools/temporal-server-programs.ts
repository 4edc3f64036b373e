import path from 'node:path';
import { UserError } from '../../domain/user-error.ts';
import { buildWithGo, type GoPrograms, programFile, type ProvisionOptions } from './build-with-go.mjs';
import { fetchOnce } from './fetch-once.mjs';
import { works } from './installed-programs.mjs';

const VERSION = '1.32.0';
const SERVER = './cmd/server';
const SCHEMA_TOOL = './cmd/tools/sql';

const GO_PROGRAMS: GoPrograms = {
  title: `the Temporal server ${VERSION} for production`,
  module: `go.temporal.io/server@v${VERSION}`,
  sum: 'h1:JQoqsVREaGc8vcuDNfuRlySiV3tVi81XUOVC9LeL/1Y=',
  packages: [SERVER, SCHEMA_TOOL],
};

export interface TemporalServerPrograms {
  /** Runs one or several of Temporal's services. */
  readonly server: string;
  /** Makes and updates the tables. */
  readonly schemaTool: string;
}

/**
 * Finds Temporal's server as it runs in production, which the CLI's development server is not: in the cache, or built from its Go
 * module. There is no official download of it beside the images.
 * @throws UserError naming what to install
 */
export async function provideTemporalServer(options: ProvisionOptions): Promise<TemporalServerPrograms> {
  const folder = path.join(options.tools.cacheDir, `temporal-server-${VERSION}`);
  const programs = { server: programFile(folder, SERVER), schemaTool: programFile(folder, SCHEMA_TOOL) };
  const isThere = await fetchOnce({
    folder,
    what: GO_PROGRAMS.title,
    isThere: async () => (await works(programs.server, ['--help'])) && works(programs.schemaTool, ['--help']),
    fetch: () => buildWithGo(GO_PROGRAMS, folder, options),
    report: options.report,
  });
  if (isThere) return programs;
  throw new UserError(
    `Temporal's server for production is built from its source. Install Go 1.26 or later (https://go.dev/dl), then start again.`,
  );
}
