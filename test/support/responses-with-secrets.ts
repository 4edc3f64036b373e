import { z } from 'zod';
import { issuedApiKeyResource } from '../../api/schemas/api-key.ts';
import { webhookEndpointWithSecret } from '../../api/schemas/webhook-endpoint.ts';

/** A response that shows the secrets of an API key. */
export const keyWithSecrets = issuedApiKeyResource.extend({ apiKey: z.string(), secretSalt: z.string() });

/** A response that shows the secret of a webhook endpoint. */
export const endpointWithSecret = webhookEndpointWithSecret.extend({ secret: z.string() });
