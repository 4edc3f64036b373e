import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { nextAddress, signInAddress } from '../../../../dashboard/app/core/addresses.ts';

const ORIGIN = 'https://dashboard.example';

const nextOf = (next: string) => nextAddress(new URLSearchParams({ next }), ORIGIN);

describe('the address to go on to after the sign-in', () => {
  it('is the page that asked for it, with its query', () => {
    const here = '/sandbox/mer_1/payment-intents?q=ORDER-77&page=2';
    assert.equal(nextAddress(new URL(signInAddress(here), ORIGIN).searchParams, ORIGIN), here);
    assert.equal(nextAddress(new URLSearchParams(), ORIGIN), '/');
  });

  it('is never one of another site', () => {
    for (const next of [
      'https://attacker.example/',
      '//attacker.example',
      '/\\attacker.example',
      '\\\\attacker.example',
      '/.//attacker.example',
      '/..//attacker.example',
      '/a/..//attacker.example',
      '/%2e//attacker.example',
      '/\t/attacker.example',
      'javascript:alert(1)',
      'data:text/html,x',
      ' //attacker.example',
      'attacker.example',
      '//',
      '/\\',
    ]) {
      const found = nextOf(next);
      assert.equal(new URL(found, ORIGIN).origin, ORIGIN, next);
      assert.match(found, /^\/(?!\/)/, next);
    }
  });
});
