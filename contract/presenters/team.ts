import type { Invitation, Membership, Person } from '../../prisma/generated/client.ts';
import {
  type InvitationResource,
  invitationResource,
  type TeamMemberResource,
  teamMemberResource,
  type TeamResource,
} from '../schemas/team.ts';

/** What the API reads of a team. */
export interface StoredTeam {
  readonly id: string;
  readonly requireSecondFactor: boolean;
}

/** A membership with its person. */
export type StoredMember = Membership & {
  readonly person: Pick<Person, 'id' | 'name' | 'email' | 'twoFactorEnabled'>;
};

/** The team as clients see it. */
export function presentTeam({ requireSecondFactor }: StoredTeam): TeamResource {
  return { object: 'team', requireSecondFactor };
}

/** The member of a team as clients see it. */
export function presentMember({ person, role, createdAt, updatedAt }: StoredMember): TeamMemberResource {
  return {
    id: person.id,
    object: 'team_member',
    name: person.name,
    email: person.email,
    role: teamMemberResource.shape.role.parse(role),
    twoFactorEnabled: person.twoFactorEnabled,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  };
}

/** The invitation as clients see it. */
export function presentInvitation(row: Invitation): InvitationResource {
  return {
    id: row.id,
    object: 'invitation',
    email: row.email,
    role: invitationResource.shape.role.parse(row.role),
    invitedBy: row.invitedById,
    expiresAt: row.expiresAt.toISOString(),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}
