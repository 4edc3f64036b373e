import { z } from 'zod';
import { ENVIRONMENTS } from '../../domain/payment.ts';
import { ALL_SCOPES, SUPPORT_SCOPE } from '../../domain/scopes.ts';
import { DAY_MS, SECOND_MS } from '../../domain/time.ts';
import { isAllowlistEntry } from '../../domain/ip-allowlist.ts';
import { expecting } from '../field-messages.ts';
import { pageQuery, refinement, responseTime, secretNotice, secretShownOnce, shownName, timeText } from './common.ts';
import { createdBy } from './created-by.ts';
import { COMMON_MEMBERS, CREATED_BY, described, withValues } from './descriptions.ts';

const MAXIMUM_ALLOWLIST_ENTRIES = 100;
const OVERLAP_SECONDS = { maximum: (7 * DAY_MS) / SECOND_MS, default: DAY_MS / SECOND_MS } as const;

const name = shownName(255).min(1);
const signatureVersion = z.int().min(1).max(2);
const scopes = z
  .array(z.enum([...ALL_SCOPES, SUPPORT_SCOPE]))
  .min(1)
  .max(ALL_SCOPES.length + 1);
const expiresAt = timeText.refine(
  (time) => time.getTime() > Date.now(),
  refinement({ fieldCode: 'min', message: 'Expected a time to come; got one that has passed.' }),
);
const { ipv4, ipv6, cidrv4, cidrv6 } = z.regexes;
const ALLOWLIST_ENTRY = [ipv4, ipv6, cidrv4, cidrv6].map(({ source }) => `(?:${source})`).join('|');
const ipAllowlist = z
  .array(
    z
      .string()
      .refine(isAllowlistEntry, {
        ...refinement({ fieldCode: 'invalid' }),
        ...expecting('an IP address or a range in CIDR notation, such as 203.0.113.0/24'),
      })
      .meta({ override: { pattern: ALLOWLIST_ENTRY } }),
  )
  .max(MAXIMUM_ALLOWLIST_ENTRIES);

/** What a key on the first version of the signature does not protect: said wherever somebody may choose it. */
export const VERSION_1_LEAVES_OPEN =
  'Version 1 sends the salt with each request, and its signature covers neither method nor path: whoever reads a request can sign others, ' +
  'and can send it again for 5 minutes, to another path too, so that a read becomes a cancellation.';

const MEMBERS = {
  ...COMMON_MEMBERS,
  createdBy: CREATED_BY,
  id: 'The unique id of the API key, which begins with `key_`. It is not a secret.',
  merchantId:
    'The merchant account (`mer_…`) that the key belongs to, and acts for unless `X-Merchant-ID` names another.',
  environment: 'The environment that the key works in: `sandbox` or `production`.',
  name: 'A name for people, such as what uses the key; 1 to 255 characters.',
  prefix: 'The first characters of the key, by which it can be recognised in a configuration.',
  status: withValues('Whether the key can be used.', {
    active: 'it can',
    expired: '`expiresAt` is past',
    revoked: 'it was revoked; nothing makes it valid again',
  }),
  scopes:
    'What the key may do: `<resource>:read` and `<resource>:write` for each resource of the API. `support:read` adds ' +
    '`workflowUrl` to payment intents and refunds.',
  ipRestricted:
    'Whether the key works only from the addresses in `ipAllowlist`; from all others it gets `IP_NOT_WHITELISTED`. A request that names ' +
    'addresses and leaves this out restricts the key to them.',
  ipAllowlist: `IPv4 and IPv6 addresses, and ranges in CIDR notation, from which a restricted key works; at most ${MAXIMUM_ALLOWLIST_ENTRIES}.`,
  accountBound: 'Whether the key acts for its own account only, so that `X-Merchant-ID` may name no other.',
  signatureVersion:
    'The version of the request signature that the key takes, and no other: 1 or 2. Where a request that creates a key leaves it out, it is ' +
    `2. ${VERSION_1_LEAVES_OPEN} A key never goes back to version 1.`,
  expiresAt: 'When the key stops working; ISO 8601 with a zone, in the future when it is set. Null: never.',
  revokedAt: 'When the key was revoked; null if it was not.',
  replacedBy: 'The id of the key that replaced this one in a rotation; null if it was not rotated.',
  lastUsedAt:
    'When the last request was signed with the key, written once a minute at most; null if none was. Requests that were refused count.',
  lastUsedFrom: 'The IP address of that request.',
  overlapSeconds: `For how many seconds the old key stays valid beside the new one; 0 to ${OVERLAP_SECONDS.maximum} (7 days).`,
  apiKey:
    'The key itself, `svc_test_…` or `svc_live_…`: a secret that no other response has. See `notice` where it is null.',
  secretSalt: 'The secret that signs requests. No other response has it. See `notice` where it is null.',
};

