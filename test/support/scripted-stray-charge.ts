import { createStrayChargeActivities } from '../../activities/create-activities.ts';
import { createManualResolutionActivities } from '../../activities/manual-resolution.ts';
import { awaitRefund, refundPayment } from '../../activities/refund-payment.ts';
import { attemptIdOf, strayChargeIdOf } from '../../domain/ids.ts';
import { newId } from '../../domain/new-id.ts';
import { INITIAL_COLUMNS, type PaymentRecord, type PaymentStep } from '../../domain/payment-step.ts';
import type { InquiryOutcome, RefundInquiryOutcome, RefundOutcome } from '../../domain/provider-outcome.ts';
import type { PaymentStore } from '../../prisma/stores/payment-store.ts';
import type { StepWrite } from '../../prisma/queries/payment-step.ts';
import type { PaymentProvider, RefundRequest } from '../../providers/payment-provider.ts';
import { ProviderOutageError } from '../../providers/provider-errors.ts';
import { createProviderRegistry } from '../../providers/provider-registry.ts';
import type { StrayChargeStatus } from '../../domain/stray-charge.ts';
import type { StrayChargeInput } from '../../protocol/messages.ts';
import { attemptOf } from './attempts.ts';
import { SIMULATOR_CAPABILITIES } from '../../providers/simulator/simulator-provider.ts';
import { NO_REPORTS } from './no-reports.ts';
import { NO_RETURNS } from './customer-returns.ts';
import { memoryCustomers } from './customers-at-provider.ts';

/** The provider's answers in order; the last one is repeated. */
export interface StrayChargeScript {
  readonly inquire: readonly (InquiryOutcome | 'outage')[];
  readonly close?: readonly (InquiryOutcome | 'outage')[];
  readonly refund?: readonly (RefundOutcome | 'outage')[];
  readonly inquireRefund?: readonly (RefundInquiryOutcome | 'outage')[];
}

/** The activities that reverse stray charges at a scripted provider, and a record of their calls. */
export interface ScriptedStrayCharge {
  readonly activities: object & { clock: () => Promise<number> };
  /** Provider calls, in order. */
  readonly calls: string[];
  readonly refunds: RefundRequest[];
  /** Steps that were written to the payment. */
  readonly steps: PaymentStep[];
}

/** The workflow input of a stray charge of 19.99 EUR at `alpha`; `overrides` win. */
export function strayChargeInput(overrides: Partial<StrayChargeInput> = {}): StrayChargeInput {
  const paymentIntentId = newId('paymentIntent');
  const attemptId = attemptIdOf(paymentIntentId, 1);
  return {
    strayChargeId: strayChargeIdOf(attemptId),
    attemptId,
    attemptNumber: 1,
    paymentIntentId,
    merchantAccountId: newId('merchantAccount'),
    environment: 'sandbox',
    provider: 'alpha',
    amountMinor: 1_999,
    currency: 'EUR',
    ...overrides,
  };
}

export function scriptStrayCharge(script: StrayChargeScript): ScriptedStrayCharge {
  const calls: string[] = [];
  const refunds: RefundRequest[] = [];
  const steps: PaymentStep[] = [];
  const play = <Answer>(operation: string, answers: readonly (Answer | 'outage')[] = []): Promise<Answer> => {
    const played = calls.filter((call) => call === operation).length;
    calls.push(operation);
    const answer = answers[Math.min(played, answers.length - 1)];
    if (answer === undefined) throw new Error(`there is no script for ${operation}`);
    return answer === 'outage' ? Promise.reject(new ProviderOutageError('TSP_ERROR', 'away')) : Promise.resolve(answer);
  };
  const provider: PaymentProvider = {
    name: 'alpha',
    capabilities: SIMULATOR_CAPABILITIES,
    authorize: assertNever,
    capture: assertNever,
    parseWebhook: assertNever,
    inquire: () => play('inquire', script.inquire),
    close: () => play('close', script.close),
    inquireRefund: () => play('inquire refund', script.inquireRefund),
    refund: (request) => {
      refunds.push(request);
      return play('refund', script.refund);
    },
  };
  const registry = createProviderRegistry([{ provider, environments: ['sandbox'] }]);
  const statusOf = (): Promise<StrayChargeStatus> =>
    Promise.resolve(steps.findLast(({ strayCharge }) => strayCharge !== undefined)?.strayCharge?.status ?? 'pending');
  const requireRow = (): Promise<void> => Promise.resolve();
  const dependencies = {
    registry,
    reports: NO_REPORTS,
    returns: NO_RETURNS,
    loadPaymentMethod: assertNever,
    customersAt: memoryCustomers,
  };
  const payments = inMemory(steps);
  const activities = {
    clock: () => Promise.resolve(Date.now()),
    ...createStrayChargeActivities({ payments, ...dependencies, requireRow, statusOf }),
    ...createManualResolutionActivities({ payments, requireRefund: assertNever, requireStrayCharge: requireRow }),
    refundPayment: (request: Parameters<typeof refundPayment>[1]) => refundPayment(dependencies, request),
    awaitRefund: (refund: Parameters<typeof awaitRefund>[1]) => awaitRefund(dependencies, refund),
  };
  return { activities, calls, refunds, steps };
}

function assertNever(): never {
  throw new Error('a stray charge needs nothing of the kind');
}

/** A canceled payment that belongs to a run of its own. */
function inMemory(steps: PaymentStep[]): PaymentStore {
  const stepIds: string[] = [];
  let record: PaymentRecord = {
    paymentIntentId: '',
    version: 3,
    terms: { amountMinor: 1_999, currency: 'EUR', country: null, captureMethod: 'automatic' },
    columns: {
      ...INITIAL_COLUMNS,
      status: 'canceled',
      provider: 'alpha',
      cancellationReason: 'retries_exhausted',
    },
    attempts: [],
    statusSince: '2026-01-01T00:00:00.000Z',
    expiresAt: '2026-01-01T00:30:00.000Z',
  };
  const write = ({ step, after, stepId }: StepWrite): boolean => {
    if (after.version !== record.version + 1) return false;
    record = after;
    stepIds.push(stepId);
    steps.push(step);
    return true;
  };
  return {
    read: ({ paymentIntentId, stepIds: wanted = [] }) =>
      Promise.resolve({
        record: { ...record, paymentIntentId, attempts: [attemptOf(1, { id: attemptIdOf(paymentIntentId, 1) })] },
        runId: 'the run of the payment',
        recordedSteps: stepIds.filter((id) => wanted.includes(id)),
        operations: [],
        environment: 'sandbox',
        merchantData: { reference: null, returnUrl: null, metadata: {} },
        hasStrayCharge: true,
      }),
    write: (step) => Promise.resolve(write(step)),
    openingRefusal: assertNever,
    hasLapsed: assertNever,
    applyUpdate: () => Promise.resolve(null),
    noteStrayCharge: () => Promise.resolve(),
    testClockLag: () => Promise.resolve(0),
  };
}
