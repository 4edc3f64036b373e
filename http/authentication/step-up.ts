import { z } from 'zod';
import { ApiError } from '../../domain/api-error.ts';
import type { Principal } from '../../domain/principal.ts';

/** A request of a person that is about to be executed. */
interface Asked {
  readonly principal: Principal;
  readonly body: unknown;
}

const withRole = z.object({ role: z.string() });
const withAmount = z.object({ amount: z.number() });

const always = () => true;

/** The whole of what is left, where no amount is named, counts as large. */
function isLargeRefund({ principal: { refundConfirmationMinor: from = null }, body }: Asked): boolean {
  return from !== null && (withAmount.safeParse(body).data?.amount ?? Infinity) >= from;
}

/**
 * The operations that a thief of a session would use to stay or to move money. A person confirms them by password or second factor,
 * unless that was given in the session a short time ago.
 */
export const CONFIRMED_OPERATIONS: Readonly<Record<string, (asked: Asked) => boolean>> = {
  createInvitation: ({ body }) => withRole.safeParse(body).data?.role === 'owner',
  updateTeamMember: always,
  removeTeamMember: always,
  updateTeam: always,
  createApiKey: always,
  updateApiKey: always,
  rotateApiKey: always,
  createProviderAccount: always,
  updateProviderAccount: always,
  rotateProviderAccountCredentials: always,
  deleteProviderAccount: always,
  createPaymentRoute: always,
  updatePaymentRoute: always,
  deletePaymentRoute: always,
  createMerchantAccount: always,
  updateMerchantAccount: always,
  createRefund: isLargeRefund,
};

/**
 * Requires that a person has proved a short time ago who it is, where the operation is one to confirm. Keys prove it with each request.
 * @throws ApiError `FORBIDDEN`, reason `reauthentication_required`
 */
export function requireRecentAuthentication(operationId: string, asked: Asked): void {
  const { session } = asked.principal;
  if (session === undefined || session.isRecentlyAuthenticated) return;
  if (CONFIRMED_OPERATIONS[operationId]?.(asked) !== true) return;
  throw new ApiError('FORBIDDEN', {
    message: 'Confirm that it is you: enter your password or a code of your authenticator app, then try again.',
    details: { reason: 'reauthentication_required' },
  });
}