/** Why a key that is bound to addresses needs some. */
export const NOBODY =
  'Expected at least 1 address, because ipRestricted is true; got none, so that nobody could use the key. Add addresses, or leave ipRestricted out.';

/** Whether nobody could use the key, because its IP allowlist is empty. */
export function isRestrictedToNobody(key: {
  readonly ipRestricted?: boolean | undefined;
  readonly ipAllowlist?: readonly string[] | undefined;
}): boolean {
  return key.ipRestricted === true && (key.ipAllowlist ?? []).length === 0;
}

/** POST /api-keys: the limits that are left out are those of the key that makes the request. */
export const createApiKeyBody = z
  .strictObject(
    described(MEMBERS, {
      name,
      scopes,
      expiresAt: expiresAt.nullish(),
      ipAllowlist: ipAllowlist.optional(),
      ipRestricted: z.boolean().optional(),
      accountBound: z.boolean().optional(),
      signatureVersion: signatureVersion.optional(),
    }),
  )
  .refine((key) => !isRestrictedToNobody(key), {
    path: ['ipAllowlist'],
    ...refinement({ fieldCode: 'too_short', message: NOBODY }),
    // Reported together with all other errors.
    when: () => true,
  })
  .meta({
    description:
      'An API key to create. Limits that are left out are those of the key that makes the request, except for `signatureVersion`, which is 2.',
    override: {
      if: { properties: { ipRestricted: { const: true } }, required: ['ipRestricted'] },
      then: { properties: { ipAllowlist: { minItems: 1 } }, required: ['ipAllowlist'] },
    },
  });

export type CreateApiKey = z.output<typeof createApiKeyBody>;

/** PATCH /api-keys/{id}: omitted fields stay unchanged; null removes the expiry. */
export const updateApiKeyBody = z
  .strictObject(
    described(MEMBERS, {
      name: name.optional(),
      scopes: scopes.optional(),
      expiresAt: expiresAt.nullable().optional(),
      ipAllowlist: ipAllowlist.optional(),
      ipRestricted: z.boolean().optional(),
      accountBound: z.boolean().optional(),
      signatureVersion: signatureVersion.optional(),
    }),
  )
  .meta({
    description: 'What to change. Members that are left out stay unchanged; `null` removes the expiry.',
    override: {
      if: { properties: { ipRestricted: { const: true } }, required: ['ipRestricted'] },
      then: { properties: { ipAllowlist: { minItems: 1 } } },
    },
  });

export type UpdateApiKey = z.output<typeof updateApiKeyBody>;

/** POST /api-keys/{id}/rotate */
export const rotateApiKeyBody = z
  .strictObject(
    described(MEMBERS, {
      overlapSeconds: z.int().min(0).max(OVERLAP_SECONDS.maximum).default(OVERLAP_SECONDS.default),
      signatureVersion: signatureVersion.optional(),
    }),
  )
  .describe('How the key is replaced.');

export type RotateApiKey = z.output<typeof rotateApiKeyBody>;

/** GET /api-keys */
export const listApiKeysQuery = z.strictObject(pageQuery);

/** The API key in every response, without its secrets. */
export const apiKeyResource = z
  .object(
    described(MEMBERS, {
      id: z.string(),
      object: z.literal('api_key'),
      merchantId: z.string(),
      environment: z.enum(ENVIRONMENTS),
      name: z.string(),
      prefix: z.string(),
      status: z.enum(['active', 'expired', 'revoked']),
      scopes: z.array(z.string()),
      ipRestricted: z.boolean(),
      ipAllowlist: z.array(z.string()),
      accountBound: z.boolean(),
      signatureVersion: z.int(),
      expiresAt: responseTime.nullable(),
      revokedAt: responseTime.nullable(),
      replacedBy: z.string().nullable(),
      createdBy,
      lastUsedAt: responseTime.nullable(),
      lastUsedFrom: z.string().nullable(),
      createdAt: responseTime,
      updatedAt: responseTime,
    }),
  )
  .describe('An API key, without its secrets.');

export type ApiKeyResource = z.infer<typeof apiKeyResource>;

/** The response to a creation or rotation, the only one with the secrets. */
export const issuedApiKeyResource = apiKeyResource
  .extend({ ...described(MEMBERS, { apiKey: secretShownOnce, secretSalt: secretShownOnce }), notice: secretNotice })
  .meta({ id: 'IssuedApiKey', description: 'A new API key with its secrets, which no other response has.' });
