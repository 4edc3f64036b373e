import type { Database } from '../../../prisma/client.ts';
import type { RefundWorkflows } from '../../../workflows/client/refund-workflows.ts';

/** What the operations on refunds work with. */
export interface RefundDependencies {
  readonly database: Database;
  readonly refundWorkflows: Pick<RefundWorkflows, 'start' | 'result'>;
  /** How long an operation waits for its outcome. */
  readonly confirmWaitMs: number;
}
