import type { WorkflowHandle } from '@temporalio/client';
import { attemptIdOf } from '../../domain/ids.ts';
import type { RefundResult } from '../../domain/refund.ts';
import { PAYMENTS_TASK_QUEUE, REFUND_WORKFLOW, type RefundInput } from '../../protocol/messages.ts';
import { refundSearchAttributes } from '../../protocol/search-attributes.ts';
import type { RunningPayment } from './time-skipping.ts';
import { EXECUTION_TIMEOUT_MS } from './time-skipping-server.ts';

type RefundRun = WorkflowHandle<(input: RefundInput) => Promise<RefundResult>>;

/** What a refund of 3.00 EUR of a payment's first attempt is started with; `overrides` win. */
export function refundInputOf({ input }: RunningPayment, overrides: Partial<RefundInput> = {}): RefundInput {
  const { paymentIntentId, merchantAccountId, environment } = input;
  return {
    refundId: paymentIntentId.replace(/^pi_/, 're_'),
    paymentIntentId,
    merchantAccountId,
    environment,
    amountMinor: 300,
    currency: 'EUR',
    provider: 'alpha',
    attemptId: attemptIdOf(paymentIntentId, 1),
    providerPaymentId: 'sim_1',
    ...overrides,
  };
}

/** Starts the workflow of a refund on the payment's server. */
export function startRefund({ client }: RunningPayment, input: RefundInput): Promise<RefundRun> {
  return client.workflow.start<(input: RefundInput) => Promise<RefundResult>>(REFUND_WORKFLOW, {
    workflowId: input.refundId,
    taskQueue: PAYMENTS_TASK_QUEUE,
    args: [input],
    workflowExecutionTimeout: EXECUTION_TIMEOUT_MS,
    typedSearchAttributes: refundSearchAttributes(input),
  });
}
