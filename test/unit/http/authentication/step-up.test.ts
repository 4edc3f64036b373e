import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { CONFIRMED_OPERATIONS, requireRecentAuthentication } from '../../../../http/authentication/step-up.ts';
import { OPERATIONS_OF_API } from '../../../support/api-operations.ts';
import { principalWith } from '../../../support/principal.ts';
import { SESSION_OPERATIONS } from '../../../support/session-operations.ts';

const REFUSED = { code: 'FORBIDDEN', details: { reason: 'reauthentication_required' } };
const session = { gaveSecondFactor: false, isRecentlyAuthenticated: false };
const thief = principalWith({ session });
const ask = (operationId: string, body: object, principal = thief) =>
  requireRecentAuthentication(operationId, { principal, body });

describe('the operations that a person confirms', () => {
  it('are operations of the API', () => {
    const known = new Set([...OPERATIONS_OF_API, ...SESSION_OPERATIONS].map(({ operationId }) => operationId));
    assert.deepEqual(
      Object.keys(CONFIRMED_OPERATIONS).filter((operationId) => !known.has(operationId)),
      [],
    );
  });

  it('are refused in a session whose person proved nothing lately, and not for keys', () => {
    for (const operationId of [
      'createApiKey',
      'removeTeamMember',
      'rotateProviderAccountCredentials',
      'createPaymentRoute',
    ]) {
      assert.throws(() => ask(operationId, {}), REFUSED, operationId);
      ask(operationId, {}, principalWith({ session: { ...session, isRecentlyAuthenticated: true } }));
      ask(operationId, {}, principalWith({}));
    }
    assert.throws(() => ask('createInvitation', { role: 'owner' }), REFUSED);
    ask('createInvitation', { role: 'support' });
    ask('createSavedView', {});
  });

  it('include a refund from the amount on that the account names, and one of all that is left', () => {
    const account = { ...thief, refundConfirmationMinor: 5_000 };
    ask('createRefund', { amount: 4_999 }, account);
    for (const body of [{ amount: 5_000 }, {}]) assert.throws(() => ask('createRefund', body, account), REFUSED);
    ask('createRefund', { amount: 1_000_000 });
    ask('createRefund', { amount: 1_000_000 }, { ...thief, refundConfirmationMinor: null });
  });
});
