import { z } from 'zod';
import { ACTOR_TYPES, PLATFORM_ACTIONS } from '../../domain/audit.ts';
import { ENVIRONMENTS } from '../../domain/payment.ts';
import { pageQuery, responseTime, text } from './common.ts';
import { COMMON_MEMBERS, described } from './descriptions.ts';
import { ACCOUNT_STATUSES } from './merchant-account.ts';

const LONGEST_REASON = 500;

const SUSPENSION = {
  suspended: 'Whether the platform suspends the merchant, with all its accounts in both environments.',
  reason:
    'Why: of a suspension what the people of the merchant are told, which should say whom they can write to. ' +
    'It is kept in the log of the platform, and of a suspension in the log of the merchant.',
  since: 'Since when; ISO 8601 in UTC, with milliseconds.',
};

/** GET /platform/me */
export const platformStaffResource = z
  .object(
    described(
      {
        ...COMMON_MEMBERS,
        id: 'The id of the person, which begins with `per_`.',
        name: 'The name of the person.',
        email: 'The e-mail address of the person.',
      },
      { id: z.string(), object: z.literal('platform_staff'), name: z.string(), email: z.string() },
    ),
  )
  .describe('One of the staff of the platform: the person of the session.');

/** The suspension of a merchant. */
export const suspensionByPlatform = z
  .object(described(SUSPENSION, { reason: z.string(), since: responseTime }))
  .nullable();

const MERCHANT = {
  ...COMMON_MEMBERS,
  id: 'The unique id of the merchant, which begins with `org_`.',
  name: 'The name of the merchant.',
  suspension: 'The suspension by the platform; null without one.',
  createdAt: 'When the merchant was made; ISO 8601 in UTC, with milliseconds.',
};

const merchantMembers = {
  id: z.string(),
  object: z.literal('platform_merchant'),
  name: z.string(),
  suspension: suspensionByPlatform,
  createdAt: responseTime,
};

/** GET /platform/merchants */
export const listPlatformMerchantsQuery = z.strictObject({
  ...pageQuery,
  q: text(254)
    .min(1)
    .optional()
    .describe(
      'A part of the name, the id of the merchant or of one of its accounts, or the e-mail address of one of its people.',
    ),
  status: z.enum(ACCOUNT_STATUSES).optional().describe('Whether the platform has suspended the merchant.'),
});

export type ListPlatformMerchants = z.output<typeof listPlatformMerchantsQuery>;

/** The merchant in lists. */
export const platformMerchantResource = z
  .object(described(MERCHANT, merchantMembers))
  .describe('A merchant, as the platform sees it.');

/** GET /platform/policy-reports */
export const platformPolicyReportResource = z
  .object({
    id: z.string(),
    object: z.literal('platform_policy_report'),
    page: z.string(),
    directive: z.string(),
    blocked: z.string(),
    isSerious: z.boolean(),
    reports: z.int(),
    firstDay: z.string(),
    lastAt: responseTime,
  })
  .describe('What browsers reported that the content security policy of a payment page refused, over 90 days.');

const ACCOUNT = {
  id: 'The id of the account, which begins with `mer_`.',
  environment: 'Its environment.',
  name: 'Its name.',
  status: 'Whether it takes requests.',
  suspendedBy: 'Who suspended it; null for an active account.',
  apiKeys: 'How many of its API keys are neither revoked nor expired.',
  payments: 'How many payments were made within the last 24 hours: counted up to 10,000.',
};

const DETAILS = {
  ...MERCHANT,
  accounts: 'Its accounts in both environments, oldest first: up to 100.',
  people: 'How many people are in its team.',
};

/** One merchant. */
export const platformMerchantDetails = z
  .object(
    described(DETAILS, {
      ...merchantMembers,
      people: z.int(),
      accounts: z.array(
        z.object(
          described(ACCOUNT, {
            id: z.string(),
            environment: z.enum(ENVIRONMENTS),
            name: z.string(),
            status: z.enum(ACCOUNT_STATUSES),
            suspendedBy: z.enum(['merchant', 'platform']).nullable(),
            apiKeys: z.int(),
            payments: z.int(),
          }),
        ),
      ),
    }),
  )
  .describe('A merchant with its accounts, as the platform sees it.');

export type PlatformMerchantDetails = z.infer<typeof platformMerchantDetails>;

/** PUT /platform/merchants/{id}/suspension */
export const suspensionBody = z
  .strictObject(described(SUSPENSION, { suspended: z.boolean(), reason: text(LONGEST_REASON).trim().min(1) }))
  .describe('Whether the merchant is to be suspended.');

