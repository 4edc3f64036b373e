import { z } from 'zod';
import { ENVIRONMENTS } from '../../domain/payment.ts';
import {
  CREDENTIAL_STATUSES,
  type CredentialStatus,
  FUTURE_USAGES,
  type FutureUsage,
  SAVED_METHOD_REASONS,
  SAVED_METHOD_STATUSES,
  type SavedMethodReason,
  type SavedMethodStatus,
} from '../../domain/saved-payment-method.ts';
import { parseIpAddress } from '../../domain/ip-address.ts';
import { MINUTE_MS } from '../../domain/time.ts';
import { expecting } from '../field-messages.ts';
import { customerId, metadata, pageQuery, refinement, responseTime, text } from './common.ts';
import { COMMON_MEMBERS, described, METADATA, withValues } from './descriptions.ts';
import { maskedCard } from './payment-intent-resource.ts';
import { expiryMonth, expiryProblem, expiryYear } from './payment-method.ts';

/** What a customer agrees to. */
export const FUTURE_USAGE_MEANINGS: Readonly<Record<FutureUsage, string>> = {
  on_session: 'to pay again while the customer is present',
  off_session: 'also for payments that you make without the customer',
};

const STATUS_MEANINGS: Readonly<Record<SavedMethodStatus, string>> = {
  active: 'it can be used',
  invalid: 'it cannot be charged any more, unless the customer saves the card again',
  detached: 'it was removed, and its card number erased; this is final',
};

const REASON_MEANINGS: Readonly<Record<SavedMethodReason, string>> = {
  issuer_refused: 'its issuer has refused a payment without the customer for good',
  token_disabled: 'no provider has a token for it any more, and its number is not stored',
  unused: 'it was not used for a long time',
  card_expired: 'the card expired months ago',
  customer_deleted: 'the customer was deleted',
  requested: 'it was removed by a request',
};

const CREDENTIAL_MEANINGS: Readonly<Record<CredentialStatus, string>> = {
  pending: 'the provider is being asked for its token',
  active: 'it can be used',
  disabled: 'the provider has issued none',
};

const CONSENT_MEMBERS = {
  acceptedAt: 'When the customer agreed; ISO 8601 in UTC. Left out: now.',
  ipAddress: 'The IP address from which the customer agreed; null if it is not known.',
  userAgent: "The customer's browser, as it names itself, up to 512 characters; null if it is not known.",
  text: 'The text that the customer agreed to, up to 500 characters; null if it is not kept.',
};

const MEMBERS = {
  ...COMMON_MEMBERS,
  id: 'The unique id of the saved payment method, which begins with `spm_`.',
  customerId: 'The id of the customer (`cus_…`) whose card it is.',
  status: withValues('Whether it can be used.', STATUS_MEANINGS),
  statusReason: withValues('Why it is invalid or detached; null while it is active.', REASON_MEANINGS),
  paymentMethod: 'The card, masked.',
  usage: withValues('What the customer has agreed to.', FUTURE_USAGE_MEANINGS),
  consent: 'When, from where and to what the customer agreed; null where that was not recorded.',
  initialPaymentIntentId: 'The payment intent (`pi_…`) with which the customer agreed; null of an imported one.',
  hasNetworkTransactionId: 'Whether the id is known by which card networks recognise the agreement.',
  credentials: 'By what it can be charged, and where.',
  isDefault: "Whether it is the customer's preferred one; at most one of them is.",
  metadata: METADATA,
  lastUsedAt: 'When it was last saved or charged; ISO 8601 in UTC.',
  expiryMonth: 'The month in which the card expires, from 1 to 12; with `expiryYear`.',
  expiryYear: 'The year in which the card expires, with four digits; with `expiryMonth`.',
};

const CREDENTIAL_MEMBERS = {
  provider: 'The provider that has the token; null for the card itself, which any provider can charge.',
  kind: withValues('What it is.', {
    card: 'the card number, stored by this engine',
    provider_token: "the provider's own token, which stands for the card there",
  }),
  status: withValues('Whether it can be used.', CREDENTIAL_MEANINGS),
};

