import type * as partition from '../../../prisma/queries/partition.ts';
import type { SamplesOf } from './samples-of.ts';

export const samples: SamplesOf<typeof partition> = {
  makePartitions: [[]],
  dropOldPartition: [[{ table: 'request_log', keepDays: 7 }], [{ table: 'audit_event', keepDays: 400 }]],
  selectPartitionProblems: [[]],
};