/** GET /platform/merchants/{id}/provider-accounts and other lists without filters */
export const platformPageQuery = z.strictObject(pageQuery);

const COUNTS = {
  attempts: 'How many attempts of all merchants ended, without those that were canceled.',
  approved: 'How many of these attempts the provider approved.',
  unanswered: 'How many of these attempts ended without a usable answer, so that nothing was charged.',
  latency:
    'How long attempts took from their start to their outcome, tries and waits for the customer included; null where none ended. ' +
    'Where payments are many, it is that of the newest ones.',
};
const counts = { attempts: z.int(), approved: z.int(), unanswered: z.int() };
const latency = z
  .object(
    described(
      { medianMs: 'The median, in milliseconds.', p95Ms: 'The 95th percentile, in milliseconds.' },
      { medianMs: z.int(), p95Ms: z.int() },
    ),
  )
  .nullable();

const HEALTH = {
  ...COUNTS,
  id: 'Environment and provider.',
  object: COMMON_MEMBERS.object,
  provider: "The name of the provider; the id of the account for a merchant's own account at a provider.",
  environment: 'The environment.',
  consecutiveFailures: 'How many attempts in a row got no usable answer within 5 s.',
  openUntil: 'Until when the provider is asked last; ISO 8601 in UTC. Null if its circuit breaker is closed.',
  failingSince:
    'Since when there is no usable answer within 5 s; ISO 8601 in UTC. Null if the last answer was usable and in time.',
  hours: 'The present hour and the 23 before it, the latest first.',
};

/** GET /platform/provider-health */
export const platformProviderHealthResource = z
  .object(
    described(HEALTH, {
      id: z.string(),
      object: z.literal('platform_provider_health'),
      provider: z.string(),
      environment: z.enum(ENVIRONMENTS),
      ...counts,
      latency,
      consecutiveFailures: z.int(),
      openUntil: responseTime.nullable(),
      failingSince: responseTime.nullable(),
      hours: z.array(
        z.object(
          described(
            { ...COUNTS, startsAt: 'When the hour begins; ISO 8601 in UTC.' },
            { startsAt: responseTime, ...counts, latency },
          ),
        ),
      ),
    }),
  )
  .describe('The health of a provider over all merchants: the attempts of the last 24 hours, and the circuit breaker.');

const SETTING = {
  id: 'The name of the environment variable.',
  object: COMMON_MEMBERS.object,
  isSet: 'Whether it has a value; otherwise its default holds, if it has one.',
  isSecret: 'Whether its value is a secret, or names a file with one. No value is ever shown.',
};

/** A setting of the API process that answers. */
export const platformSettingResource = z
  .object(
    described(SETTING, {
      id: z.string(),
      object: z.literal('platform_setting'),
      isSet: z.boolean(),
      isSecret: z.boolean(),
    }),
  )
  .describe('A setting of the API, without its value.');

const AUDIT = {
  ...COMMON_MEMBERS,
  id: 'The unique id of the entry, which begins with `pau_`.',
  action: 'What was done.',
  resource: 'The merchant or the person whom it concerns, with the name or e-mail address then.',
  actor:
    'Who did it: a person of the staff (`person`) or an operator with a command, with the e-mail address or user name then.',
  reason: 'The reason that was given; null where none is asked for.',
  createdAt: 'When it was done; ISO 8601 in UTC, with milliseconds.',
};

/** GET /platform/audit-events */
export const listPlatformAuditEventsQuery = z.strictObject({
  ...pageQuery,
  action: z.enum(PLATFORM_ACTIONS).optional().describe('Selects the changes of this kind.'),
  resourceId: text(64).min(1).optional().describe('Selects what concerns the merchant or person with this id.'),
  actorId: text(64).min(1).optional().describe('Selects what this person or operator did.'),
});

/** An entry of the platform's log. */
export const platformAuditEventResource = z
  .object(
    described(AUDIT, {
      id: z.string(),
      object: z.literal('platform_audit_event'),
      action: z.enum(PLATFORM_ACTIONS),
      resource: z.object({ id: z.string(), name: z.string() }),
      actor: z.object({ type: z.enum(ACTOR_TYPES), id: z.string(), name: z.string(), address: z.string() }),
      reason: z.string().nullable(),
      createdAt: responseTime,
    }),
  )
  .describe('What one of the staff or an operator changed for the platform.');

export type PlatformAuditEventResource = z.infer<typeof platformAuditEventResource>;
