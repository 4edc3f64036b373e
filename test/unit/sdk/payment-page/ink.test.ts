import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { inkOn } from '../../../../sdk/payment-page/ink.ts';

describe('the text on a button in the colour of a merchant', () => {
  for (const [color, ink] of [
    ['#000000', '#ffffff'],
    ['#1d4f91', '#ffffff'],
    ['#777777', '#000000'],
    ['#757575', '#ffffff'],
    ['#ffdd00', '#000000'],
    ['#FFFFFF', '#000000'],
  ] as const) {
    it(`is ${ink} on ${color}`, () => assert.equal(inkOn(color), ink));
  }
});
