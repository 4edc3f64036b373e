import { newId } from '../../../domain/new-id.ts';
import { jsonResponse, pageResponse } from '../../../http/response.ts';
import { NO_FIELDS } from '../../../contract/schemas/common.ts';
import {
  createInvitationBody,
  deletedInvitation,
  invitationResource,
  listInvitationsQuery,
} from '../../../contract/schemas/team.ts';
import {
  actionOperation,
  type ApiOperation,
  createOperation,
  listOperation,
  updateOperation,
} from '../api-operation.ts';
import type { IdempotencyDependencies } from '../../idempotency/idempotency.ts';
import {
  INVITATION_MAILS_PER_ADDRESS,
  INVITATION_MAILS_PER_MERCHANT,
} from '../../../accounts/invitations/mail-limits.ts';
import { listInvitations } from '../../../accounts/invitations/stored-invitation.ts';
import { presentInvitation } from '../../../contract/presenters/team.ts';
import {
  createInvitation,
  deleteInvitation,
  type InvitationDependencies,
  resendInvitation,
} from '../../../accounts/invitations/write.ts';

const resource = 'team';
const newInvitationId = () => newId('invitation');

/** Everything below /invitations. */
export function invitationOperations(
  dependencies: InvitationDependencies & IdempotencyDependencies,
): readonly ApiOperation[] {
  const { database } = dependencies;
  return [
    listOperation({
      path: '/invitations',
      operationId: 'listInvitations',
      summary: "List the invitations into the merchant's team that are not accepted yet, newest first",
      resource,
      query: listInvitationsQuery,
      responseData: invitationResource,
      errors: [],
      handle: async ({ principal, query }) =>
        pageResponse(query, await listInvitations(database, principal, query), presentInvitation),
    }),
    createOperation(
      {
        path: '/invitations',
        operationId: 'createInvitation',
        summary: "Invite a person into the merchant's team by e-mail",
        description:
          'The link in the mail is valid for 7 days, and for that e-mail address only. A merchant sends at most ' +
          `${INVITATION_MAILS_PER_MERCHANT} of these mails a day, and an address gets at most ${INVITATION_MAILS_PER_ADDRESS}.`,
        resource,
        body: createInvitationBody,
        responseData: invitationResource,
        errors: ['STATE_CONFLICT'],
        newResourceId: newInvitationId,
        handle: async ({ principal, body }, { resourceId: id }) =>
          jsonResponse(201, presentInvitation(await createInvitation(dependencies, principal, { id, fields: body }))),
      },
      dependencies,
    ),
    actionOperation(
      {
        path: '/invitations/{id}/resend',
        operationId: 'resendInvitation',
        summary: 'Send an invitation again, with another link',
        description: `The earlier link is worth nothing then, and 7 days begin again.`,
        resource,
        body: NO_FIELDS,
        responseData: invitationResource,
        errors: ['RESOURCE_NOT_FOUND', 'STATE_CONFLICT'],
        newResourceId: newInvitationId,
        handle: async ({ principal, id }) =>
          jsonResponse(200, presentInvitation(await resendInvitation(dependencies, principal, id))),
      },
      dependencies,
    ),
    updateOperation('delete', {
      path: '/invitations/{id}',
      operationId: 'deleteInvitation',
      summary: 'Withdraw an invitation',
      resource,
      body: NO_FIELDS,
      responseData: deletedInvitation,
      errors: ['RESOURCE_NOT_FOUND'],
      newResourceId: newInvitationId,
      handle: async ({ principal, id }) => {
        await deleteInvitation(database, principal, id);
        return jsonResponse(200, { id, object: 'invitation', deleted: true });
      },
    }),
  ];
}
