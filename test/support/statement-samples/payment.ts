import type * as payment from '../../../prisma/queries/payment.ts';
import { ACCOUNT } from './sample-intent.ts';
import type { SamplesOf } from './samples-of.ts';

const UPDATE = {
  paymentIntentId: 'pi_1',
  paymentUpdateId: 'piu_1',
  fromVersion: 0,
  stepId: 'step_1',
  runId: 'run_1',
  at: '2026-01-02T03:04:05.678Z',
};

export const samples: SamplesOf<typeof payment> = {
  selectPayment: [
    [{ paymentIntentId: 'pi_1', stepIds: ['step_1'], operationIds: ['op_1'] }],
    [{ paymentIntentId: 'pi_1', returnUrlId: 'piu_1' }],
  ],
  selectOpeningRefusal: [['pi_1', { routeId: 'rt_1', provider: 'alpha', before: UPDATE.at, savedReferenceId: 'pm_1' }]],
  selectHasLapsed: [['pi_1']],
  selectOperation: [['pi_1', ACCOUNT, 'op_1']],
  selectOperationResults: [[['op_1', 'op_2']]],
  applyPaymentUpdate: [[UPDATE]],
};
