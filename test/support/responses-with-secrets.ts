import { z } from 'zod';
import type { Credentials } from '../../sandbox/signed-request.ts';
import { issuedApiKeyResource } from '../../contract/schemas/api-key.ts';
import { webhookEndpointWithSecret } from '../../contract/schemas/webhook-endpoint.ts';

/** A response that shows the secrets of an API key. */
export const keyWithSecrets = issuedApiKeyResource.extend({ apiKey: z.string(), secretSalt: z.string() });

/** What signs with a key that a response has shown, on its own version. */
export function credentialsOf(baseUrl: string, issued: unknown): Credentials {
  const { apiKey, secretSalt, signatureVersion } = secretsOfKey.parse(issued);
  return { baseUrl, apiKey, secretSalt, signatureVersion };
}

const secretsOfKey = z.object({
  apiKey: z.string(),
  secretSalt: z.string(),
  signatureVersion: z.union([z.literal(1), z.literal(2)]),
});

/** A response that shows the secret of a webhook endpoint. */
export const endpointWithSecret = webhookEndpointWithSecret.extend({ secret: z.string() });
