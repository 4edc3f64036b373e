import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { addressOf, libraryAddressOf, withAddresses } from '../../../dashboard/server/library-address.ts';

describe('the address that the library of the sign-in gets', () => {
  it('is the e-mail address itself where the library takes it, or nobody does', () => {
    for (const address of ['anna@shop.example', 'anna+1@xn--bcher-kva.example', 'nobody', 'a b@ü.example']) {
      assert.equal(libraryAddressOf(address), address);
    }
  });

  it('stands for one e-mail address alone, also for one that looks like an alias', () => {
    const alias = libraryAddressOf('müller@shop.example');
    const addresses = [
      'müller@shop.example',
      '用户@例子.公司',
      'a&b@shop.example',
      'info@xn--p1b6ci4b4b3a.xn--h2brj9c',
      alias,
    ];
    const aliases = addresses.map(libraryAddressOf);
    assert.equal(new Set(aliases).size, addresses.length);
    for (const each of aliases) assert.match(each, /^[0-9a-f]+@beyond-ascii\.invalid$/);
    assert.deepEqual(aliases.map(addressOf), addresses);
  });

  it('is the e-mail address again in an answer', () => {
    const email = libraryAddressOf('müller@shop.example');
    const createdAt = new Date();
    const answer = { token: 't', user: { email, createdAt, roles: [email, null, 1] } };
    assert.deepEqual(withAddresses(answer), {
      token: 't',
      user: { email: 'müller@shop.example', createdAt, roles: ['müller@shop.example', null, 1] },
    });
  });
});
