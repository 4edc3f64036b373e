import type { Database } from '../../../prisma/client.ts';
import type { Keyring } from '../../../vault/keyring.ts';
import type { Environment } from '../../../domain/payment.ts';
import type { TargetPolicy } from '../../../webhooks/target-policy.ts';

/** What the operations on webhook endpoints work with. */
export interface WebhookEndpointDependencies {
  readonly database: Database;
  readonly keyring: Keyring;
  /** Where webhooks may go. */
  readonly webhookTargets: Readonly<Record<Environment, TargetPolicy>>;
}
