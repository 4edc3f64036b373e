import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { ApiError } from '../../../domain/api-error.ts';
import { requireStrongPassword } from '../../../dashboard/server/password-strength.ts';

/** What is said of a password; null where it is taken. */
async function adviceFor(password: string, known: readonly string[] = []): Promise<string | null> {
  try {
    await requireStrongPassword(password, known);
    return null;
  } catch (error) {
    assert.ok(error instanceof ApiError && error.code === 'VALIDATION_ERROR', String(error));
    return error.message;
  }
}

describe('a new password', () => {
  it('is refused if it is easy to guess, with the reason and advice', async () => {
    assert.match((await adviceFor('password1234')) ?? '', /easy to guess\. This is much like a common password\./);
    assert.match((await adviceFor('aaaaaaaaaaaa')) ?? '', /Repeated letters like "aaa".* Leave out repetitions\./);
    for (const password of ['123456789012', 'qwertyuiop12', 'letmeinletmein', 'Password2024!', 'x'.repeat(128)]) {
      assert.ok((await adviceFor(password)) !== null, password);
    }
  });

  it('may not be made of what is known of the person', async () => {
    const known = ['Ada Wintergreen', 'ada@wintergreen.example', 'Wintergreen Flowers'];
    assert.match((await adviceFor('wintergreen12', known)) ?? '', /It repeats your name, your e-mail address/);
    assert.equal(await adviceFor('wintergreen tortoise ladder', known), null);
  });

  it('is judged by its first 32 characters, because long ones take long to judge', async () => {
    const strong = 'p7#Kq!v9Lw2z-tortoise-violet';
    assert.equal(await adviceFor(`${'a'.repeat(16)}${strong}`), null);
    assert.ok((await adviceFor(`${'a'.repeat(32)}${strong}`)) !== null);
  });

  it('is not the e-mail address of the person, however long that is', async () => {
    const email = 'c9de0a52-7a34-4ed1-9d6f-5bfd3446b804@example.com';
    assert.ok((await adviceFor(email, ['Person', email, 'Shop'])) !== null);
  });

  it('needs no digits or symbols if it is long', async () => {
    assert.equal(await adviceFor('tortoise ladder violet'), null);
    assert.equal(await adviceFor('p7#Kq!v9Lw2z'), null);
  });
});
