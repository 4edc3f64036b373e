import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { isTimely } from '../../../../http/authentication/signature.ts';

describe('timestamp', () => {
  const now = Date.parse('2026-06-01T12:00:00.000Z');

  for (const timestamp of [
    '2026-06-01T12:00:00Z',
    '2026-06-01T12:00:00.123456Z',
    '2026-06-01T12:00:00+00:00',
    '2026-06-01T11:55:00Z',
    '2026-06-01T12:05:00Z',
  ]) {
    it(`accepts ${timestamp}`, () => assert.ok(isTimely(timestamp, now)));
  }

  for (const timestamp of [
    undefined,
    '',
    '2026-06-01T11:54:59.999Z',
    '2026-06-01T12:05:00.001Z',
    '2026-06-01T12:00:00',
    '2026-06-01T14:00:00+02:00',
    '2026-06-01',
    '2026-06-01T25:00:00Z',
    'Mon, 01 Jun 2026 12:00:00 GMT',
    String(now),
  ]) {
    it(`rejects ${timestamp ?? 'a missing timestamp'}`, () => assert.ok(!isTimely(timestamp, now)));
  }
});
