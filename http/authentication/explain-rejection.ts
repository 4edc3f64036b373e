import { hash } from 'node:crypto';
import type { Environment } from '../../domain/payment.ts';
import { parseJson } from '../../domain/json.ts';
import { ApiError } from '../../domain/api-error.ts';
import type { AuthenticationInput } from './authentication-input.ts';
import { apiKeyOf, type Credentials } from './credentials.ts';
import { hashSecret } from '../../vault/key-secret.ts';
import {
  ISO_8601_UTC,
  isSameHash,
  isSignedWith,
  isWellFormedSignature,
  saltHashOfSigner,
  signedTextV2,
  type SignedParts,
} from './signature.ts';

const EXPECTED_AUTHORIZATION = 'Expected the header `Authorization: Bearer <API key>`';

const SIGNING_PAGE = '/docs/signature-calculator signs a request step by step.';

/** The headers that sign a request, by the version of the signature. */
const SIGNATURE_HEADERS: Readonly<Record<number, readonly string[]>> = {
  1: ['X-Timestamp', 'X-Secret-Salt', 'X-Signature'],
  2: ['X-Timestamp', 'X-Nonce', 'X-Signature'],
};

function hasNone(header: AuthenticationInput['header'], names: readonly string[]): boolean {
  return names.every((name) => header(name.toLowerCase()) === undefined);
}

/** What a request without any of the headers that sign it is told; undefined for one that has some. */
function unsignedMessage(header: AuthenticationInput['header'], signatureVersion: number): string | undefined {
  const names = SIGNATURE_HEADERS[signatureVersion] ?? [];
  if (!hasNone(header, names)) return undefined;
  return `Expected the headers ${listed(names)}, which sign the request; got none of them. ${SIGNING_PAGE}`;
}

function listed(names: readonly string[]): string {
  return `${names.slice(0, -1).join(', ')} and ${names.at(-1) ?? ''}`;
}

/** The error of a request whose key is missing or unknown. It repeats nothing of the header. */
export function unauthorized(header: AuthenticationInput['header']): ApiError {
  const authorization = header('authorization');
  const all = ['Authorization: Bearer <API key>', ...(SIGNATURE_HEADERS[1] ?? [])];
  if (authorization === undefined && hasNone(header, SIGNATURE_HEADERS[1] ?? [])) {
    return new ApiError('UNAUTHORIZED', {
      message: `Expected the headers ${listed(all)}; got none of them. Keys begin with svc_test_ or svc_live_. ${SIGNING_PAGE}`,
    });
  }
  return new ApiError('UNAUTHORIZED', {
    message: `${EXPECTED_AUTHORIZATION}; ${receivedAuthorization(authorization)}`,
  });
}

/** Whether a header was sent more than once: several values are joined by commas, and no valid one has any. */
function isRepeated(value: string | undefined): boolean {
  return value?.includes(',') === true;
}

function receivedAuthorization(authorization: string | undefined): string {
  if (authorization === undefined) return 'got no such header. Add it; keys begin with svc_test_ or svc_live_.';
  if (isRepeated(authorization)) return 'got several values. Send the header once, with one key.';
  if (!/^Bearer +\S/i.test(authorization)) return 'got another form. Write Bearer, a space and the key.';
  if (authorization.includes('_secret_')) {
    return 'got a client secret, or a part of one. Servers send the API key; pages leave the signing to the checkout SDK.';
  }
  return 'got a key that does not exist in this installation. Copy it whole; its salt belongs into X-Secret-Salt, and a webhook secret is no key.';
}

/** The error of a request that may not act for the account in its X-Merchant-ID. */
export function accountForbidden(account: string | undefined): ApiError {
  const repeated = isRepeated(account) ? ' It has several values: send the header once.' : '';
  return new ApiError('FORBIDDEN', {
    message:
      'The API key may not act for this merchant account. Expected in X-Merchant-ID an account of the same merchant and environment ' +
      `that the key is not barred from; leave the header out to act for the account of the key.${repeated}`,
  });
}

/** Unix time in s or ms: the most common mistake. */
const UNIX_TIME = /^\d{9,16}$/;

/** The error of a request whose X-Timestamp is missing, malformed or not near the server's time. */
export function timestampExpired({ header, nowMs }: AuthenticationInput, signatureVersion: number): ApiError {
  const unsigned = unsignedMessage(header, signatureVersion);
  if (unsigned !== undefined) return new ApiError('TIMESTAMP_EXPIRED', { message: unsigned });
  const timestamp = header('x-timestamp');
  const serverTime = new Date(nowMs).toISOString();
  return new ApiError('TIMESTAMP_EXPIRED', {
    message:
      `Expected X-Timestamp within the allowed window of 5 minutes from the server's time ${serverTime}, in UTC and in this format ` +
      `(ISO 8601, ending in Z); got ${receivedTimestamp(timestamp, nowMs)}`,
  });
}

