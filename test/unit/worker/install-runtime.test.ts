import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import pino from 'pino';
import { assertContains } from '../../support/assert-contains.ts';
import { temporalLogger } from '../../../worker/install-runtime.ts';

describe("the log of Temporal's SDK", () => {
  it('says why an activity failed, which activity it was, and what a line without an error says', () => {
    const lines: unknown[] = [];
    const logger = temporalLogger(pino({ name: 'worker' }, { write: (line) => void lines.push(JSON.parse(line)) }));
    logger.warn('Activity failed', { error: new Error('the disk is full'), activityType: 'planPayment' });
    logger.error('no error', { alert: 'AMOUNT_DIFFERS' });
    assertContains(lines[0], { msg: 'Activity failed', activityType: 'planPayment', level: 40 });
    assertContains(lines[0], { err: { message: 'the disk is full' } });
    assertContains(lines[1], { msg: 'no error', alert: 'AMOUNT_DIFFERS', level: 50 });
    assert.equal(lines.length, 2);
  });
});
