import { z } from 'zod';
import { ENVIRONMENTS } from '../../domain/payment.ts';
import { EMAIL_ADDRESS } from '../../domain/email-address.ts';
import { type Role, ROLES } from '../../domain/roles.ts';
import { pageQuery, responseTime } from './common.ts';
import { signInAddress } from './sign-in-address.ts';
import { suspensionByPlatform } from './platform.ts';
import { COMMON_MEMBERS, described, withValues } from './descriptions.ts';

const ROLE = withValues<Role>('What the person may do for the merchant.', {
  owner: 'everything, the team included',
  developer:
    'reads, API keys, webhook endpoints, redeliveries, payment routes, channel limits, accounts at providers and the test clock',
  support:
    'reads, payments (create, confirm, capture and cancel), payment links, refunds, disputes, customers and redeliveries',
  finance: 'reads, payment links, refunds and disputes',
  read_only: 'reads',
});

const email = signInAddress.meta({ override: { pattern: EMAIL_ADDRESS.source } });

const MEMBER = {
  ...COMMON_MEMBERS,
  id: 'The id of the person, which begins with `per_`.',
  name: 'The name of the person.',
  email: 'The e-mail address that the person signs in with.',
  role: ROLE,
  twoFactorEnabled: 'Whether the person signs in with a second factor too.',
  createdAt: 'When the person joined the team; ISO 8601 in UTC, with milliseconds.',
  updatedAt: 'When the role last changed; ISO 8601 in UTC, with milliseconds.',
};

/** The member of a team in every response. */
export const teamMemberResource = z
  .object(
    described(MEMBER, {
      id: z.string(),
      object: z.literal('team_member'),
      name: z.string(),
      email: z.string(),
      role: z.enum(ROLES),
      twoFactorEnabled: z.boolean(),
      createdAt: responseTime,
      updatedAt: responseTime,
    }),
  )
  .describe('A person in the team of the merchant.');

export type TeamMemberResource = z.infer<typeof teamMemberResource>;

/** GET /team-members */
export const listTeamMembersQuery = z.strictObject(pageQuery);

/** PATCH /team-members/{id} */
export const updateTeamMemberBody = z
  .strictObject(described(MEMBER, { role: z.enum(ROLES) }))
  .describe('The role that the person is to have.');

const TEAM = {
  object: COMMON_MEMBERS.object,
  requireSecondFactor:
    'Whether every session of the team must have begun with a second factor; others are refused until the person has set one up.',
};

/** PUT /team */
export const updateTeamBody = z
  .strictObject(described(TEAM, { requireSecondFactor: z.boolean() }))
  .describe('What the team demands of its people.');

export type UpdateTeam = z.output<typeof updateTeamBody>;

/** The settings of a team in every response. */
export const teamResource = z
  .object(described(TEAM, { object: z.literal('team'), requireSecondFactor: z.boolean() }))
  .describe('What a team demands of its people.');

export type TeamResource = z.infer<typeof teamResource>;

const REMOVAL = {
  revokeApiKeys: 'Whether the live API keys that the person made are revoked too. The default is `false`.',
};

/** DELETE /team-members/{id} */
export const removeTeamMemberBody = z
  .strictObject(described(REMOVAL, { revokeApiKeys: z.boolean().optional() }))
  .describe('What ends with the membership.');

/** GET /team-members/{id}/api-keys */
export const listMemberKeysQuery = z.strictObject(pageQuery);

/** DELETE /team-members/{id} */
export const removedTeamMember = z
  .object(
    described(
      { ...MEMBER, deleted: COMMON_MEMBERS.deleted },
      {
        id: z.string(),
        object: z.literal('team_member'),
        deleted: z.literal(true),
      },
    ),
  )
  .describe('What is left of a member who was removed.');

const INVITATION = {
  ...COMMON_MEMBERS,
  id: 'The unique id of the invitation, which begins with `inv_`.',
  email: 'The e-mail address that is invited, in lower case. Only who signs in with it can accept.',
  role: ROLE,
  invitedBy: 'The id of the person who invited.',
  expiresAt: 'Until when it can be accepted: 7 days after it was last sent. ISO 8601 in UTC, with milliseconds.',
};

/** POST /invitations */
export const createInvitationBody = z
  .strictObject(described(INVITATION, { email, role: z.enum(ROLES) }))
  .describe('Whom to invite.');

export type CreateInvitation = z.output<typeof createInvitationBody>;

/** GET /invitations */
export const listInvitationsQuery = z.strictObject(pageQuery);

/** The invitation in every response. */
export const invitationResource = z
  .object(
    described(INVITATION, {
      id: z.string(),
      object: z.literal('invitation'),
      email: z.string(),
      role: z.enum(ROLES),
      invitedBy: z.string(),
      expiresAt: responseTime,
      createdAt: responseTime,
      updatedAt: responseTime,
    }),
  )
  .describe('An offer to join the team of the merchant, sent by e-mail. It is gone once it is accepted.');

export type InvitationResource = z.infer<typeof invitationResource>;

/** DELETE /invitations/{id} */
export const deletedInvitation = z
  .object(
    described(
      { ...INVITATION, deleted: COMMON_MEMBERS.deleted },
      {
        id: z.string(),
        object: z.literal('invitation'),
        deleted: z.literal(true),
      },
    ),
  )
  .describe('What is left of an invitation that was withdrawn.');

const ACCOUNT = {
  id: 'The id of the merchant account, which `X-Merchant-ID` takes.',
  environment: 'Its environment, which `X-Environment` takes.',
  name: 'Its name.',
  status: 'Whether it takes requests.',
};

const ME = {
  object: COMMON_MEMBERS.object,
  person: 'Who is signed in.',
  isPlatformStaff: 'Whether the person is one of the staff of the platform too, who have a console of their own.',
  merchant: 'The merchant whose team the person is in.',
  role: ROLE,
  scopes: 'What the role allows, as scopes of the API.',
  account: 'The id of the merchant account that this request acts for.',
  environment: 'The environment of this request.',
  accounts: 'The accounts of the merchant in both environments, oldest first: up to 200.',
};

/** GET /me */
export const meResource = z
  .object(
    described(ME, {
      object: z.literal('me'),
      person: z.object({ id: z.string(), name: z.string(), email: z.string(), twoFactorEnabled: z.boolean() }),
      isPlatformStaff: z.boolean(),
      merchant: z.object({ id: z.string(), name: z.string(), suspension: suspensionByPlatform }),
      role: z.enum(ROLES),
      scopes: z.array(z.string()),
      account: z.string(),
      environment: z.enum(ENVIRONMENTS),
      accounts: z.array(
        z.object(
          described(ACCOUNT, {
            id: z.string(),
            environment: z.enum(ENVIRONMENTS),
            name: z.string(),
            status: z.enum(['active', 'suspended']),
          }),
        ),
      ),
    }),
  )
  .describe('The person of the session, and what the person may do.');

export type MeResource = z.infer<typeof meResource>;
