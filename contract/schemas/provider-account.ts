import { z } from 'zod';
import { DAY_MS, SECOND_MS } from '../../domain/time.ts';
import { CAPTURE_METHODS, ENVIRONMENTS, PAYMENT_METHOD_TYPES } from '../../domain/payment.ts';
import {
  PROVIDER_ACCOUNT_STATUSES,
  PROVIDER_KIND_NAMES,
  type ProviderAccountStatus,
  type ProviderKindName,
} from '../../domain/provider-account.ts';
import { CREDENTIAL_INPUTS } from '../../providers/provider-kind.ts';
import { PROVIDER_KINDS } from '../../providers/provider-kinds.ts';
import { deletedResource, pageQuery, refinement, responseTime, text } from './common.ts';
import { createdBy } from './created-by.ts';
import { COMMON_MEMBERS, CREATED_BY, described, withValues } from './descriptions.ts';

const OVERLAP_SECONDS = { maximum: (7 * DAY_MS) / SECOND_MS, default: DAY_MS / SECOND_MS } as const;
const MAXIMUM_CREDENTIALS = 20;
const MAXIMUM_LENGTH = 16_384;

const TOO_MANY = refinement({
  fieldCode: 'too_long',
  message: `Expected at most ${MAXIMUM_CREDENTIALS} credentials; got more. Leave some out.`,
});

const TOO_LONG = refinement({
  fieldCode: 'too_long',
  message: `Expected credentials of at most ${MAXIMUM_LENGTH} characters as JSON; got more.`,
});

const name = text(100).min(1);
const kind = z.enum(PROVIDER_KIND_NAMES);
const status = z.enum(PROVIDER_ACCOUNT_STATUSES);
/** What every kind has in common; which credentials there are depends on the kind. */
const credentials = z
  .record(z.string().min(1).max(100), z.unknown())
  .refine((values) => Object.keys(values).length <= MAXIMUM_CREDENTIALS, TOO_MANY)
  .refine((values) => JSON.stringify(values).length <= MAXIMUM_LENGTH, TOO_LONG)
  .meta({ override: { maxProperties: MAXIMUM_CREDENTIALS } });

const CREDENTIALS_BY_KIND = withValues<ProviderKindName>(
  'What the provider knows the account by.',
  ofKinds(({ credentials: ofKind }) =>
    Object.entries(ofKind)
      .map(([credential, { meaning }]) => `\`${credential}\` (${meaning})`)
      .join(', '),
  ),
);

const MEMBERS = {
  ...COMMON_MEMBERS,
  createdBy: CREATED_BY,
  id: 'The unique id of the account, which begins with its kind. Routes name it as their provider.',
  kind: withValues<ProviderKindName>(
    'The provider that the account is at.',
    ofKinds(({ label, description }) => `${label}: ${description}`),
  ),
  name: 'A name of your own for the account, up to 100 characters.',
  status: withValues<ProviderAccountStatus>('Whether it takes new payments.', {
    active: 'it does',
    disabled: 'it does not; payments, captures and refunds that are under way are still completed there',
  }),
  credentials: CREDENTIALS_BY_KIND,
  credentialNames: 'The names of the credentials that are set.',
  publicCredentials:
    'Those credentials that are no secret, with their values as texts, lists and objects as JSON. No response has the others.',
  credentialsUpdatedAt: 'When the credentials were last replaced.',
  credentialsRefusedSince:
    'Since when the provider refuses the credentials, so that payments there fail: they have expired, were revoked, or lack a ' +
    'right. Null where it does not, as far as calls have shown. It is null again once the provider has accepted them in a test ' +
    'or in the same kind of call, such as a refund.',
  overlapSeconds:
    'For how many seconds webhooks are accepted too that the provider signed with the earlier secret; 0 to ' +
    `${OVERLAP_SECONDS.maximum} (7 days). Set it to 0 if the secret has leaked. Calls use the new credentials at once.`,
  webhookPath:
    "Where the provider posts its webhooks: this path, at the address of the API. Enter it in the provider's dashboard. " +
    'A chain (`evm`) sends none.',
  capabilities: 'What the provider can do; a route for anything else is skipped.',
};
const CAPABILITY_MEMBERS = {
  paymentMethods: 'The payment methods that it takes.',
  captureMethods: 'How payments can be captured there.',
  providerTokens: 'Whether it takes its own tokens that stand for cards (`providerToken` of a payment method).',
  partialCapture: 'Whether less than the authorized amount can be captured.',
};
const TEST_MEMBERS = {
  object: COMMON_MEMBERS.object,
  providerAccountId: 'The id of the account that was tested.',
  ok: 'Whether the provider accepted the credentials.',
  reason: 'What is wrong with them, for people, in English; null if they work.',
};

/** A text about each kind. */
function ofKinds(
  textOf: (kind: (typeof PROVIDER_KINDS)[ProviderKindName]) => string,
): Readonly<Record<ProviderKindName, string>> {
  const texts = PROVIDER_KIND_NAMES.map((each) => [each, textOf(PROVIDER_KINDS[each])]);
  return Object.fromEntries(texts) as Readonly<Record<ProviderKindName, string>>;
}

