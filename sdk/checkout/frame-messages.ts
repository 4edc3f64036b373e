import { asObject, asText, type JsonObject } from './parse.ts';
import type { CardFieldsOptions, CardFieldsTheme, CheckoutError } from './types.ts';

/** The first message, which passes the port to the frame. Everything else goes through the port. */
export const CONNECT = 'payment-engine:card-fields:1';

const COLOR_SCHEMES = ['light', 'dark', 'auto'] as const;
export type ColorScheme = (typeof COLOR_SCHEMES)[number];

/** The saved card whose security code alone the frame asks for. */
export type FramedCard = NonNullable<CardFieldsOptions['savedCard']>;

/** What the page tells the frame. No message has a field for card data: the page has none. */
export type PageMessage =
  | {
      readonly type: 'configure';
      readonly language: string;
      readonly theme: CardFieldsTheme;
      readonly colorScheme: ColorScheme;
      readonly savedCard: FramedCard | null;
    }
  | { readonly type: 'validate'; readonly requestId: number }
  | { readonly type: 'store'; readonly requestId: number; readonly clientSecret: string }
  | { readonly type: 'focus' };

/** What the frame tells the page: never a number, an expiry date or a security code. */
export type FrameMessage =
  | { readonly type: 'ready'; readonly refusedVariables: readonly string[] }
  | { readonly type: 'resized'; readonly heightPx: number }
  | { readonly type: 'changed'; readonly complete: boolean; readonly brand: string | null }
  | { readonly type: 'submitted' }
  | { readonly type: 'validated'; readonly requestId: number; readonly valid: boolean }
  | {
      readonly type: 'stored';
      readonly requestId: number;
      readonly paymentMethodId: string | null;
      readonly error: CheckoutError | null;
    };

const PAYMENT_METHOD_ID = /^pm_[0-9a-f]{32}(_\d{1,4})?$/;
const TALLEST_PX = 2_000;

/** The id of a payment method, or null when the value is none. */
export function asPaymentMethodId(value: unknown): string | null {
  return typeof value === 'string' && PAYMENT_METHOD_ID.test(value) ? value : null;
}

/** A message of the page, or null when it is none. */
export function asPageMessage(value: unknown): PageMessage | null {
  const message = asObject(value);
  if (message === null) return null;
  const requestId = asRequestId(message.requestId);
  const clientSecret = asText(message.clientSecret);
  switch (message.type) {
    case 'configure':
      return {
        type: 'configure',
        language: asText(message.language) ?? '',
        theme: asTheme(message.theme),
        colorScheme: COLOR_SCHEMES.find((scheme) => scheme === message.colorScheme) ?? 'auto',
        savedCard: asFramedCard(message.savedCard),
      };
    case 'validate':
      return requestId === null ? null : { type: 'validate', requestId };
    case 'store':
      return requestId === null || clientSecret === null ? null : { type: 'store', requestId, clientSecret };
    case 'focus':
      return { type: 'focus' };
    default:
      return null;
  }
}

/** A message of the frame, or null when it is none. */
export function asFrameMessage(value: unknown): FrameMessage | null {
  const message = asObject(value);
  if (message === null) return null;
  const requestId = asRequestId(message.requestId);
  switch (message.type) {
    case 'ready':
      return { type: 'ready', refusedVariables: asTexts(message.refusedVariables) };
    case 'resized':
      return isHeight(message.heightPx) ? { type: 'resized', heightPx: message.heightPx } : null;
    case 'changed':
      return { type: 'changed', complete: message.complete === true, brand: asText(message.brand) };
    case 'submitted':
      return { type: 'submitted' };
    case 'validated':
      return requestId === null ? null : { type: 'validated', requestId, valid: message.valid === true };
    case 'stored':
      return requestId === null ? null : { type: 'stored', requestId, ...asStored(message) };
    default:
      return null;
  }
}

function asStored({
  paymentMethodId,
  error,
}: JsonObject): Pick<Extract<FrameMessage, { type: 'stored' }>, 'paymentMethodId' | 'error'> {
  const { code, message } = asObject(error) ?? {};
  const failure = typeof code === 'string' ? { code, message: asText(message) ?? code, details: null } : null;
  return { paymentMethodId: asPaymentMethodId(paymentMethodId), error: failure };
}

function asFramedCard(value: unknown): FramedCard | null {
  const { id, brand } = asObject(value) ?? {};
  return typeof id === 'string' ? { id, brand: asText(brand) ?? '' } : null;
}

function asRequestId(value: unknown): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) ? value : null;
}

function isHeight(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= TALLEST_PX;
}

function asTheme(value: unknown): CardFieldsTheme {
  const entries = Object.entries(asObject(value) ?? {});
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
}

function asTexts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : [];
}
