import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { errorResponse } from '../../../http/response.ts';
import { isDatabaseUnavailable, toApiError } from '../../../http/errors.ts';
import { ApiError } from '../../../domain/api-error.ts';
import { TemporalUnavailableError } from '../../../workflow-client/temporal-errors.ts';

const coded = (code: string) => Object.assign(new Error('x'), { code });

describe('toApiError', () => {
  it('keeps errors for the client', () => {
    const error = new ApiError('STATE_CONFLICT', { details: { status: 'canceled' } });
    assert.equal(toApiError(error), error);
  });

  it('turns an unavailable Temporal or database into SERVICE_UNAVAILABLE with a retry time', () => {
    const adapterError = { name: 'DriverAdapterError', cause: { kind: 'DatabaseNotReachable' } };
    const troubles = [
      new TemporalUnavailableError('away'),
      coded('ECONNREFUSED'),
      coded('57P01'),
      coded('08006'),
      coded('53300'),
      coded('25006'),
      coded('55P03'),
      coded('P1001'),
      coded('P2024'),
      coded('P2028'),
      new Error('timeout exceeded when trying to connect'),
      new Error('Connection terminated unexpectedly'),
      new Error('outer', { cause: coded('ECONNRESET') }),
      Object.assign(new Error('raw query failed'), { code: 'P2010', meta: { driverAdapterError: adapterError } }),
    ];
    for (const trouble of troubles) {
      const error = toApiError(trouble);
      assert.equal(error.code, 'SERVICE_UNAVAILABLE', String(trouble));
      assert.equal(error.retryAfterSeconds, 1);
    }
  });

  it('does not treat a statement that the database rejected as an outage', () => {
    for (const code of ['23505', '42P01', 'P2002', 'P2025', '22P05'])
      assert.equal(isDatabaseUnavailable(coded(code)), false);
  });

  it('ends on cyclic causes', () => {
    const error: { cause?: unknown } = {};
    error.cause = error;
    assert.equal(isDatabaseUnavailable(error), false);
  });

  it('turns requests that Express could not read into INVALID_REQUEST with a reason', () => {
    const tooLarge = Object.assign(new Error('request entity too large'), { status: 413, type: 'entity.too.large' });
    assert.deepEqual(toApiError(tooLarge).details, { reason: 'body_too_large' });
    assert.equal(toApiError(Object.assign(new URIError('bad'), { status: 400 })).code, 'INVALID_REQUEST');
  });

  it('hides internal errors from the client', () => {
    const thrown = new Error('SELECT secret FROM api_key');
    const error = toApiError(thrown);
    assert.equal(error.code, 'INTERNAL_ERROR');
    assert.equal(error.cause, thrown);
    const { body } = errorResponse(error, { requestId: 'req_1' });
    assert.ok(!body.includes('secret') && !body.includes('errors.test'));
  });
});
