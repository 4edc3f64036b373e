import { SECOND_MS } from '../../domain/time.ts';
import type { Prisma, WebhookEndpoint } from '../../prisma/generated/client.ts';
import { ApiError } from '../../domain/api-error.ts';
import {
  type EndpointChanges,
  type EndpointWithSecret,
  newSecret,
  type OwnerAndAuthor,
  updateEndpointRow,
  type WebhookEndpointDependencies,
} from './write.ts';

/** Each delivery is signed with all of them. */
export const MAXIMUM_PREVIOUS_SECRETS = 10;

interface Rotation {
  /** Identifies the execution: a repeat of an interrupted one replaces the new secret, which nobody has seen. */
  readonly rotationId: string;
  readonly overlapSeconds: number;
}

/**
 * Rotates an endpoint's secret. The secret that it replaces signs until the overlap ends, as earlier ones do until their own.
 * @throws ApiError `RESOURCE_NOT_FOUND`, `STATE_CONFLICT`, also where too many earlier secrets still sign
 */
export async function rotateSecret(
  { database, keyring }: WebhookEndpointDependencies,
  scope: OwnerAndAuthor,
  { id, ...rotation }: Rotation & { readonly id: string },
): Promise<EndpointWithSecret> {
  const { merchantAccountId, environment } = scope;
  const { rotationId, overlapSeconds } = rotation;
  const { secret, sealed } = newSecret(keyring, { webhookEndpointId: id, merchantAccountId, environment });
  const isRepeat = (row: WebhookEndpoint) => row.rotationId === rotationId;
  const endpoint = await updateEndpointRow(
    database,
    scope,
    { id, action: 'webhook_endpoint.secret_rotated' },
    (row) => (isRepeat(row) ? sealed : { ...sealed, rotationId, ...lastEnd(row, overlapSeconds) }),
    async (row, transaction) => {
      if (!isRepeat(row)) await keepSecret(transaction, row, rotation);
    },
  );
  return { endpoint, secret };
}

function endOf(overlapSeconds: number): Date {
  return new Date(Date.now() + overlapSeconds * SECOND_MS);
}

/** When the last of the earlier secrets expires. */
function lastEnd({ previousSecretExpiresAt: known }: WebhookEndpoint, overlapSeconds: number): EndpointChanges {
  const end = endOf(overlapSeconds);
  return overlapSeconds === 0 || (known !== null && known > end) ? {} : { previousSecretExpiresAt: end };
}

/** Keeps the secret that a rotation replaces until its overlap ends. @throws ApiError `STATE_CONFLICT` */
async function keepSecret(
  { webhookPreviousSecret }: Prisma.TransactionClient,
  { id: webhookEndpointId, secretKeyId, secretCiphertext }: WebhookEndpoint,
  { rotationId, overlapSeconds }: Rotation,
): Promise<void> {
  await webhookPreviousSecret.deleteMany({ where: { webhookEndpointId, expiresAt: { lte: new Date() } } });
  if (overlapSeconds === 0) return;
  if ((await webhookPreviousSecret.count({ where: { webhookEndpointId } })) >= MAXIMUM_PREVIOUS_SECRETS) {
    throw new ApiError('STATE_CONFLICT', {
      message:
        `Expected at most ${MAXIMUM_PREVIOUS_SECRETS} earlier secrets that still sign; this endpoint has as many. Wait until the ` +
        'overlap of one has ended, or rotate with overlapSeconds 0.',
    });
  }
  const data = { webhookEndpointId, rotationId, secretKeyId, secretCiphertext, expiresAt: endOf(overlapSeconds) };
  await webhookPreviousSecret.create({ data });
}
