import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import {
  deleteCardGroup,
  insertCardGroup,
  listCardGroups,
  MAXIMUM_CARD_GROUPS,
  readCardGroup,
  updateCardGroup,
} from '../../../accounts/card-groups/stored-group.ts';
import { createCardGroupBody } from '../../../contract/schemas/card-group.ts';
import { newId } from '../../../domain/new-id.ts';
import type { Principal } from '../../../domain/principal.ts';
import { useTestDatabase } from '../../support/database.ts';
import { insertMerchantAccount } from '../../support/payment-rows.ts';
import { principalWith } from '../../support/principal.ts';

describe('groups of cards', function () {
  this.timeout(60_000);
  const test = useTestDatabase();

  const newAccess = async (): Promise<Principal> => {
    const merchantAccountId = await insertMerchantAccount(test.database);
    const { merchantId } = await test.database.merchantAccount.findUniqueOrThrow({ where: { id: merchantAccountId } });
    return principalWith({ merchantId, merchantAccountId });
  };
  const insert = (principal: Principal, prefixes: string[] = ['411111']) =>
    insertCardGroup(test.database, principal, { id: newId('cardGroup'), fields: { name: 'Corporate', prefixes } });

  it('name each prefix once, are changed in part, and are recorded in the audit log', async () => {
    const principal = await newAccess();
    const { id } = await insert(principal, ['411111', '41111122', '411111']);
    assert.deepEqual((await readCardGroup(test.database, principal, id)).prefixes, ['411111', '41111122']);
    const changed = await updateCardGroup(test.database, principal, { id, fields: { prefixes: ['555555'] } });
    assert.deepEqual([changed.name, changed.prefixes], ['Corporate', ['555555']]);
    await deleteCardGroup(test.database, principal, id);
    const actions = await test.database.auditEvent.findMany({
      where: { resourceId: id },
      orderBy: { createdAt: 'asc' },
    });
    assert.deepEqual(
      actions.map(({ action }) => action),
      ['card_group.created', 'card_group.updated', 'card_group.deleted'],
    );
  });

  it('are those of one merchant in one environment', async () => {
    const principal = await newAccess();
    const { id } = await insert(principal);
    for (const stranger of [await newAccess(), { ...principal, environment: 'production' as const }]) {
      const fields = { name: 'Changed' };
      await assert.rejects(readCardGroup(test.database, stranger, id), { code: 'RESOURCE_NOT_FOUND' });
      await assert.rejects(updateCardGroup(test.database, stranger, { id, fields }), { code: 'RESOURCE_NOT_FOUND' });
      await assert.rejects(deleteCardGroup(test.database, stranger, id), { code: 'RESOURCE_NOT_FOUND' });
      assert.equal((await listCardGroups(test.database, stranger, { page: 1, limit: 10 })).total, 0);
    }
  });

  it('are limited in number, also for concurrent creations', async () => {
    const principal = await newAccess();
    for (let made = 2; made < MAXIMUM_CARD_GROUPS; made += 1) await insert(principal);
    const results = await Promise.allSettled(Array.from({ length: 4 }, () => insert(principal)));
    assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 2);
  });

  for (const [title, prefixes] of [
    ['too short', ['41111']],
    ['long enough to name a single card', ['411111111']],
    ['not digits', ['41111x']],
    ['missing', []],
    ['too many', Array.from({ length: 2_001 }, (_, index) => `${400_000 + index}`)],
  ] as const) {
    it(`are refused with prefixes that are ${title}`, () => {
      assert.equal(createCardGroupBody.safeParse({ name: 'Corporate', prefixes }).success, false);
    });
  }
});
