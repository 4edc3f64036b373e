import type * as keyUse from '../../../prisma/queries/key-use.ts';
import type { SamplesOf } from './samples-of.ts';

const AT = '2026-11-28T10:00:00.000Z';

export const samples: SamplesOf<typeof keyUse> = {
  addKeyUses: [
    ['key_1', [{ address: '192.0.2.1', operation: 'GET /refunds', requests: 2, refused: 1, firstAt: AT, lastAt: AT }]],
  ],
  keyUsesByAddress: [['key_1', 10]],
  keyUsesByOperation: [['key_1', 10]],
};
