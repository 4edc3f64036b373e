import type * as requestLog from '../../../prisma/queries/request-log.ts';
import { ACCOUNT } from './sample-intent.ts';
import type { SamplesOf } from './samples-of.ts';

export const samples: SamplesOf<typeof requestLog> = {
  insertRequests: [
    [
      [
        {
          ...ACCOUNT,
          id: 'req_1',
          requestId: 'req_1',
          apiKeyId: 'key_1',
          address: '192.0.2.1',
          method: 'POST',
          path: '/api/v1/refunds',
          status: 201,
          code: null,
          durationMs: 5,
          requestBody: { amount: 1 },
          responseBody: null,
          createdAt: '2026-11-22T12:00:00.000Z',
        },
      ],
    ],
  ],
  selectRequest: [['req_1', ACCOUNT]],
};
