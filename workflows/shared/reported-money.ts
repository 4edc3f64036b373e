import { ApplicationFailure } from '@temporalio/workflow';
import { causeOf, isFailureOf } from './activity-failure.ts';
import { isRecord } from './message-shape.ts';

/** Money as a provider reports it, where it differs from what was asked for. */
export interface ReportedMoney {
  /** In minor units: what was captured, or what is held. */
  readonly amountMinor: number;
  readonly currency: string;
  readonly captured: boolean;
}

/** What the provider reports, where an activity failed because its amount or currency differs; null for any other failure. */
export function reportedMoneyOf(error: unknown): ReportedMoney | null {
  if (!isFailureOf(error, 'AMOUNT_DIFFERS')) return null;
  const cause = causeOf(error);
  const details: unknown = cause instanceof ApplicationFailure ? cause.details?.[0] : undefined;
  const reported = isRecord(details) ? details.reported : undefined;
  if (!isRecord(reported)) return null;
  const { amountMinor, currency, capturedMinor, captured = true } = reported;
  if (typeof amountMinor !== 'number' || typeof currency !== 'string') return null;
  return {
    amountMinor: captured === true && typeof capturedMinor === 'number' ? capturedMinor : amountMinor,
    currency,
    captured: captured === true,
  };
}
