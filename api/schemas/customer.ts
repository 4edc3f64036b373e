import { z } from 'zod';
import { ENVIRONMENTS } from '../../domain/payment.ts';
import { containsCardNumber } from '../../domain/card-number.ts';
import { expecting } from '../middleware/field-messages.ts';
import {
  CARD_NUMBER,
  deletedResource,
  metadata,
  metadataFilter,
  nullableCountry,
  pageQuery,
  reference,
  responseTime,
  text,
  timeText,
} from './common.ts';

const MAXIMUM_EMAIL_LENGTH = 254;

const name = text(255).min(1);
const email = text(MAXIMUM_EMAIL_LENGTH)
  .pipe(z.email())
  .meta({ override: { pattern: z.regexes.email.source } });
/** A phone number with its country code has at most 15 digits (ITU-T E.164). */
const PHONE_WITH_COUNTRY = /^\+(?:\D*\d){1,15}\D*$/;
/** A telephone number as people write it: digits and separators. */
const phone = z
  .string()
  // On long texts the pattern would take minutes.
  .max(32, { abort: true })
  .regex(/^\+?[ ()./-]*\d[\d ()./-]*$/, expecting('a telephone number such as +49 30 1234567'))
  .refine((value) => PHONE_WITH_COUNTRY.test(value) || !containsCardNumber(value), CARD_NUMBER);
const description = text(1_000);

/** POST /customers and PUT /customers/{id}: omitted fields are empty. */
export const customerBody = z.strictObject({
  reference: reference.nullish(),
  name: name.nullish(),
  email: email.nullish(),
  phone: phone.nullish(),
  description: description.nullish(),
  country: nullableCountry.optional(),
  metadata: metadata.default({}),
});

export type CustomerFields = z.output<typeof customerBody>;

/** PATCH /customers/{id}: omitted fields stay unchanged, null clears a field. */
export const updateCustomerBody = z.strictObject({
  reference: reference.nullish(),
  name: name.nullish(),
  email: email.nullish(),
  phone: phone.nullish(),
  description: description.nullish(),
  country: nullableCountry.optional(),
  metadata: metadata.optional(),
});

export type UpdateCustomer = z.output<typeof updateCustomerBody>;

/** GET /customers */
export const listCustomersQuery = z.strictObject({
  ...pageQuery,
  reference: reference.optional(),
  metadata: metadataFilter,
  email: email.optional(),
  createdAfter: timeText.optional(),
  createdBefore: timeText.optional(),
});

export type ListCustomers = z.output<typeof listCustomersQuery>;

/** The customer in every response. */
export const customerResource = z.object({
  id: z.string(),
  object: z.literal('customer'),
  merchantId: z.string(),
  environment: z.enum(ENVIRONMENTS),
  reference: z.string().nullable(),
  name: z.string().nullable(),
  email: z.string().nullable(),
  phone: z.string().nullable(),
  description: z.string().nullable(),
  country: z.string().nullable(),
  metadata: z.record(z.string(), z.string()),
  createdAt: responseTime,
  updatedAt: responseTime,
});

export type CustomerResource = z.infer<typeof customerResource>;

export const deletedCustomer = deletedResource('customer');
