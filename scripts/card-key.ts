import { randomBytes } from 'node:crypto';
import { readCardKeyConfig } from '../config/commands.ts';
import { UserError } from '../domain/user-error.ts';
import { runScript } from '../sandbox/stack/explain-error.ts';
import { publicKeyOf } from '../vault/card-keys.ts';
import { readKeys } from '../vault/key-providers.ts';

const USAGE = `Use one of:
  npm run card-key -- new ID   prints a new key pair
  npm run card-key -- public   prints the public key of the first of CARD_KEYS`;
const KEY_BYTES = 32;

await runScript(async () => {
  const [command, id] = process.argv.slice(2);
  if (command === 'new' && /^[A-Za-z0-9._-]{1,64}$/.test(id ?? '')) return printNew(id ?? '');
  if (command === 'public') return await printPublic();
  throw new UserError(USAGE);
});

function printNew(id: string): void {
  const bytes = randomBytes(KEY_BYTES);
  console.log(`# For workers and for npm run rewrap; keep it secret.\nCARD_KEYS=${id}:${bytes.toString('base64')}`);
  console.log(`# For APIs.\nCARD_PUBLIC_KEY=${publicKeyOf({ id, bytes })}`);
}

async function printPublic(): Promise<void> {
  const config = readCardKeyConfig();
  if (config === null) throw new UserError('Set CARD_KEYS or CARD_KEYS_FILE first.');
  const [first] = await readKeys('CARD_KEYS', config.cardKeys, config.keyProvider);
  console.log(`CARD_PUBLIC_KEY=${publicKeyOf(first)}`);
}
