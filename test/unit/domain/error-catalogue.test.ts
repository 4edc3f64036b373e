import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'mocha';
import { errorResponse } from '../../../http/response.ts';
import { ApiError } from '../../../domain/api-error.ts';
import { ERROR_CATALOGUE, isErrorCode, withHelp } from '../../../domain/error-catalogue.ts';
import { ERROR_PAGE, errorPage } from '../../support/error-document.ts';
import {
  CONTRACT_STATUSES,
  SPECIFIED_HTTP_STATUSES,
  SPECIFIED_STATUSES,
  SPECIFIED_TRANSIENT_CODES,
} from '../../support/specification-codes.ts';

describe('error catalogue', () => {
  const entries = Object.entries(ERROR_CATALOGUE);

  it('contains exactly the documented codes and statuses', () => {
    const statuses = Object.fromEntries(entries.map(([code, { status }]) => [code, status]));
    const documented = { ...SPECIFIED_STATUSES, ...CONTRACT_STATUSES };
    assert.deepEqual(
      statuses,
      documented,
      'Add a new code to CONTRACT_STATUSES in test/support/specification-codes.ts.',
    );
  });

  it('is what docs/errors.md shows', () => {
    assert.equal(readFileSync(ERROR_PAGE, 'utf8'), errorPage(), 'Run npm run generate.');
  });

  it('marks as transient the codes that clients may retry', () => {
    const transient = entries.filter(([, entry]) => entry.transient).map(([code]) => code);
    assert.deepEqual(transient.sort(), [...SPECIFIED_TRANSIENT_CODES, 'SERVICE_UNAVAILABLE'].sort());
  });

  it('has the type of validation errors for channel limits', () => {
    assert.equal(ERROR_CATALOGUE.CHANNEL_LIMIT_MIN_EXCEEDED.type, 'validation_error');
    assert.equal(ERROR_CATALOGUE.CHANNEL_LIMIT_MAX_EXCEEDED.type, 'validation_error');
  });

  it('gives every code an envelope with its status and the request id', () => {
    for (const [code, { status, message, type }] of entries) {
      assert.ok(isErrorCode(code));
      const answer = errorResponse(new ApiError(code), { requestId: 'req_1' });
      assert.equal(answer.status, status);
      assert.ok([...SPECIFIED_HTTP_STATUSES, ...Object.values(CONTRACT_STATUSES)].includes(answer.status));
      assert.deepEqual(JSON.parse(answer.body), {
        success: false,
        error: { code, message: withHelp(code, message), type, requestId: 'req_1' },
      });
      assert.equal(answer.headers?.['Retry-After'] !== undefined, [429, 503].includes(status), code);
    }
  });
});
