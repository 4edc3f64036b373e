import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { isOfKeys, resourcesOf, scopeName } from '../../../../dashboard/app/core/scopes.ts';
import { SCOPES_OF_ROLE } from '../../../../domain/roles.ts';
import { ALL_SCOPES } from '../../../../domain/scopes.ts';
import { OPERATIONS_OF_API } from '../../../support/api-operations.ts';

describe('the scopes of keys in the dashboard', () => {
  it('are those that an operation needs, and none that people alone have', () => {
    const needed = new Set(OPERATIONS_OF_API.map(({ scope }) => scope));
    assert.deepEqual(
      SCOPES_OF_ROLE.owner.filter(isOfKeys),
      ALL_SCOPES.filter((scope) => needed.has(scope)),
    );
  });

  it('have names in words, each its own', () => {
    const names = ALL_SCOPES.map(scopeName);
    assert.equal(new Set(names).size, ALL_SCOPES.length);
    for (const name of names) assert.match(name, /^[A-Z][A-Za-z ]+: (?:read|change|send again)$/);
    assert.equal(resourcesOf(['refunds:write', 'statistics:write', 'api-keys:write']), 'Refunds, API keys');
    assert.equal(resourcesOf([]), null);
  });
});
