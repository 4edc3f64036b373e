import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { signInAddress } from '../../../contract/schemas/sign-in-address.ts';
import { EMAIL_ADDRESS, signInAddressOf } from '../../../domain/email-address.ts';

describe('an e-mail address', () => {
  const accepted = [
    'info@shop.example',
    "o'neil+orders@shop.example",
    'first.last@sub.shop.example',
    'müller@shop.example',
    'info@bücher.example',
    'उपयोगकर्ता@उदाहरण.भारत',
    '用户@例子.公司',
    'info@shop.xn--p1ai',
    '👍@shop.example',
  ];
  const refused = [
    '',
    'shop.example',
    'info@',
    '@shop.example',
    'info@shop',
    'info@@shop.example',
    'a b@shop.example',
    'a\u00a0b@shop.example',
    'a\u0085b@shop.example',
    'a\nb@shop.example',
    '.info@shop.example',
    'info.@shop.example',
    'in..fo@shop.example',
    'info@shop..example',
    'info@-shop.example',
    'info@shop-.example',
    'info@127.0.0.1',
    '<info@shop.example>',
  ];
  for (const text of accepted) it(`is ${text}`, () => assert.match(text, EMAIL_ADDRESS));
  for (const text of refused) it(`is not ${JSON.stringify(text)}`, () => assert.doesNotMatch(text, EMAIL_ADDRESS));

  it('is checked in time that grows with the text alone', () => {
    const start = performance.now();
    for (const part of ['é', 'a.', 'a-', '1.']) EMAIL_ADDRESS.test(`a@${part.repeat(126)}!`);
    for (const part of ['é', 'a.', "'"]) EMAIL_ADDRESS.test(`${part.repeat(126)}!`);
    assert.ok(performance.now() - start < 1_000);
  });
});

describe('the address that a person signs in with', () => {
  const cases = [
    [' Anna@Shop.Example ', 'anna@shop.example'],
    ['info@Bücher.example', 'info@xn--bcher-kva.example'],
    ['info@xn--bcher-kva.example', 'info@xn--bcher-kva.example'],
    ['info@उदाहरण.भारत', 'info@xn--p1b6ci4b4b3a.xn--h2brj9c'],
    ['Müller@Shop.example', 'müller@shop.example'],
    ['Mu\u0308ller@shop.example', 'müller@shop.example'],
    ['anna@bücher.example/path', 'anna@bücher.example/path'],
    ['nobody', 'nobody'],
  ] as const;
  for (const [entered, stored] of cases) {
    it(`is ${stored} for ${JSON.stringify(entered)}`, () => assert.equal(signInAddressOf(entered), stored));
  }

  it('may have other scripts on both sides of the @', () => {
    assert.equal(signInAddress.parse('Info@Bücher.example'), 'info@xn--bcher-kva.example');
    assert.equal(signInAddress.parse('उपयोगकर्ता@उदाहरण.भारत'), 'उपयोगकर्ता@xn--p1b6ci4b4b3a.xn--h2brj9c');
    for (const wrong of ['müller', 'a b@shop.example']) assert.ok(!signInAddress.safeParse(wrong).success);
  });
});
