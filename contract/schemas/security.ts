import { z } from 'zod';
import { ENVIRONMENTS } from '../../domain/payment.ts';
import { ROLES } from '../../domain/roles.ts';
import { auditEventResource } from './audit-event.ts';
import { responseTime } from './common.ts';

const address = z.string().nullable();

const keyUse = z.object({
  id: z.string(),
  name: z.string(),
  prefix: z.string(),
  merchantId: z.string(),
  status: z.enum(['active', 'expired', 'revoked']),
  lastUsedAt: responseTime.nullable(),
  lastUsedFrom: address,
  createdAt: responseTime,
});

const session = z.object({
  beganAt: responseTime,
  lastUsedAt: responseTime,
  address,
  userAgent: z.string().nullable(),
  gaveSecondFactor: z.boolean(),
});

/** GET /security */
export const securityOverview = z
  .object({
    object: z.literal('security_overview'),
    environment: z.enum(ENVIRONMENTS),
    apiKeys: z.array(keyUse),
    people: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        email: z.string(),
        role: z.enum(ROLES),
        hasSecondFactor: z.boolean(),
        sessions: z.array(session),
      }),
    ),
    webhookEndpoints: z.array(
      z.object({
        id: z.string(),
        merchantId: z.string(),
        url: z.string(),
        status: z.string(),
        createdAt: responseTime,
      }),
    ),
    signIns: z.array(auditEventResource),
  })
  .describe('Who and what can act for a merchant in one environment, and what happened at the sign-in of its people.');

export type SecurityOverview = z.infer<typeof securityOverview>;

const counted = { requests: z.int(), refused: z.int(), firstAt: responseTime, lastAt: responseTime };

/** GET /security/api-keys/{id} */
export const apiKeyReport = z
  .object({
    object: z.literal('api_key_report'),
    apiKey: keyUse,
    places: z.array(z.object({ address: z.string(), ...counted })),
    operations: z.array(z.object({ operation: z.string(), ...counted })),
    changes: z.array(auditEventResource),
    changeCount: z.int(),
    remaining: z.array(
      z.object({
        resource: z.string(),
        id: z.string(),
        name: z.string(),
        status: z.string(),
        isMade: z.boolean(),
      }),
    ),
  })
  .describe(
    'After the loss of an API key: from where it was used, what was read, what was changed, and what still stands of it.',
  );

export type ApiKeyReport = z.infer<typeof apiKeyReport>;
