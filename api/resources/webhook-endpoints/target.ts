import { checkTarget } from '../../../webhooks/target.ts';
import type { TargetPolicy } from '../../../webhooks/target-policy.ts';
import { ApiError } from '../../middleware/errors.ts';

const MESSAGES = {
  https_required: 'In production, webhooks are sent over HTTPS only.',
  credentials_in_url: 'The address must not contain a user name or password.',
  address_not_allowed: 'The host stands for an address that webhooks are not sent to.',
  host_not_found: 'The host cannot be found.',
} as const;

/** @throws ApiError `VALIDATION_ERROR` when webhooks cannot or may not be sent there */
export async function requireTarget(url: string, policy: TargetPolicy): Promise<void> {
  const problem = await checkTarget(new URL(url), policy);
  if (problem === null) return;
  const field = { field: 'url', code: 'invalid', message: MESSAGES[problem] };
  throw new ApiError('VALIDATION_ERROR', { details: { fields: [field], reason: problem } });
}
