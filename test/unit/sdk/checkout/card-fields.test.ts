import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { describe, it } from 'mocha';
import { cardBrandOf } from '../../../../domain/card-brand.ts';
import { ERROR_CATALOGUE } from '../../../../domain/error-catalogue.ts';
import {
  brandOf,
  formatExpiry,
  groupNumber,
  parseExpiry,
  problemsOf,
  problemsOfSaved,
} from '../../../../sdk/checkout/frame/card-rules.ts';
import { checkTheme } from '../../../../sdk/checkout/frame/theme.ts';
import { CARD_NUMBERS, NO_CARD_NUMBERS } from '../../../support/card-numbers.ts';
import { asFrameMessage, asPageMessage } from '../../../../sdk/checkout/frame-messages.ts';
import { consentText, describeError, languageOf, messagesOf } from '../../../../sdk/checkout/languages/index.ts';

const NOW_MS = Date.UTC(2026, 5, 15);

describe('the card fields', () => {
  it('group numbers as their brands do', () => {
    assert.equal(groupNumber('4242424242424242'), '4242 4242 4242 4242');
    assert.equal(groupNumber('378282246310005'), '3782 822463 10005');
    assert.equal(groupNumber('42a42-4'), '4242 4');
    assert.equal(groupNumber('378282246310005999'), '3782 822463 10005');
    assert.equal(brandOf('378282246310005')?.codeLength, 4);
  });

  it('read an expiry however it is typed', () => {
    for (const text of ['1230', '12/30', '12 / 30', '12/2030', '122030', '12-30']) {
      assert.deepEqual(parseExpiry(formatExpiry(text)), { month: 12, year: 2030 }, text);
    }
    assert.deepEqual(['1', '4', '12', '123', '12/203', '1/'].map(formatExpiry), [
      '1',
      '04',
      '12',
      '12/3',
      '12/203',
      '01/',
    ]);
    assert.equal(parseExpiry('13/30'), null);
  });

  it('accept a card until its month has ended everywhere on earth', () => {
    const card = { number: '4242424242424242', expiry: '05/26', code: '123' };
    const problemAt = (time: string) => problemsOf(card, Date.parse(time)).expiry;
    assert.equal(problemAt('2026-06-01T11:59:59Z'), null);
    assert.equal(problemAt('2026-06-01T12:00:00Z'), 'expired');
  });

  it('take the same numbers and brands as the API', () => {
    for (const [number, brand] of CARD_NUMBERS) {
      assert.equal(problemsOf({ number, expiry: '06/26', code: '123' }, NOW_MS).number, null, number);
      assert.equal((brandOf(number)?.name ?? 'unknown').toLowerCase(), brand, number);
    }
    for (const number of NO_CARD_NUMBERS) {
      assert.notEqual(problemsOf({ number, expiry: '06/26', code: '123' }, NOW_MS).number, null, number);
    }
    const code = (text: string) => problemsOf({ number: '9860123456789015', expiry: '06/26', code: text }, NOW_MS).code;
    assert.deepEqual(['12', '123', '1234'].map(code), ['code_length', null, null]);
  });

  it('say what is wrong with a card', () => {
    const card = { number: '4242424242424242', expiry: '06/26', code: '123' };
    const problems = (changes: Partial<typeof card>) => Object.values(problemsOf({ ...card, ...changes }, NOW_MS));
    assert.deepEqual(problems({}), [null, null, null]);
    assert.deepEqual(problems({ number: '', expiry: '', code: '' }), [
      'number_missing',
      'expiry_missing',
      'code_missing',
    ]);
    assert.deepEqual(problems({ number: '4242', expiry: '05/26' }), ['number_incomplete', 'expired', null]);
    assert.deepEqual(problems({ number: '4242424242424241', expiry: '1' }), ['number_invalid', 'expiry_invalid', null]);
    assert.deepEqual(problems({ number: '378282246310005' }), [null, null, 'code_length']);
  });

  it('ask for the security code alone of a saved card', () => {
    const problem = (code: string, brand: string) => problemsOfSaved({ code }, brand);
    assert.deepEqual(problem('123', 'visa'), { number: null, expiry: null, code: null });
    assert.equal(problem('', 'visa').code, 'code_missing');
    assert.equal(problem('1234', 'visa').code, 'code_length');
    assert.deepEqual(
      [problem('123', 'american_express').code, problem('1234', 'american_express').code],
      ['code_length', null],
    );
    assert.deepEqual([problem('123', 'unknown').code, problem('1234', 'unknown').code], [null, null]);
  });

  it('know the longer codes of every brand', () => {
    for (const [number] of CARD_NUMBERS) {
      const brand = cardBrandOf(number);
      if (brand !== null)
        assert.equal(problemsOfSaved({ code: '1'.repeat(brand.codeLength) }, brand.name).code, null, brand.name);
    }
  });

  it('take the id and the brand of a saved card from the page, and nothing else', () => {
    const card = { id: 'spm_1', brand: 'visa', last4: '4242' };
    const message = asPageMessage({
      type: 'configure',
      language: 'de',
      theme: {},
      colorScheme: 'dark',
      savedCard: card,
    });
    assert.deepEqual(message?.type === 'configure' ? message.savedCard : null, { id: 'spm_1', brand: 'visa' });
    const without = asPageMessage({ type: 'configure', savedCard: { brand: 'visa' } });
    assert.equal(without?.type === 'configure' ? without.savedCard : '', null);
  });

  it('name the merchant in what the customer agrees to, in each language', () => {
    for (const language of ['en', 'de', 'es', 'hi']) {
      for (const setupFutureUsage of ['on_session', 'off_session'] as const) {
        const text = consentText({ merchant: 'Lamp & $& Co', setupFutureUsage }, language);
        assert.match(text, /Lamp & \$& Co/);
        assert.doesNotMatch(text, /[{}]/);
        assert.ok(text.length <= 400);
      }
    }
  });

  it('accept no variable of a theme that is unknown or could load or cover anything', () => {
    const accepted = {
      '--text': '#fff',
      '--border': 'rgb(10 20 30 / 50%)',
      '--font-size': '1.125rem',
      '--font-family': '"Open Sans", serif',
    };
    assert.deepEqual(Object.fromEntries(checkTheme(accepted).accepted), accepted);
    const refused = {
      '--text': 'url(https://thief.example)',
      '--border': 'red;position:fixed',
      '--focus': 'var(--x, url(//thief.example))',
      '--font-size': '9999px',
      '--gap': 'calc(1px)',
      '--font-family': 'x;}body{}',
      '--other': '#fff',
      color: '#fff',
      constructor: '#fff',
    };
    assert.deepEqual(checkTheme(refused).accepted, []);
    assert.deepEqual(checkTheme(refused).refused, Object.keys(refused));
  });

  it('read no message of unknown shape, and pass on nothing that a message has besides', () => {
    for (const message of [
      null,
      'store',
      7,
      [],
      {},
      { type: 'fill', number: '4242' },
      { type: 'store', requestId: 1 },
    ]) {
      assert.equal(asPageMessage(message), null);
    }
    for (const message of [null, 'ready', { type: 'resized', heightPx: 1e9 }, { type: 'stored' }, { type: 'typed' }]) {
      assert.equal(asFrameMessage(message), null);
    }
    const stored = { type: 'stored', requestId: 1, paymentMethodId: '4242424242424242', number: '4242424242424242' };
    assert.deepEqual(asFrameMessage(stored), { type: 'stored', requestId: 1, paymentMethodId: null, error: null });
  });

  it('have a language for each file, and English for every other', () => {
    const files = readdirSync('sdk/checkout/languages').map((name) => name.replace('.ts', ''));
    const languages = files.filter((name) => name !== 'index' && name !== 'messages');
    assert.deepEqual(languages.map(languageOf), languages);
    assert.deepEqual(['de-AT', 'HI', 'fr', '', 'constructor'].map(languageOf), ['de', 'hi', 'en', 'en', 'en']);
    assert.ok(languages.every((name) => messagesOf(name).problems.code_length.includes('{digits}')));
  });

  it('explain a decline by its reason, else by its code, else by the message of the API', () => {
    const error = { code: 'CARD_DECLINED', message: 'The API says.', details: { reason: 'expired_card' } };
    assert.match(describeError(error, 'en'), /has expired/);
    assert.match(describeError({ ...error, details: { reason: 'authentication_failed' } }, 'es'), /3-D Secure/);
    assert.match(describeError({ ...error, details: null }, 'de'), /abgelehnt/);
    assert.equal(describeError({ ...error, code: 'OTHER', details: { reason: 'toString' } }, 'en'), 'The API says.');
    assert.equal(describeError({ ...error, code: 'toString', details: null }, 'en'), 'The API says.');
  });

  it('explain every failure of a payment in every language, and never in the words for developers', () => {
    const types = ['payment_error', 'provider_error', 'operational_error', 'internal_error'];
    for (const [code, { type }] of Object.entries(ERROR_CATALOGUE)) {
      // A notice, for which pages have texts of their own.
      if (!types.includes(type) || code === 'PAYMENT_STUCK') continue;
      const texts = ['en', 'de', 'es', 'hi'].map((language) =>
        describeError({ code, message: 'For developers.', details: null }, language),
      );
      assert.equal(new Set([...texts, 'For developers.']).size, 5, code);
    }
  });
});
