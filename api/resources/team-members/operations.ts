import { newId } from '../../../domain/new-id.ts';
import { jsonResponse, pageResponse } from '../../../http/response.ts';
import { apiKeyResource } from '../../../contract/schemas/api-key.ts';
import {
  listMemberKeysQuery,
  listTeamMembersQuery,
  removedTeamMember,
  teamResource,
  updateTeamBody,
  removeTeamMemberBody,
  teamMemberResource,
  updateTeamMemberBody,
} from '../../../contract/schemas/team.ts';
import { type ApiOperation, listOperation, readOperation, updateOperation } from '../api-operation.ts';
import { presentKey } from '../../../contract/presenters/api-key.ts';
import { listMemberKeys } from '../../../accounts/team-members/member-keys.ts';
import { listMembers, readMember } from '../../../accounts/team-members/stored-member.ts';
import { presentMember } from '../../../contract/presenters/team.ts';
import { changeRole, removeMember } from '../../../accounts/team-members/write.ts';
import { createdResource, listCreatedResourcesQuery } from '../../../contract/schemas/created-by.ts';
import { findCreatedResources } from '../../../accounts/created-resources.ts';
import { slicePage } from '../../../accounts/lists.ts';
import type { InvitationDependencies } from '../../../accounts/invitations/write.ts';
import { readTeam, updateTeam } from '../../../accounts/team-members/team.ts';
import { presentTeam } from '../../../contract/presenters/team.ts';
import { removedFromTeamMail } from '../../../mail/messages.ts';

const resource = 'team';
type TeamMemberDependencies = Pick<InvitationDependencies, 'database' | 'invitationSender'>;

const newMemberId = () => newId('person');

/** Everything below /team and /team-members. */
export function teamMemberOperations({ database, invitationSender }: TeamMemberDependencies): readonly ApiOperation[] {
  return [
    readOperation({
      path: '/team',
      operationId: 'getTeam',
      summary: 'Retrieve what the team demands of its people',
      resource,
      responseData: teamResource,
      errors: ['RESOURCE_NOT_FOUND'],
      handle: async ({ principal }) => jsonResponse(200, presentTeam(await readTeam(database, principal))),
    }),
    updateOperation('put', {
      path: '/team',
      operationId: 'updateTeam',
      summary: 'Demand a second factor of the whole team, or demand it no more',
      description:
        "The change takes effect at each member's next request. Only a session that began with a second factor can demand one.",
      resource,
      body: updateTeamBody,
      responseData: teamResource,
      errors: ['RESOURCE_NOT_FOUND', 'STATE_CONFLICT'],
      newResourceId: newMemberId,
      handle: async ({ principal, body }) =>
        jsonResponse(200, presentTeam(await updateTeam(database, principal, body))),
    }),
    listOperation({
      path: '/team-members',
      operationId: 'listTeamMembers',
      summary: "List the members of the merchant's team, newest first",
      resource,
      query: listTeamMembersQuery,
      responseData: teamMemberResource,
      errors: [],
      handle: async ({ principal, query }) =>
        pageResponse(query, await listMembers(database, principal, query), presentMember),
    }),
    readOperation({
      path: '/team-members/{id}',
      operationId: 'getTeamMember',
      summary: "Retrieve a member of the merchant's team",
      resource,
      responseData: teamMemberResource,
      errors: ['RESOURCE_NOT_FOUND'],
      handle: async ({ principal, id }) => jsonResponse(200, presentMember(await readMember(database, principal, id))),
    }),
    listOperation({
      path: '/team-members/{id}/api-keys',
      operationId: 'listTeamMemberApiKeys',
      summary: 'List the live API keys that a member made, in both environments, newest first',
      description: 'A key that was rotated belongs to whoever rotated it last, who knows its secrets.',
      resource,
      query: listMemberKeysQuery,
      responseData: apiKeyResource,
      errors: ['RESOURCE_NOT_FOUND'],
      handle: async ({ principal, id, query }) => {
        const { merchantId } = principal;
        const { personId } = await readMember(database, principal, id);
        return pageResponse(query, await listMemberKeys(database, { merchantId, personId }, query), presentKey);
      },
    }),
    listOperation({
      path: '/team-members/{id}/created-resources',
      operationId: 'listTeamMemberCreatedResources',
      summary: 'List what a member has made that still stands, newest first',
      description:
        'API keys, webhook endpoints, accounts at providers, routes and payment links that the person made, or a key of the person, ' +
        'in both environments: they go on working when the person is removed. Of each kind at most the newest 500 are listed, and ' +
        'only kinds whose `:read` scope the request has.',
      resource,
      query: listCreatedResourcesQuery,
      responseData: createdResource,
      errors: ['RESOURCE_NOT_FOUND'],
      handle: async ({ principal, id, query }) => {
        const { personId: createdById } = await readMember(database, principal, id);
        const found = await findCreatedResources(database, principal, { createdById });
        return pageResponse(
          query,
          slicePage(found, query, (made) => made.id),
          (made) => made,
        );
      },
    }),
    updateOperation('patch', {
      path: '/team-members/{id}',
      operationId: 'updateTeamMember',
      summary: 'Change the role of a member',
      description: `The change takes effect at the member's next request. A team keeps at least one owner.`,
      resource,
      body: updateTeamMemberBody,
      responseData: teamMemberResource,
      errors: ['RESOURCE_NOT_FOUND', 'STATE_CONFLICT'],
      newResourceId: newMemberId,
      handle: async ({ principal, id, body }) =>
        jsonResponse(200, presentMember(await changeRole(database, principal, { id, role: body.role }))),
    }),
    updateOperation('delete', {
      path: '/team-members/{id}',
      operationId: 'removeTeamMember',
      summary: 'Remove a member from the team',
      description:
        "The member's sessions end at once, and a mail tells the person. With `revokeApiKeys` the live API keys that the person made end with them, in both " +
        'environments; without it they stay as they are. A team keeps at least one owner; only the last member of a merchant without ' +
        'payments and keys may leave it.',
      resource,
      body: removeTeamMemberBody,
      responseData: removedTeamMember,
      errors: ['RESOURCE_NOT_FOUND', 'STATE_CONFLICT'],
      newResourceId: newMemberId,
      handle: async ({ principal, id, body: { revokeApiKeys = false } }) => {
        const { email } = await removeMember(database, principal, { id, revokeApiKeys });
        if (id !== principal.personId) invitationSender?.mailer.post(removedFromTeamMail(email));
        return jsonResponse(200, { id, object: 'team_member', deleted: true });
      },
    }),
  ];
}
