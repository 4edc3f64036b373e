import type * as customerReturn from '../../../prisma/queries/customer-return.ts';
import type { SamplesOf } from './samples-of.ts';

const ATTEMPT = `att_${'0'.repeat(32)}_1`;

export const samples: SamplesOf<typeof customerReturn> = {
  selectReturnTarget: [[ATTEMPT]],
  insertCustomerReturn: [[ATTEMPT, { keyId: 'root:a', ciphertext: new Uint8Array([1]) }]],
  beginCompletion: [[ATTEMPT]],
  closeCompletion: [[ATTEMPT]],
};
