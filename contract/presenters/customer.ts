import { z } from 'zod';
import { ENVIRONMENTS } from '../../domain/payment.ts';
import type { Customer } from '../../prisma/generated/client.ts';
import type { CustomerResource } from '../schemas/customer.ts';

const pairs = z.record(z.string(), z.string());
const environment = z.enum(ENVIRONMENTS);

/** The customer as clients see it. */
export function presentCustomer(row: Customer): CustomerResource {
  return {
    id: row.id,
    object: 'customer',
    merchantId: row.merchantAccountId,
    environment: environment.parse(row.environment),
    reference: row.reference,
    name: row.name,
    email: row.email,
    phone: row.phone,
    description: row.description,
    country: row.country,
    metadata: pairs.parse(row.metadata),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}
