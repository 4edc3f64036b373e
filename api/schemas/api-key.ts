import { z } from 'zod';
import { ENVIRONMENTS } from '../../domain/payment.ts';
import { ALL_SCOPES, SUPPORT_SCOPE } from '../../domain/scopes.ts';
import { DAY_MS, SECOND_MS } from '../../domain/time.ts';
import { isAllowlistEntry } from '../middleware/authentication/ip-allowlist.ts';
import { expecting } from '../middleware/field-messages.ts';
import { pageQuery, refinement, responseTime, secretNotice, secretShownOnce, text, timeText } from './common.ts';

const MAXIMUM_ALLOWLIST_ENTRIES = 100;
const OVERLAP_SECONDS = { maximum: (7 * DAY_MS) / SECOND_MS, default: DAY_MS / SECOND_MS } as const;

const name = text(255).min(1);
/** The version of the signature that a key takes, and no other. */
const signatureVersion = z.number().int().min(1).max(2);
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
/** IPv4 and IPv6 addresses, and ranges of them in CIDR notation. */
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
  .strictObject({
    name,
    scopes,
    expiresAt: expiresAt.nullish(),
    ipAllowlist: ipAllowlist.optional(),
    ipRestricted: z.boolean().optional(),
    accountBound: z.boolean().optional(),
    signatureVersion: signatureVersion.optional(),
  })
  .refine((key) => !isRestrictedToNobody(key), {
    path: ['ipAllowlist'],
    ...refinement({ fieldCode: 'too_short', message: NOBODY }),
    // Reported together with all other errors.
    when: () => true,
  })
  .meta({
    override: {
      if: { properties: { ipRestricted: { const: true } }, required: ['ipRestricted'] },
      then: { properties: { ipAllowlist: { minItems: 1 } }, required: ['ipAllowlist'] },
    },
  });

export type CreateApiKey = z.output<typeof createApiKeyBody>;

/** PATCH /api-keys/{id}: omitted fields stay unchanged; null removes the expiry. */
export const updateApiKeyBody = z
  .strictObject({
    name: name.optional(),
    scopes: scopes.optional(),
    expiresAt: expiresAt.nullable().optional(),
    ipAllowlist: ipAllowlist.optional(),
    ipRestricted: z.boolean().optional(),
    accountBound: z.boolean().optional(),
    signatureVersion: signatureVersion.optional(),
  })
  .meta({
    override: {
      if: { properties: { ipRestricted: { const: true } }, required: ['ipRestricted'] },
      then: { properties: { ipAllowlist: { minItems: 1 } } },
    },
  });

export type UpdateApiKey = z.output<typeof updateApiKeyBody>;

/** POST /api-keys/{id}/rotate */
export const rotateApiKeyBody = z.strictObject({
  overlapSeconds: z.number().int().min(0).max(OVERLAP_SECONDS.maximum).default(OVERLAP_SECONDS.default),
  signatureVersion: signatureVersion.optional(),
});

export type RotateApiKey = z.output<typeof rotateApiKeyBody>;

/** GET /api-keys */
export const listApiKeysQuery = z.strictObject(pageQuery);

/** The API key in every response, without its secrets. */
export const apiKeyResource = z.object({
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
  /** Whether `X-Merchant-ID` may only name the key's own account. */
  accountBound: z.boolean(),
  /** The only version of the signature that the key takes. */
  signatureVersion: z.number(),
  expiresAt: responseTime.nullable(),
  revokedAt: responseTime.nullable(),
  /** The id of the key that replaced this one in a rotation. */
  replacedBy: z.string().nullable(),
  createdAt: responseTime,
  updatedAt: responseTime,
});

export type ApiKeyResource = z.infer<typeof apiKeyResource>;

/** The response to a creation or rotation, the only one with the secrets. */
export const issuedApiKeyResource = apiKeyResource
  .extend({ apiKey: secretShownOnce, secretSalt: secretShownOnce, notice: secretNotice })
  .meta({ id: 'IssuedApiKey' });
