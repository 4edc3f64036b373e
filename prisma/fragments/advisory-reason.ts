import type { Advisory } from '../../domain/payment.ts';
import { Prisma } from '../generated/client.ts';
import { jsonParameter } from './payment-json.ts';

/**
 * An advisory to write, with the reason if the provider refuses the credentials of its account at this moment.
 * @param provider the name of the provider, as SQL
 */
export function advisoryJson(advisory: Advisory | null, provider: Prisma.Sql): Prisma.Sql {
  if (advisory === null) return Prisma.sql`NULL::jsonb`;
  const { reason: _before, ...known } = advisory;
  return Prisma.sql`${jsonParameter(known)}::jsonb || COALESCE((
      SELECT jsonb_build_object('reason', 'credentials_refused') FROM provider_account p
      WHERE p.id = ${provider} AND p.credentials_refused_since IS NOT NULL
    ), '{}'::jsonb)`;
}
