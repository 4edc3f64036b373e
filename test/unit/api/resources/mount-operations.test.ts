import assert from 'node:assert/strict';
import express from 'express';
import { describe, it } from 'mocha';
import type { ApiOperation } from '../../../../api/resources/api-operation.ts';
import { mountOperations } from '../../../../api/resources/mount-operations.ts';
import { createTurns } from '../../../../http/turns.ts';

describe('the operations on their router', () => {
  it('stand with a path that names a segment before one that takes any', () => {
    const operations = ['/things/{id}', '/things', '/things/{id}/parts', '/things/missed'].map(
      (path) => ({ path, method: 'post', handler: () => undefined }) as unknown as ApiOperation,
    );
    const router = express.Router();
    mountOperations(router, operations, createTurns({ atOnce: 1, ofOne: 1, waitMs: 1 }));
    const paths = router.stack.map(({ route }) => route?.path);
    assert.deepEqual(paths, ['/things', '/things/missed', '/things/:id', '/things/:id/parts']);
  });
});
