import { ApiError } from '../../domain/api-error.ts';
import { entriesOutside } from '../../domain/ip-allowlist.ts';
import type { KeyLimits, Principal } from '../../domain/principal.ts';
import { type FieldError, invalidField, invalidFields } from '../../contract/validation.ts';
import { type CreateApiKey, isRestrictedToNobody, NOBODY } from '../../contract/schemas/api-key.ts';

/** The signature version of a key whose request names none. The other, 1, sends the salt with each request. */
const SIGNATURE_VERSION_OF_NEW_KEYS = 2;

/** The limits of a key that another key creates: those of that key, unless the request names its own. */
export function limitsOfNewKey(
  { accountBound, ipRestricted, ipAllowlist, expiresAt, signatureVersion }: Omit<CreateApiKey, 'name' | 'scopes'>,
  maker: KeyLimits,
): KeyLimits {
  return {
    accountBound: accountBound ?? maker.accountBound,
    ipRestricted: ipRestricted ?? (maker.ipRestricted || namesAddresses(ipAllowlist)),
    ipAllowlist: ipAllowlist ?? (maker.ipRestricted ? maker.ipAllowlist : []),
    expiresAt: expiresAt === undefined ? maker.expiresAt : expiresAt,
    signatureVersion: signatureVersion ?? SIGNATURE_VERSION_OF_NEW_KEYS,
  };
}

/** Whether a request restricts a key to addresses by naming them, where it does not say whether the key is restricted. */
export function namesAddresses(ipAllowlist: readonly string[] | undefined): boolean {
  return ipAllowlist !== undefined && ipAllowlist.length > 0;
}

/** @throws ApiError `VALIDATION_ERROR` when a key would exceed the limits of the key that makes it, or could not be used by anybody */
export function requireLimitsWithin(key: KeyLimits, maker: KeyLimits): void {
  if (isRestrictedToNobody(key)) throw invalidField('ipAllowlist', 'too_short', NOBODY);
  const excess = excessOf(key, maker);
  if (excess.length > 0) throw invalidFields(excess);
}

/**
 * Requires that a key could itself have made the key that it rotates.
 * @throws ApiError `INSUFFICIENT_PERMISSIONS`
 */
export function requireNoExcess(key: KeyLimits, { keyLimits }: Principal): void {
  const excess = excessOf(key, keyLimits);
  if (excess.length === 0) return;
  throw new ApiError('INSUFFICIENT_PERMISSIONS', {
    message:
      'An API key cannot rotate a key that is valid for longer, from other addresses, for more accounts or with an ' +
      'earlier signature version.',
    details: { fields: excess },
  });
}

/** In which fields a key exceeds the limits of the key that makes it, and what is allowed. */
function excessOf(key: KeyLimits, maker: KeyLimits): readonly FieldError[] {
  return [
    ...excessOfAccount(key, maker),
    ...excessOfAddresses(key, maker),
    ...excessOfExpiry(key, maker),
    ...excessOfVersion(key, maker),
  ];
}

function excessOfAccount(key: KeyLimits, maker: KeyLimits): readonly FieldError[] {
  if (!maker.accountBound || key.accountBound) return [];
  const message = 'Must be true: the API key of this request is bound to its own account.';
  return [{ field: 'accountBound', code: 'invalid', message }];
}

function excessOfAddresses(key: KeyLimits, maker: KeyLimits): readonly FieldError[] {
  if (!maker.ipRestricted) return [];
  const allowed = `Allowed are the addresses of the API key of this request: ${maker.ipAllowlist.join(', ')}.`;
  if (!key.ipRestricted) return [{ field: 'ipRestricted', code: 'invalid', message: `Must be true. ${allowed}` }];
  return entriesOutside(key.ipAllowlist, maker.ipAllowlist).map((index) => ({
    field: `ipAllowlist.${index}`,
    code: 'invalid',
    message: allowed,
  }));
}

function excessOfExpiry({ expiresAt }: KeyLimits, maker: KeyLimits): readonly FieldError[] {
  if (maker.expiresAt === null || (expiresAt !== null && expiresAt <= maker.expiresAt)) return [];
  const message = `Must be ${maker.expiresAt.toISOString()}, when the API key of this request expires, or earlier.`;
  return [{ field: 'expiresAt', code: 'max', message }];
}

function excessOfVersion({ signatureVersion }: KeyLimits, maker: KeyLimits): readonly FieldError[] {
  if (signatureVersion >= maker.signatureVersion) return [];
  const message = `Must be ${maker.signatureVersion}, the signature version of the API key of this request.`;
  return [{ field: 'signatureVersion', code: 'min', message }];
}

/** No key goes back to an earlier version of the signature, whoever requests it. @throws ApiError `VALIDATION_ERROR` */
export function requireLaterVersion(signatureVersion: number, before: Pick<KeyLimits, 'signatureVersion'>): void {
  if (signatureVersion >= before.signatureVersion) return;
  const message = `Must be ${before.signatureVersion}, which the API key has: no key goes back to an earlier version.`;
  throw invalidField('signatureVersion', 'min', message);
}
