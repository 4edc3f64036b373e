import type * as auditEvent from '../../../prisma/queries/audit-event.ts';
import type { SamplesOf } from './samples-of.ts';

const SCOPE = { merchantId: 'org_1', environment: 'sandbox', merchantAccountId: undefined };

export const samples: SamplesOf<typeof auditEvent> = {
  selectAuditEvent: [
    ['aud_1', SCOPE],
    ['aud_1', { ...SCOPE, merchantAccountId: 'mer_1' }],
  ],
  selectActors: [[SCOPE]],
};
