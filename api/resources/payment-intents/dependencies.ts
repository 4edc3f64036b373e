import type { Database } from '../../../prisma/client.ts';
import type { PaymentWorkflows } from '../../../workflows/client/payment-workflows.ts';
import type { Keyring } from '../../../vault/keyring.ts';

/** What the operations on payment intents work with. */
export interface PaymentIntentDependencies {
  readonly database: Database;
  readonly keyring: Keyring;
  readonly workflows: PaymentWorkflows;
  /** How long an operation waits for its outcome. */
  readonly confirmWaitMs: number;
}
