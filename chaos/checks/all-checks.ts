import { answersAgree } from './answers-agree.ts';
import { attemptsCertain } from './attempts-certain.ts';
import { callsScheduled } from './calls-scheduled.ts';
import type { Check } from './check.ts';
import { eventsArrived } from './events-arrived.ts';
import { intentsDecided } from './intents-decided.ts';
import { memoryBounded } from './memory-bounded.ts';
import { moneyAgrees } from './money-agrees.ts';
import { secretsKept } from './secrets-kept.ts';
import { workflowsAgree } from './workflows-agree.ts';

/** Everything that must hold after a run. */
export const CHECKS: readonly Check[] = [
  intentsDecided,
  moneyAgrees,
  attemptsCertain,
  callsScheduled,
  answersAgree,
  workflowsAgree,
  eventsArrived,
  secretsKept,
  memoryBounded,
];
