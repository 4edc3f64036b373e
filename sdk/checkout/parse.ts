import type { CheckoutError, NextAction, Payment, PaymentStatus, SavedCard } from './types.ts';

export type JsonObject = Readonly<Record<string, unknown>>;

const UPI_LINK = /^upi:\/\/pay\?[\x21-\x7e]{1,2000}$/;

const STATUSES: Readonly<Record<PaymentStatus, true>> = {
  requires_payment_method: true,
  processing: true,
  requires_action: true,
  requires_capture: true,
  succeeded: true,
  failed: true,
  canceled: true,
  expired: true,
};

/** The object that a text is the JSON of, or null. */
export function parseObject(text: string): JsonObject | null {
  try {
    return asObject(JSON.parse(text));
  } catch {
    return null;
  }
}

export function asObject(value: unknown): JsonObject | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : null;
}

export function asText(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

export function asStatus(value: unknown): PaymentStatus | null {
  return typeof value === 'string' && Object.hasOwn(STATUSES, value) ? (value as PaymentStatus) : null;
}

/** A next action that this version knows what to do with, or null. */
export function asNextAction(value: unknown): NextAction | null {
  const { type, ...rest } = asObject(value) ?? {};
  if (type === 'redirect' && isWebAddress(rest.url)) return { type, url: rest.url };
  if (type === 'approve_in_app') return { type, app: 'upi', link: asUpiLink(rest.link) };
  return type === 'crypto_deposit' ? asDeposit(rest) : null;
}

function asDeposit(action: JsonObject): NextAction | null {
  const [asset, network, address, amount] = [action.asset, action.network, action.address, action.amount].map(asText);
  if (asset == null || network == null || address == null || amount == null) return null;
  const { confirmationsRequired: blocks } = action;
  const confirmationsRequired = typeof blocks === 'number' ? blocks : 0;
  const expiresAt = asText(action.expiresAt);
  return { type: 'crypto_deposit', asset, network, address, amount, confirmationsRequired, expiresAt };
}

/** Any other address would open something else than a UPI app. */
function asUpiLink(value: unknown): string | null {
  return typeof value === 'string' && UPI_LINK.test(value) ? value : null;
}

/** Anything else, such as `javascript:`, is not followed. */
function isWebAddress(value: unknown): value is string {
  return typeof value === 'string' && /^https?:\/\//i.test(value);
}

export function asError(value: unknown): CheckoutError | null {
  const { code, message, details } = asObject(value) ?? {};
  return typeof code === 'string' ? { code, message: asText(message) ?? code, details: asObject(details) } : null;
}

/** The payment in an answer of the API, or null when it is none. */
export function asPayment(value: unknown): Payment | null {
  const intent = asObject(value);
  const id = asText(intent?.id);
  const status = asStatus(intent?.status);
  if (intent === null || id === null || status === null) return null;
  return {
    id,
    status,
    amount: asNumber(intent.amount) ?? 0,
    currency: asText(intent.currency) ?? '',
    description: asText(intent.description),
    nextAction: asNextAction(intent.nextAction),
    lastError: asError(intent.lastError),
    isStuck: asObject(intent.advisory) !== null,
    expiresAt: asText(intent.expiresAt),
  };
}

/** The saved cards in an answer of the API; what is none is left out. */
export function asSavedCards(value: unknown): readonly SavedCard[] {
  return Array.isArray(value) ? value.map(asSavedCard).filter((card) => card !== null) : [];
}

function asSavedCard(value: unknown): SavedCard | null {
  const saved = asObject(value);
  const id = asText(saved?.id);
  const card = asObject(saved?.paymentMethod);
  if (id === null || card === null) return null;
  return {
    id,
    brand: asText(card.brand) ?? 'unknown',
    last4: asText(card.last4),
    expiryMonth: asNumber(card.expiryMonth),
    expiryYear: asNumber(card.expiryYear),
    isDefault: saved?.isDefault === true,
  };
}

function asNumber(value: unknown): number | null {
  return typeof value === 'number' ? value : null;
}
