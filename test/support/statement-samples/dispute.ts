import type * as dispute from '../../../prisma/queries/dispute.ts';
import { ACCOUNT } from './sample-intent.ts';
import type { SamplesOf } from './samples-of.ts';

const REQUESTED = {
  disputeId: 'dp_1',
  account: ACCOUNT,
  provider: 'stripe_1',
  kind: 'submit',
  status: 'submitting',
  operationId: 'op_1',
  author: null,
} as const;
const PERSON = { merchantId: 'org_1', actor: { type: 'person', id: 'per_1', address: '192.0.2.1' } } as const;
const FILE = {
  kind: 'receipt',
  contentType: 'image/png',
  sizeBytes: 3,
  keyId: 'root:1',
  ciphertext: new Uint8Array([1, 2, 3]),
  maximumBytes: 10,
} as const;

export const samples: SamplesOf<typeof dispute> = {
  selectDispute: [['dp_1', ACCOUNT]],
  selectDisputesOfPayment: [['pi_1']],
  selectDisputeForWork: [['dp_1']],
  selectReportsOfDisputes: [[['dp_1', 'dp_2']]],
  requestOperation: [
    [REQUESTED],
    [{ ...REQUESTED, provider: 'alpha', kind: 'accept', status: 'accepting', author: PERSON }],
  ],
  beginOperation: [['dp_1', 'op_1']],
  undoBeginning: [['dp_1', 'op_1']],
  updateEvidence: [['dp_1', ACCOUNT, { explanation: 'text', customerName: null }]],
  storeDisputeFile: [['dp_1', ACCOUNT, FILE]],
  deleteDisputeFile: [['dp_1', ACCOUNT, 'receipt']],
  selectDisputeFiles: [['dp_1']],
};
