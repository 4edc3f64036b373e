import { z } from 'zod';
import type { ProcessRecord } from './processes.ts';

/** What the file of running processes holds. */
export const processRecordsSchema: z.ZodType<readonly ProcessRecord[]> = z.array(
  z.object({
    name: z.string(),
    pid: z.int().positive(),
    startedAt: z.string(),
    stopSignal: z.enum(['SIGTERM', 'SIGINT']),
    stopWithinMs: z.number(),
    endsWithParent: z.boolean(),
  }),
);
