import type * as settlement from '../../../prisma/queries/settlement.ts';
import { ACCOUNT } from './sample-intent.ts';
import type { SamplesOf } from './samples-of.ts';

const author = { merchantId: 'org_1', actor: { type: 'person', id: 'per_1', address: '192.0.2.1' } } as const;
const bank = { amount: 941, currency: 'USD', valueDate: '2026-11-30', reference: null };

export const samples: SamplesOf<typeof settlement> = {
  selectSettlement: [['stl_1', ACCOUNT]],
  selectSettlementEntry: [['ste_1', ACCOUNT]],
  confirmAtBank: [['stl_1', ACCOUNT, { bank, author }]],
  resolveEntry: [['ste_1', ACCOUNT, { resolved: { resolution: 'accepted', note: null }, author }]],
};
