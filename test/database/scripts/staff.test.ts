import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { newId } from '../../../domain/new-id.ts';
import { isOpenEnrolment } from '../../../prisma/stores/staff-enrolment.ts';
import { addStaff, enrolStaff, listStaff, removeStaff } from '../../../scripts/manage-staff.ts';
import { useTestDatabase } from '../../support/database.ts';

describe('the staff command', () => {
  const test = useTestDatabase();

  const emails = async () => (await listStaff(test.database)).map(({ person }) => person.email);
  const insertPerson = async (email: string, emailVerified: boolean) => {
    const id = newId('person');
    await test.database.person.create({ data: { id, name: '', email, emailVerified } });
    return id;
  };

  it('creates a person who does not exist, and who can sign in only by a mail to the address', async () => {
    const { isNew } = await addStaff(test.database, { email: ' Anna@Platform.example', name: 'Anna' });
    assert.ok(isNew);
    const where = { email: 'anna@platform.example' };
    const person = await test.database.person.findUniqueOrThrow({ where, include: { signIns: true } });
    assert.deepEqual([person.name, person.emailVerified, person.signIns], ['Anna', true, []]);
    assert.equal((await addStaff(test.database, where)).isNew, false);
    assert.deepEqual(await emails(), [where.email]);
    await assert.rejects(addStaff(test.database, { email: 'nobody' }), /Expected an e-mail address/);
  });

  it('finds a person by an address that is in another script, on either side of the @', async () => {
    await addStaff(test.database, { email: 'Ben@Bücher.example' });
    assert.equal((await addStaff(test.database, { email: 'ben@xn--bcher-kva.example' })).isNew, false);
    await addStaff(test.database, { email: 'Jürgen@shop.example' });
    assert.equal((await addStaff(test.database, { email: 'Ju\u0308rgen@shop.example' })).isNew, false);
    for (const email of ['ben@bücher.example', 'jürgen@shop.example']) await removeStaff(test.database, email);
  });

  it('refuses a person who has not confirmed the e-mail address: somebody else may know the password', async () => {
    await insertPerson('unknown@platform.example', false);
    await assert.rejects(addStaff(test.database, { email: 'unknown@platform.example' }), /has not confirmed it/);
  });

  it('takes a second factor, which another link replaces; the newest link alone is open, and none after the removal', async () => {
    const email = 'cleo@platform.example';
    const { enrolmentToken } = await addStaff(test.database, { email });
    const { id } = await test.database.person.findUniqueOrThrow({ where: { email } });
    assert.ok(await isOpenEnrolment(test.database, id, enrolmentToken ?? ''));
    await test.database.person.update({ where: { id }, data: { twoFactorEnabled: true } });
    const factor = { id, personId: id, secret: 'x', backupCodes: 'x' };
    await test.database.personSecondFactor.create({ data: factor });
    assert.equal((await addStaff(test.database, { email })).enrolmentToken, null);
    const second = await enrolStaff(test.database, email);
    assert.equal(await test.database.personSecondFactor.count({ where: { personId: id } }), 0);
    assert.ok(await isOpenEnrolment(test.database, id, second));
    for (const [person, token] of [
      [id, enrolmentToken ?? ''],
      [newId('person'), second],
    ] as const) {
      assert.ok(!(await isOpenEnrolment(test.database, person, token)));
    }
    await removeStaff(test.database, email);
    assert.ok(!(await isOpenEnrolment(test.database, id, second)));
    await assert.rejects(enrolStaff(test.database, email), /none of the staff/);
  });

  it('removes a person from the staff with all sessions, and records both', async () => {
    const email = 'ben@platform.example';
    const personId = await insertPerson(email, true);
    await addStaff(test.database, { email });
    const session = { id: personId, personId, token: personId, expiresAt: new Date(Date.now() + 60_000) };
    await test.database.personSession.create({ data: session });
    await removeStaff(test.database, email);
    assert.ok(!(await emails()).includes(email));
    assert.equal(await test.database.personSession.count({ where: { personId } }), 0);
    await assert.rejects(removeStaff(test.database, email), /none of the staff/);
    const entries = await test.database.platformAuditEvent.findMany({
      where: { resourceId: personId },
      orderBy: { createdAt: 'asc' },
    });
    assert.deepEqual(
      entries.map(({ action, actorType }) => `${action} by ${actorType}`),
      ['staff.added by operator', 'staff.removed by operator'],
    );
  });
});
