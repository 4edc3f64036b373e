import { parseArgs } from 'node:util';
import { readReconcileConfig } from '../config/commands.ts';
import { runScript } from '../sandbox/stack/explain-error.ts';
import { settingsOfInstallation } from '../sandbox/stack/installation.ts';
import { readKeyring } from '../vault/key-providers.ts';
import { createPayloadCodec } from '../vault/payload-codec.ts';
import { createTemporalClient } from '../workflow-client/connection.ts';
import { createSettlementImports } from '../workflow-client/settlement-imports.ts';
import { readArguments } from './command-arguments.ts';

const USAGE = `Use: npm run import-settlements -- --provider NAME
Imports the settlements of a provider now, by the workers that run, instead of at the next time of its schedule. The exit code is 1
where the import failed.`;

/** `npm run import-settlements`: imports the settlements of a provider now. */
await runScript(async () => {
  const provider = readProvider();
  const config = readReconcileConfig(await settingsOfInstallation());
  const { encryptPayloads: encrypts } = config.temporal;
  const client = createTemporalClient(config.temporal, [createPayloadCodec(await readKeyring(config), { encrypts })]);
  try {
    const { result } = await createSettlementImports(client).start(provider);
    const { importId, status, error, settlements, entries, exceptions } = await result();
    console.log(`${provider}  ${status}${error === null ? '' : `: ${error}`}  (${importId})`);
    console.table([{ settlements, lines: entries, exceptions }]);
    process.exitCode = status === 'completed' ? 0 : 1;
  } finally {
    await client.connection.close();
  }
});

function readProvider(): string {
  return readArguments(USAGE, () => {
    const { provider } = parseArgs({ options: { provider: { type: 'string' } } }).values;
    if (provider === undefined) throw new Error('--provider is missing.');
    return provider;
  });
}