function receivedTimestamp(timestamp: string | undefined, nowMs: number): string {
  if (timestamp === undefined) return 'no such header. Add it.';
  if (isRepeated(timestamp)) return 'several values. Send the header once.';
  if (UNIX_TIME.test(timestamp)) return 'digits alone, as in Unix time. Send the time as text.';
  const atMs = Date.parse(timestamp);
  if (!Number.isFinite(atMs)) return 'another text. Send the time in this format.';
  if (!/(?:Z|[+-]00:00)$/.test(timestamp)) return 'a time that is not in UTC. Convert it, and end it with Z.';
  if (!ISO_8601_UTC.test(timestamp)) return 'a time in another format. Send it in this one, with a T and seconds.';
  const seconds = Math.round((atMs - nowMs) / 1_000);
  const distance = `${Math.abs(seconds)} s ${seconds < 0 ? 'before' : 'after'} it`;
  return `a time ${distance}. Set the clock, and make the timestamp when the request is sent.`;
}

/** What the server signed over, so that clients can compare. Clients learn nothing from it that they have not sent. */
interface SignatureDetails {
  readonly signatureVersion: number;
  readonly signedBytes: number;
  readonly signedSha256: string;
  readonly saltMatched?: boolean;
}

/** The error of a request that is not signed as version 1 says. In the sandbox it says what the server signed over. */
export function invalidSignature(input: AuthenticationInput, timestamp: string, credentials: Credentials): ApiError {
  const { header, rawBody } = input;
  const [salt, signature] = [header('x-secret-salt'), header('x-signature')];
  const expected =
    'Expected X-Signature with the HMAC-SHA256, as 64 hexadecimal digits, of X-Timestamp followed by the bytes of the body, keyed ' +
    'with the secret salt, which X-Secret-Salt carries';
  if (header('x-nonce') !== undefined && (salt === undefined || salt === '')) {
    return rejection(
      `The API key takes signature version 1 only. ${expected}; got X-Nonce, which belongs to version 2. Sign with version 1, or make a ` +
        'key for version 2: POST /api/v1/api-keys with "signatureVersion": 2.',
    );
  }
  if (salt === undefined || salt === '') return rejection(`${expected}; got no X-Secret-Salt. Add it.`);
  if (signature === undefined) return rejection(`${expected}; got no X-Signature. Add it.`);
  const repeated = repeatedHeader(header, ['X-Secret-Salt', 'X-Signature']);
  if (repeated !== undefined) return rejection(`${expected}; ${repeated}`);
  if (!isWellFormedSignature(signature)) return rejection(`${expected}; got an X-Signature in another form. Send hex.`);
  if (credentials.environment !== 'sandbox') {
    return rejection(
      `${expected}; got a signature or a salt that does not fit. Sign the bytes that you send, unchanged.`,
    );
  }
  const apiKey = apiKeyOf(header('authorization'));
  if (isSignedWithKey(apiKey, (key) => saltHashOfSigner({ timestamp, rawBody, salt: key, signature }) !== undefined)) {
    return rejection(`${expected}; got one that is keyed with the API key. ${KEYED_WITH_KEY}`);
  }
  if (salt === apiKey) return rejection(`${expected}; got the API key in X-Secret-Salt. ${KEYED_WITH_KEY}`);
  const saltMatched = isSameHash(hashSecret(Buffer.from(salt, 'latin1')), credentials.saltHash);
  const details = detailsOf(1, Buffer.concat([Buffer.from(timestamp, 'latin1'), rawBody]), saltMatched);
  const mistake = saltMatched
    ? (signingMistake({ timestamp, rawBody, salt, signature }) ?? 'Sign the bytes that you send, unchanged.')
    : 'The salt is not that of the API key. Send the salt that was shown with this key.';
  return rejection(`${expected}; got another one. ${describe(details)} ${mistake}`, details);
}

const KEYED_WITH_KEY =
  'Use the secret salt, which was shown with the key (secretSalt): it keys the HMAC, and the API key goes into Authorization alone.';

/** Whether a request is signed with its API key, which takes the place of the salt. */
function isSignedWithKey(apiKey: string | undefined, isSigned: (salt: string) => boolean): boolean {
  return apiKey !== undefined && isSigned(apiKey);
}

const COMPARE =
  'Compare your eight lines with those of /docs/signature-calculator: path and query as they are sent, above all.';

