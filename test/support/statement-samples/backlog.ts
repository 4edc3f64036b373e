import type * as backlog from '../../../prisma/queries/backlog.ts';
import { BACKLOG_NAMES } from '../../../prisma/queries/backlog.ts';
import type { SamplesOf } from './samples-of.ts';

export const samples: SamplesOf<typeof backlog> = {
  selectBacklog: BACKLOG_NAMES.map((name) => [name]),
};
