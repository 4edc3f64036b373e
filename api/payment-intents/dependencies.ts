import type { Database } from '../../prisma/client.ts';
import type { PaymentWorkflows } from '../../temporal/payment-workflows.ts';
import type { Keyring } from '../../vault/keyring.ts';
import type { StartMarks } from './start-marks.ts';

/** What the operations on payment intents work with. */
export interface PaymentIntentDependencies {
  readonly database: Database;
  readonly keyring: Keyring;
  readonly workflows: PaymentWorkflows;
  readonly startMarks: StartMarks;
  /** How long an operation waits for its outcome. */
  readonly confirmWaitMs: number;
}
