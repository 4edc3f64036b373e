import { answersConsistent } from './answers-consistent.ts';
import { noStrayCharges } from './no-stray-charges.ts';
import { callsScheduled } from './calls-scheduled.ts';
import { attemptsInTime } from './attempts-in-time.ts';
import { attemptsOnActiveRoutes } from './attempts-on-active-routes.ts';
import type { Check } from './check.ts';
import { exitsWork } from './exits-work.ts';
import { eventsDelivered } from './events-delivered.ts';
import { intentsFinished } from './intents-finished.ts';
import { memoryBounded } from './memory-bounded.ts';
import { ledgersMatch } from './ledgers-match.ts';
import { noSecretsLeaked } from './no-secrets-leaked.ts';
import { waitsAdvised } from './waits-advised.ts';
import { workflowsMatch } from './workflows-match.ts';

/** Everything that must hold after a run. */
export const CHECKS: readonly Check[] = [
  intentsFinished,
  ledgersMatch,
  noStrayCharges,
  callsScheduled,
  attemptsInTime,
  attemptsOnActiveRoutes,
  waitsAdvised,
  exitsWork,
  answersConsistent,
  workflowsMatch,
  eventsDelivered,
  noSecretsLeaked,
  memoryBounded,
];