const consentText = text(500);
const ADDRESS = expecting('an IP address, of version 4 or 6');

/** The consent that a server sends with a confirm; a page's address and browser are taken from its request. */
export const consent = z
  .strictObject(
    described(CONSENT_MEMBERS, {
      acceptedAt: z.iso
        .datetime({ offset: true })
        .refine((value) => Date.parse(value) < Date.now() + MINUTE_MS, {
          ...refinement({
            fieldCode: 'invalid',
            message: 'Expected a time that is not in the future; got a later one.',
          }),
        })
        .optional(),
      ipAddress: text(45)
        .refine((value) => parseIpAddress(value) !== undefined, ADDRESS)
        .nullish(),
      userAgent: text(512).nullish(),
      text: consentText.min(1).nullish(),
    }),
  )
  .meta({ id: 'Consent', description: 'What the customer has agreed to, and from where.' });

export type ConsentInput = z.output<typeof consent>;

/** GET /payment-methods */
export const listSavedMethodsQuery = z.strictObject({
  ...pageQuery,
  customerId: customerId.optional().describe('Selects the saved payment methods of the customer with this id.'),
  status: z.enum(SAVED_METHOD_STATUSES).optional().describe('Selects those in this state.'),
});

export type ListSavedMethods = z.output<typeof listSavedMethodsQuery>;

/** PATCH /payment-methods/{id} */
export const updateSavedMethodBody = z
  .strictObject(
    described(MEMBERS, {
      isDefault: z.boolean().optional(),
      expiryMonth: expiryMonth.optional(),
      expiryYear: expiryYear.optional(),
      metadata: metadata.optional(),
    }),
  )
  .superRefine(({ expiryMonth: month, expiryYear: year }, context) => {
    if (month === undefined && year === undefined) return;
    if (month === undefined || year === undefined) {
      const field = month === undefined ? 'expiryMonth' : 'expiryYear';
      const message = 'Expected expiryMonth and expiryYear together; got one of them. Send both.';
      context.addIssue({ code: 'custom', path: [field], ...refinement({ fieldCode: 'required', message }) });
      return;
    }
    const problem = expiryProblem(month, year);
    if (problem !== null) context.addIssue({ code: 'custom', path: ['expiryYear'], ...problem });
  })
  .describe('What to change. Members that are left out stay unchanged; `metadata` is replaced as a whole.');

export type UpdateSavedMethod = z.output<typeof updateSavedMethodBody>;

/** The saved payment method in every response. */
export const savedMethodResource = z
  .object(
    described(MEMBERS, {
      id: z.string(),
      object: z.literal('saved_payment_method'),
      merchantId: z.string(),
      environment: z.enum(ENVIRONMENTS),
      customerId: z.string(),
      status: z.enum(SAVED_METHOD_STATUSES),
      statusReason: z.enum(SAVED_METHOD_REASONS).nullable(),
      paymentMethod: maskedCard,
      usage: z.enum(FUTURE_USAGES),
      consent: z
        .object(
          described(
            { ...CONSENT_MEMBERS, acceptedAt: 'When the customer agreed; ISO 8601 in UTC.' },
            {
              acceptedAt: z.string(),
              ipAddress: z.string().nullable(),
              userAgent: z.string().nullable(),
              text: z.string().nullable(),
            },
          ),
        )
        .nullable(),
      initialPaymentIntentId: z.string().nullable(),
      hasNetworkTransactionId: z.boolean(),
      credentials: z.array(
        z.object(
          described(CREDENTIAL_MEMBERS, {
            provider: z.string().nullable(),
            kind: z.enum(['card', 'provider_token']),
            status: z.enum(CREDENTIAL_STATUSES),
          }),
        ),
      ),
      isDefault: z.boolean(),
      metadata: z.record(z.string(), z.string()),
      lastUsedAt: responseTime,
      createdAt: responseTime,
      updatedAt: responseTime,
    }),
  )
  .meta({ id: 'SavedPaymentMethod', description: 'A card that is kept for a customer.' });

export type SavedMethodResource = z.infer<typeof savedMethodResource>;
