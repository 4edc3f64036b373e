import { readFileSync } from 'node:fs';
import { isLoopback } from '../domain/ip-address.ts';
import { required } from './read-variables.ts';
import type { VariableName, Values } from './variables.ts';

/** How processes reach the Temporal server. */
export interface TemporalConfig {
  /** `host:port` */
  readonly address: string;
  readonly namespace: string;
  /** Null means plain text. */
  readonly tls: TemporalTls | null;
  /** As Temporal Cloud issues it; null where the server needs none. */
  readonly apiKey: string | null;
  /** Whether payloads are encrypted with the vault's keys before they go to the server. */
  readonly encryptPayloads: boolean;
}

interface TemporalTls {
  /** PEM of the authorities to trust; null means those that the system trusts. */
  readonly authorities: Buffer | null;
  /** PEM of the client's certificate and its key, for mutual TLS. */
  readonly client: { readonly certificate: Buffer; readonly key: Buffer } | null;
  /** The name in the server's certificate, where it is not the host of the address. */
  readonly serverName: string | null;
}

export const TEMPORAL_VARIABLES = [
  'TEMPORAL_ADDRESS',
  'TEMPORAL_NAMESPACE',
  'TEMPORAL_TLS',
  'TEMPORAL_TLS_CA_FILE',
  'TEMPORAL_TLS_CERT_FILE',
  'TEMPORAL_TLS_KEY_FILE',
  'TEMPORAL_TLS_SERVER_NAME',
  'TEMPORAL_API_KEY',
  'TEMPORAL_ALLOW_PLAINTEXT',
  'TEMPORAL_ENCRYPT_PAYLOADS',
] as const satisfies readonly VariableName[];

type TemporalValues = Values<(typeof TEMPORAL_VARIABLES)[number]>;

/** TLS is on where a variable asks for it or needs it; without it the server must be on this machine, or be allowed by name. */
export function temporalConfig(values: TemporalValues, problems: string[]): TemporalConfig {
  const address = required(values.TEMPORAL_ADDRESS, 'TEMPORAL_ADDRESS', '', problems);
  const tls = temporalTls(values, problems);
  if (tls === null && !values.TEMPORAL_ALLOW_PLAINTEXT && address !== '' && !isLoopback(hostOf(address))) {
    problems.push(
      'TEMPORAL_ADDRESS names another machine, so TEMPORAL_TLS must be true. On a private network, TEMPORAL_ALLOW_PLAINTEXT=true permits plain text.',
    );
  }
  return {
    address,
    namespace: values.TEMPORAL_NAMESPACE,
    tls,
    apiKey: values.TEMPORAL_API_KEY,
    encryptPayloads: values.TEMPORAL_ENCRYPT_PAYLOADS,
  };
}

function temporalTls(values: TemporalValues, problems: string[]): TemporalTls | null {
  const { TEMPORAL_TLS_CA_FILE: authorities, TEMPORAL_TLS_SERVER_NAME: serverName } = values;
  const { TEMPORAL_TLS_CERT_FILE: certificate, TEMPORAL_TLS_KEY_FILE: key } = values;
  if ((certificate === null) !== (key === null)) {
    problems.push('TEMPORAL_TLS_CERT_FILE and TEMPORAL_TLS_KEY_FILE must be set together or not at all.');
  }
  const needsTls = [authorities, serverName, certificate, values.TEMPORAL_API_KEY].some((value) => value !== null);
  if (!values.TEMPORAL_TLS && !needsTls) return null;
  return {
    authorities: authorities === null ? null : readPem('TEMPORAL_TLS_CA_FILE', authorities, problems),
    client:
      certificate === null || key === null
        ? null
        : {
            certificate: readPem('TEMPORAL_TLS_CERT_FILE', certificate, problems),
            key: readPem('TEMPORAL_TLS_KEY_FILE', key, problems),
          },
    serverName,
  };
}

function readPem(name: VariableName, file: string, problems: string[]): Buffer {
  try {
    const pem = readFileSync(file);
    if (pem.includes('-----BEGIN ')) return pem;
    problems.push(`The file that ${name} names must be in PEM format.`);
  } catch {
    problems.push(`The file that ${name} names cannot be read.`);
  }
  return Buffer.alloc(0);
}

function hostOf(address: string): string {
  return address.slice(0, address.lastIndexOf(':'));
}
