import { hash } from 'node:crypto';
import type { Environment } from '../domain/payment.ts';

/** What the API keys of each environment begin with. */
export const KEY_PREFIXES: Readonly<Record<Environment, string>> = { production: 'svc_live_', sandbox: 'svc_test_' };

/** SHA-256, hex: what is stored of keys, salts and client secrets. */
export function hashSecret(secret: string | Buffer): string {
  return hash('sha256', secret, 'hex');
}
