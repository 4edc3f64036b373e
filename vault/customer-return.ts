import { timingSafeEqual } from 'node:crypto';
import type { Environment } from '../domain/payment.ts';
import type { Sealed, SealedInput } from './envelope.ts';
import type { Keyring, SealContext } from './keyring.ts';

/** The attempt whose customer comes back. */
interface ReturnedAttempt {
  readonly attemptId: string;
  readonly environment: Environment;
}

/** 192 bits: 32 characters of base64url. */
const TOKEN_BYTES = 24;

/** Where customers come back from a provider's page, below the API's public address. */
export const RETURNS_PATH = '/returns';

/**
 * The address to which the customer of an attempt comes back. Derived rather than random, so that nothing has to be stored before
 * the request. A repeat of the request names the same address unless the first root key or the API's public address changed in
 * between.
 */
export function returnUrlOf(keyring: Keyring, apiPublicUrl: string, attemptId: string): string {
  const [token] = tokensOf(keyring, attemptId);
  return `${apiPublicUrl}${RETURNS_PATH}/${attemptId}/${token?.toString('base64url') ?? ''}`;
}

/** Whether a token is that of an attempt, under any of the root keys. */
export function isReturnToken(keyring: Keyring, attemptId: string, token: string): boolean {
  const given = Buffer.from(token, 'base64url');
  return given.length === TOKEN_BYTES && tokensOf(keyring, attemptId).some((own) => timingSafeEqual(own, given));
}

function tokensOf(keyring: Keyring, attemptId: string): readonly Buffer[] {
  return keyring.deriveSecrets(`customer_return:${attemptId}`, TOKEN_BYTES);
}

/** Encrypts the result with which a customer comes back. It is deleted a day after the payment's end, so nobody rewraps it. */
export function sealReturnResult(keyring: Keyring, attempt: ReturnedAttempt, result: string): Sealed {
  return keyring.seal(Buffer.from(result), contextOf(attempt));
}

/** @throws SealBrokenError when it was sealed for another attempt, was tampered with, or its key is gone */
export function openReturnResult(keyring: Keyring, attempt: ReturnedAttempt, sealed: SealedInput): string {
  return keyring.open(sealed, contextOf(attempt)).toString('utf8');
}

function contextOf({ attemptId, environment }: ReturnedAttempt): SealContext {
  return { purpose: 'customerReturn', environment, associatedData: JSON.stringify(['customer_return', attemptId]) };
}
