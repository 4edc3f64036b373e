import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { type Admission, createAdmission } from '../../../api/admission.ts';
import { ApiError } from '../../../domain/api-error.ts';

const TARGET_MS = 1_000;
const MERCHANT = 'merchant_1';

describe('admission', () => {
  const realNow = Date.now;
  let nowMs: number;
  let admission: Admission;

  beforeEach(() => {
    nowMs = 1_000_000;
    Date.now = () => nowMs;
    admission = createAdmission(TARGET_MS);
  });
  afterEach(() => {
    Date.now = realNow;
  });

  /** How many operations it admits at once; they end again. */
  function limit(): number {
    const releases: (() => void)[] = [];
    try {
      for (;;) releases.push(admission.acquire(MERCHANT));
    } catch (error) {
      assert.ok(error instanceof ApiError && error.code === 'SERVICE_UNAVAILABLE');
    }
    releases.forEach((release) => release());
    return releases.length;
  }

  /** Reports as many operations as decide on one change. */
  function reportRound(engineMs: number, startedAtMs = (nowMs += 1)): void {
    for (let count = 0; count < 8; count += 1) admission.report(startedAtMs, engineMs);
  }

  it('refuses what is beyond the limit, with a time to repeat it, and admits again when an operation has ended', () => {
    const releases = Array.from({ length: 32 }, () => admission.acquire(MERCHANT));
    assert.throws(
      () => admission.acquire(MERCHANT),
      (error) => {
        assert.ok(error instanceof ApiError);
        assert.deepEqual([error.status, error.code, error.retryAfterSeconds], [503, 'SERVICE_UNAVAILABLE', 2]);
        assert.match(
          error.message,
          /An earlier try with the same idempotency key may have been accepted: repeat the request unchanged/,
        );
        return true;
      },
    );
    releases[0]?.();
    admission.acquire(MERCHANT);
  });

  it('admits others while very many wait for a provider that hangs, and counts each of these once', () => {
    const hanging = Array.from({ length: 32 }, () => admission.acquire(MERCHANT));
    nowMs += 4 * TARGET_MS - 1;
    assert.throws(() => admission.acquire(MERCHANT), ApiError);
    nowMs += 1;
    assert.equal(limit(), 32);
    hanging.forEach((release) => release());
    assert.equal(limit(), 32);
  });

  it('lowers the limit in proportion to how much too long the engine took, to a half at most', () => {
    reportRound(1.25 * TARGET_MS);
    assert.equal(limit(), 26);
    reportRound(10 * TARGET_MS);
    assert.equal(limit(), 13);
  });

  it('always admits a few, and raises the limit again when the engine is fast', () => {
    for (let round = 0; round < 10; round += 1) reportRound(10 * TARGET_MS);
    assert.equal(limit(), 8);
    for (let round = 0; round < 2; round += 1) {
      limit();
      reportRound(100);
    }
    assert.equal(limit(), 32);
  });

  it('does not raise a limit that was not reached, nor beyond the highest', () => {
    for (let round = 0; round < 20; round += 1) reportRound(100);
    assert.equal(limit(), 32);
    for (let round = 0; round < 20; round += 1) {
      limit();
      reportRound(100);
    }
    assert.equal(limit(), 1_000);
  });

  it('does not judge a change by operations that began before it', () => {
    const beforeMs = nowMs;
    reportRound(2 * TARGET_MS);
    assert.equal(limit(), 16);
    reportRound(2 * TARGET_MS, beforeMs);
    assert.equal(limit(), 16);
  });

  it('lets no merchant keep another one out', () => {
    const releases = Array.from({ length: 32 }, () => admission.acquire(MERCHANT));
    for (let count = 0; count < 16; count += 1) admission.acquire('merchant_2');
    for (const merchantId of [MERCHANT, 'merchant_2']) assert.throws(() => admission.acquire(merchantId), ApiError);
    releases.slice(0, 17).forEach((leave) => leave());
    admission.acquire(MERCHANT);
    assert.throws(() => admission.acquire(MERCHANT), ApiError);
    assert.throws(() => admission.acquire('merchant_2'), ApiError);
    admission.acquire('merchant_3');
  });

  it('admits twice the limit at most, however many merchants there are', () => {
    for (let number = 0; number < 64; number += 1) admission.acquire(`merchant_${number}`);
    assert.throws(() => admission.acquire('merchant_64'), ApiError);
  });
});