/** POST /provider-accounts */
export const createProviderAccountBody = z
  .strictObject(described(MEMBERS, { kind, name, credentials }))
  .describe('An account at a provider to create.');

export type CreateProviderAccount = z.output<typeof createProviderAccountBody>;

/** PATCH /provider-accounts/{id}: omitted fields stay unchanged. */
export const updateProviderAccountBody = z
  .strictObject(described(MEMBERS, { name: name.optional(), status: status.optional() }))
  .describe('What to change. Members that are left out stay unchanged.');

export type UpdateProviderAccount = z.output<typeof updateProviderAccountBody>;

/** POST /provider-accounts/{id}/rotate */
export const rotateProviderCredentialsBody = z
  .strictObject(
    described(MEMBERS, {
      credentials,
      overlapSeconds: z.int().min(0).max(OVERLAP_SECONDS.maximum).default(OVERLAP_SECONDS.default),
    }),
  )
  .describe('The credentials that replace all earlier ones.');

export type RotateProviderCredentials = z.output<typeof rotateProviderCredentialsBody>;

/** GET /provider-accounts */
export const listProviderAccountsQuery = z.strictObject({
  ...pageQuery,
  kind: kind.optional().describe('Selects the accounts at this provider.'),
  status: status.optional().describe('Selects the accounts with this status.'),
});

export type ListProviderAccounts = z.output<typeof listProviderAccountsQuery>;

/** The account in every response. */
export const providerAccountResource = z
  .object(
    described(MEMBERS, {
      id: z.string(),
      object: z.literal('provider_account'),
      merchantId: z.string(),
      environment: z.enum(ENVIRONMENTS),
      kind,
      name: z.string(),
      status,
      credentialNames: z.array(z.string()),
      publicCredentials: z.record(z.string(), z.string()),
      credentialsUpdatedAt: responseTime,
      credentialsRefusedSince: responseTime.nullable(),
      webhookPath: z.string(),
      capabilities: z.object(
        described(CAPABILITY_MEMBERS, {
          paymentMethods: z.array(z.enum(PAYMENT_METHOD_TYPES)),
          captureMethods: z.array(z.enum(CAPTURE_METHODS)),
          providerTokens: z.boolean(),
          partialCapture: z.boolean(),
        }),
      ),
      createdBy,
      createdAt: responseTime,
      updatedAt: responseTime,
    }),
  )
  .describe('An account of the merchant at a provider, without its secrets.');

export type ProviderAccountResource = z.infer<typeof providerAccountResource>;

/** DELETE /provider-accounts/{id} */
export const deletedProviderAccount = deletedResource('provider_account');

/** POST /provider-accounts/{id}/test */
export const providerAccountTestResource = z
  .object(
    described(TEST_MEMBERS, {
      object: z.literal('provider_account_test'),
      providerAccountId: z.string(),
      ok: z.boolean(),
      reason: z.string().nullable(),
    }),
  )
  .describe('Whether the credentials of an account at a provider work.');

const KIND_MEMBERS = {
  kind: MEMBERS.kind,
  label: 'The name of the provider, for people.',
  description: 'What accounts there are for.',
  credentials: 'What to enter, in the order of a form.',
};
const CREDENTIAL_MEMBERS = {
  name: 'The name of the credential in `credentials` of an account.',
  label: 'Its name for people.',
  meaning: 'What it is, in Markdown.',
  isSecret: 'Whether no response has it again.',
  isOptional: 'Whether it may be left out.',
  input: withValues<(typeof CREDENTIAL_INPUTS)[number]>('How it is entered.', {
    text: 'as a text',
    number: 'as a number',
    switch: 'as true or false',
    choice: 'as one of `choices`',
    json: 'as a list or an object, in JSON',
  }),
  choices: 'What can be chosen; empty for other inputs.',
  example: 'An example of a list or an object; null for other inputs.',
};

/** GET /provider-accounts/kinds */
export const providerKindsResource = z
  .object({
    object: z.literal('provider_kinds').describe(COMMON_MEMBERS.object),
    kinds: z
      .array(
        z.object(
          described(KIND_MEMBERS, {
            kind,
            label: z.string(),
            description: z.string(),
            credentials: z.array(
              z.object(
                described(CREDENTIAL_MEMBERS, {
                  name: z.string(),
                  label: z.string(),
                  meaning: z.string(),
                  isSecret: z.boolean(),
                  isOptional: z.boolean(),
                  input: z.enum(CREDENTIAL_INPUTS),
                  choices: z.array(z.string()),
                  example: z.string().nullable(),
                }),
              ),
            ),
          }),
        ),
      )
      .describe('The providers, each with the credentials of an account.'),
  })
  .describe('The providers at which the merchant account can have accounts, in the environment of the key.');

export type ProviderKindsResource = z.infer<typeof providerKindsResource>;
