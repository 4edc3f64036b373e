import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { advance } from '../../../../api/resources/test-clock/advance.ts';
import { newId } from '../../../../domain/new-id.ts';
import { useAccount } from '../../../support/account-fixture.ts';
import { principalWith } from '../../../support/principal.ts';

describe('the test clock', () => {
  const test = useAccount();

  it('is advanced once by a request that is repeated after an interruption, whatever advanced it meanwhile', async () => {
    const principal = principalWith({ merchantAccountId: test.account });
    const interrupted = { advanceId: newId('auditEvent'), seconds: 60 };
    const other = { advanceId: newId('auditEvent'), seconds: 5 };
    const advancedSeconds = [];
    for (const each of [interrupted, other, interrupted])
      advancedSeconds.push((await advance(test.database, principal, each)).advancedSeconds);
    assert.deepEqual(advancedSeconds, [60, 65, 65]);
  });
});
