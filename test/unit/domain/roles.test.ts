import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { type Role, ROLES, SCOPES_OF_ROLE } from '../../../domain/roles.ts';
import { ALL_SCOPES, PERSON_SCOPES, SECURITY_SCOPE, SUPPORT_SCOPE, TEAM_SCOPES } from '../../../domain/scopes.ts';

const writesOf = (role: Role) =>
  SCOPES_OF_ROLE[role].filter((scope) => /:(?:write|redeliver)$/.test(scope) && !PERSON_SCOPES.includes(scope)).sort();

describe('roles', () => {
  it('have scopes that exist, each once', () => {
    const known = [...ALL_SCOPES, ...PERSON_SCOPES, ...TEAM_SCOPES, SECURITY_SCOPE, SUPPORT_SCOPE];
    for (const role of ROLES) {
      const scopes = SCOPES_OF_ROLE[role];
      assert.deepEqual(
        scopes.filter((scope) => !known.includes(scope)),
        [],
      );
      assert.equal(new Set(scopes).size, scopes.length);
    }
  });

  it('show the workflow of a payment to those who look into problems', () => {
    const shown = ROLES.filter((role) => SCOPES_OF_ROLE[role].includes(SUPPORT_SCOPE));
    assert.deepEqual(shown, ['owner', 'developer', 'support']);
  });

  it('let the owner alone change the team, and everybody read', () => {
    for (const role of ROLES) {
      const scopes = SCOPES_OF_ROLE[role];
      assert.equal(
        TEAM_SCOPES.some((scope) => scopes.includes(scope)),
        role === 'owner',
      );
      const reads = [...ALL_SCOPES, ...PERSON_SCOPES].filter((scope) => scope.endsWith(':read'));
      assert.ok(reads.every((scope) => scopes.includes(scope)));
    }
  });

  it('write what their work is about, and a reader only its own views', () => {
    assert.deepEqual(writesOf('read_only'), []);
    assert.deepEqual(writesOf('finance'), [
      'disputes:write',
      'payment-links:write',
      'refunds:write',
      'settlements:write',
    ]);
    assert.deepEqual(writesOf('support'), [
      'customers:write',
      'disputes:write',
      'events:redeliver',
      'payment-intents:write',
      'payment-links:write',
      'payment-methods:write',
      'refunds:write',
    ]);
    assert.ok(!writesOf('developer').includes('refunds:write'));
    for (const scope of ['api-keys:write', 'events:redeliver', 'test-clock:write']) {
      assert.ok(writesOf('developer').includes(scope), scope);
    }
  });
});
