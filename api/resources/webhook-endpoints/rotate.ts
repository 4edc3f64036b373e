import { SECOND_MS } from '../../../domain/time.ts';
import type { WebhookEndpoint } from '../../../prisma/generated/client.ts';
import {
  type EndpointChanges,
  type EndpointWithSecret,
  newSecret,
  type OwnerAndAuthor,
  updateEndpointRow,
  type WebhookEndpointDependencies,
} from './write.ts';

/**
 * Rotates an endpoint's secret. The previous secret stays valid for the overlap; one from an earlier rotation ends now.
 * @param rotationId identifies the execution: a repeat of an interrupted one replaces the new secret, which nobody has seen
 * @throws ApiError `RESOURCE_NOT_FOUND`, `STATE_CONFLICT`
 */
export async function rotateSecret(
  { database, keyring }: WebhookEndpointDependencies,
  scope: OwnerAndAuthor,
  {
    id,
    rotationId,
    overlapSeconds,
  }: { readonly id: string; readonly rotationId: string; readonly overlapSeconds: number },
): Promise<EndpointWithSecret> {
  const { merchantAccountId, environment } = scope;
  const { secret, sealed } = newSecret(keyring, { webhookEndpointId: id, merchantAccountId, environment });
  const endpoint = await updateEndpointRow(database, scope, { id, action: 'webhook_endpoint.secret_rotated' }, (row) =>
    row.rotationId === rotationId ? sealed : { ...sealed, rotationId, ...previousSecret(row, overlapSeconds) },
  );
  return { endpoint, secret };
}

function previousSecret({ secretKeyId, secretCiphertext }: WebhookEndpoint, overlapSeconds: number): EndpointChanges {
  if (overlapSeconds === 0) {
    return { previousSecretKeyId: null, previousSecretCiphertext: null, previousSecretExpiresAt: null };
  }
  return {
    previousSecretKeyId: secretKeyId,
    previousSecretCiphertext: secretCiphertext,
    previousSecretExpiresAt: new Date(Date.now() + overlapSeconds * SECOND_MS),
  };
}