/** The error of a request that is not signed as version 2 says. */
export function invalidSignatureV2(
  { header }: AuthenticationInput,
  parts: SignedParts,
  environment: Environment,
): ApiError {
  const expected =
    'The API key takes signature version 2 only: expected X-Timestamp, X-Nonce (16 to 64 letters, digits, _ or -) and X-Signature over ' +
    'the eight lines of the request, and never X-Secret-Salt';
  if (header('x-secret-salt') !== undefined) return rejection(`${expected}; got X-Secret-Salt. Leave it out.`);
  if (header('x-nonce') === undefined) return rejection(`${expected}; got no X-Nonce. Add it.`);
  if (header('x-signature') === undefined) return rejection(`${expected}; got no X-Signature. Add it.`);
  const repeated = repeatedHeader(header, ['X-Nonce', 'X-Signature', 'X-Merchant-ID']);
  if (repeated !== undefined) return rejection(`${expected}; ${repeated}`);
  if (environment !== 'sandbox') return rejection(`${expected}; got a nonce or a signature that does not fit.`);
  const signature = header('x-signature');
  if (isSignedWithKey(apiKeyOf(header('authorization')), (key) => isSignedWith(key, parts, signature))) {
    return rejection(`${expected}; got a signature that is keyed with the API key. ${KEYED_WITH_KEY}`);
  }
  const details = detailsOf(2, signedTextV2(parts));
  return rejection(
    `${expected}; got a nonce or a signature that does not fit. ${describe(details)} ${COMPARE}`,
    details,
  );
}

/** What to do about the first of these headers that was sent more than once. */
function repeatedHeader(header: AuthenticationInput['header'], names: readonly string[]): string | undefined {
  const name = names.find((each) => isRepeated(header(each.toLowerCase())));
  return name === undefined ? undefined : `got several values in ${name}. Send the header once.`;
}

function rejection(message: string, details?: SignatureDetails): ApiError {
  return new ApiError('INVALID_SIGNATURE', { message, details: details === undefined ? undefined : { ...details } });
}

function detailsOf(signatureVersion: number, signed: Buffer, saltMatched?: boolean): SignatureDetails {
  const known = { signatureVersion, signedBytes: signed.length, signedSha256: hash('sha256', signed, 'hex') };
  return saltMatched === undefined ? known : { ...known, saltMatched };
}

function describe({ signedBytes, signedSha256, saltMatched }: SignatureDetails): string {
  const salt = saltMatched === undefined ? '' : ` The salt ${saltMatched ? 'matched' : 'did not match'}.`;
  return `The server signed ${signedBytes} bytes with the SHA-256 ${signedSha256}.${salt}`;
}

interface V1Request {
  readonly timestamp: string;
  readonly rawBody: Buffer;
  readonly salt: string;
  readonly signature: string;
}

/** The body has not been validated yet, and a large one would take long. */
const MAXIMUM_REPARSED_BYTES = 65_536;

/** Common mistakes: what was signed instead, as timestamp and body, and what to do. */
const MISTAKES: readonly (readonly [
  signed: (request: V1Request) => { readonly timestamp: string; readonly rawBody: Buffer } | null,
  advice: string,
])[] = [
  [
    ({ timestamp, rawBody }) => {
      const parsed = rawBody.length > MAXIMUM_REPARSED_BYTES ? undefined : parseJson(rawBody.toString('utf8'));
      return parsed === undefined ? null : { timestamp, rawBody: Buffer.from(JSON.stringify(parsed)) };
    },
    'The signature is over the same JSON, written differently. Write the body once, and sign and send that text.',
  ],
  [
    ({ timestamp }) => ({ timestamp, rawBody: Buffer.from('{}') }),
    'The signature is over an empty body. Sign the body that you send.',
  ],
  [({ rawBody }) => ({ timestamp: '', rawBody }), 'The signature is over the body alone. Put the timestamp before it.'],
  [
    ({ timestamp, rawBody }) => ({ timestamp: '', rawBody: Buffer.concat([rawBody, Buffer.from(timestamp)]) }),
    'The timestamp comes after the body in what was signed. Put it before the body.',
  ],
  [
    ({ timestamp, rawBody }) => ({ timestamp: `${timestamp}.`, rawBody }),
    'There is a dot between timestamp and body in what was signed. Leave it out.',
  ],
  [
    ({ timestamp, rawBody }) => ({ timestamp: `${timestamp}\n`, rawBody }),
    'There is a line break between timestamp and body in what was signed. Leave it out.',
  ],
];

/** What was signed instead, if it is a common mistake; only for clients that sent the right salt. */
function signingMistake(request: V1Request): string | undefined {
  const mistake = MISTAKES.find(([signed]) => {
    const other = signed(request);
    return other !== null && saltHashOfSigner({ ...request, ...other }) !== undefined;
  });
  return mistake?.[1];
}
