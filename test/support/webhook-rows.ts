import { newId } from '../../domain/new-id.ts';
import type { Database } from '../../prisma/connection/client.ts';
import type { Prisma } from '../../prisma/generated/client.ts';

/** The id that the statements in `prisma/queries/webhook-delivery.ts` give the first delivery of an event to an endpoint. */
export function deliveryIdOf(eventId: string, webhookEndpointId: string): string {
  return `whd_${eventId.replace('evt_', '')}_${webhookEndpointId.replace('whe_', '')}`;
}

/** Inserts an enabled endpoint that subscribes to every event; `overrides` win. Its secret cannot be decrypted. */
export async function insertWebhookEndpoint(
  database: Database,
  merchantAccountId: string,
  overrides: Partial<Prisma.WebhookEndpointUncheckedCreateInput> = {},
): Promise<string> {
  const id = newId('webhookEndpoint');
  await database.webhookEndpoint.create({
    data: {
      id,
      merchantAccountId,
      environment: 'sandbox',
      url: 'http://127.0.0.1:9/hooks',
      enabledEvents: ['*'],
      secretKeyId: 'test',
      secretCiphertext: new Uint8Array([1, 2, 3]),
      ...overrides,
    },
  });
  return id;
}
