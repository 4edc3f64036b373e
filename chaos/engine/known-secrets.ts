import { provideSecrets, type Secrets } from '../../sandbox/stack/data-folder.ts';
import { CARD_NUMBERS } from '../../sandbox/test-payment-methods.ts';
import type { Secret } from '../snapshot/secrets.ts';
import type { ChaosEngine } from './chaos-engine.ts';

/** The secrets of a run, none of which may be stored or logged. */
export async function knownSecrets({
  dataDir,
  webhookSecret,
  vendorCredentials,
}: ChaosEngine): Promise<readonly Secret[]> {
  const secrets = await provideSecrets(dataDir);
  return [
    ...Object.entries(CARD_NUMBERS).map(([name, value]) => ({ what: `the card number "${name}"`, value })),
    { what: 'the API key', value: secrets.apiKey },
    { what: 'the secret salt', value: secrets.secretSalt },
    ...Object.entries(secrets.simulators).flatMap(([name, { apiKey, webhookSecret: secret }]) => [
      { what: `the API key of ${name}`, value: apiKey },
      { what: `the webhook secret of ${name}`, value: secret.replace('whsec_', '') },
    ]),
    ...[...vendorCredentials].flatMap(([{ kind, publicCredentials }, credentials]) =>
      Object.entries(credentials).flatMap(([name, value]) =>
        typeof value === 'string' && !publicCredentials.includes(name) ? [{ what: `${name} at ${kind}`, value }] : [],
      ),
    ),
    { what: 'the webhook secret of the merchant', value: webhookSecret.replace('whsec_', '') },
    { what: "the password of PostgreSQL's superuser", value: secrets.postgresPassword },
    ...Object.entries(secrets.databasePasswords).map(([role, value]) => ({
      what: `the password of the database's role ${role}`,
      value,
    })),
    ...vaultSecrets(secrets),
  ];
}

/** The root keys and private card keys, as their setting has them, and their bytes as PostgreSQL shows a binary column. */
export function vaultSecrets({ vaultKeys, cardKeys }: Pick<Secrets, 'vaultKeys' | 'cardKeys'>): readonly Secret[] {
  const named = { 'root key': vaultKeys, 'private card key': cardKeys };
  return Object.entries(named).flatMap(([what, text]) =>
    text.split(',').flatMap((entry) => {
      const [id, value = ''] = entry.split(':');
      const name = `the ${what} ${id}`;
      return [
        { what: name, value },
        { what: `the bytes of ${name}`, value: Buffer.from(value, 'base64').toString('hex') },
      ];
    }),
  );
}
