import { z } from 'zod';
import { ENVIRONMENTS } from '../../domain/payment.ts';
import { containsCardNumber } from '../../domain/card-number.ts';
import { EMAIL_ADDRESS } from '../../domain/email-address.ts';
import { expecting } from '../field-messages.ts';
import {
  CARD_NUMBER,
  creationQuery,
  deletedResource,
  referenceQuery,
  metadata,
  nullableCountry,
  pageQuery,
  reference,
  responseTime,
  text,
} from './common.ts';
import { COMMON_MEMBERS, described, METADATA, REFERENCE } from './descriptions.ts';

const MAXIMUM_EMAIL_LENGTH = 254;

const name = text(255).min(1);
const email = text(MAXIMUM_EMAIL_LENGTH)
  // The same letters, composed or not, are the same address (RFC 6532).
  .pipe(z.email({ pattern: EMAIL_ADDRESS }).normalize('NFC'))
  .meta({ override: { pattern: EMAIL_ADDRESS.source } });
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

const MEMBERS = {
  ...COMMON_MEMBERS,
  id: 'The unique id of the customer, which begins with `cus_`.',
  name: "The customer's full name, up to 255 characters; null if it is not known.",
  email: `The customer's e-mail address, up to ${MAXIMUM_EMAIL_LENGTH} characters of any script (RFC 6531); null if it is not known.`,
  phone:
    "The customer's telephone number, up to 32 digits, spaces and separators, such as `+49 30 901820`; null if it is not known.",
  description: 'A note of your own about the customer, up to 1,000 characters; null without one.',
  country:
    'Where the customer pays from, as an ISO 3166-1 alpha-2 code: `DE`; null if it is not known. It selects payment ' +
    'routes for payments that have no country of their own.',
  metadata: METADATA,
  reference: REFERENCE,
};

const FIELDS = {
  reference: reference.nullish(),
  name: name.nullish(),
  email: email.nullish(),
  phone: phone.nullish(),
  description: description.nullish(),
  country: nullableCountry.optional(),
};

/** POST /customers and PUT /customers/{id}: omitted fields are empty. */
export const customerBody = z
  .strictObject(
    described(MEMBERS, {
      ...FIELDS,
      metadata: metadata.default({}),
    }),
  )
  .describe('All data of a customer. Members that are left out are empty.');

export type CustomerFields = z.output<typeof customerBody>;

/** PATCH /customers/{id}: omitted fields stay unchanged, null clears a field. */
export const updateCustomerBody = z
  .strictObject(
    described(MEMBERS, {
      ...FIELDS,
      metadata: metadata.optional(),
    }),
  )
  .describe(
    'What to change. Members that are left out stay unchanged; `null` clears one; `metadata` is replaced as a whole.',
  );

export type UpdateCustomer = z.output<typeof updateCustomerBody>;

/** GET /customers */
export const listCustomersQuery = z.strictObject({
  ...pageQuery,
  ...creationQuery,
  ...referenceQuery,
  email: email.optional().describe('Selects the customers with this e-mail address, compared without case.'),
});

export type ListCustomers = z.output<typeof listCustomersQuery>;

/** The customer in every response. */
export const customerResource = z
  .object(
    described(MEMBERS, {
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
    }),
  )
  .describe('A customer who pays.');

export type CustomerResource = z.infer<typeof customerResource>;

export const deletedCustomer = deletedResource('customer');
