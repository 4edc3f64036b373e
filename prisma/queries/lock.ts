import { type AccountScope, isOwned } from '../fragments/conditions.ts';
import { Prisma } from '../generated/client.ts';

// Each locks until the end of the transaction.

/** Lets one transaction at a time add to what belongs to a merchant. */
export function lockMerchant(id: string): Prisma.Sql {
  return Prisma.sql`SELECT FROM merchant WHERE id = ${id} FOR NO KEY UPDATE`;
}

/** Lets one transaction at a time add to what belongs to a merchant account. */
export function lockMerchantAccount(id: string): Prisma.Sql {
  return Prisma.sql`SELECT FROM merchant_account WHERE id = ${id} FOR NO KEY UPDATE`;
}

/** Keeps off changes of the API key that makes a request, of whichever account it is. */
export function lockOwnKey(id: string): Prisma.Sql {
  return Prisma.sql`SELECT FROM api_key WHERE id = ${id} FOR NO KEY UPDATE`;
}

/** Keeps off changes of an account's API key. */
export function lockApiKey(id: string, owner: AccountScope): Prisma.Sql {
  return Prisma.sql`SELECT FROM api_key WHERE ${isOwned(id, owner)} FOR NO KEY UPDATE`;
}

/** Keeps off changes of a merchant's accounts. */
export function lockAccountsOf(merchantId: string): Prisma.Sql {
  return Prisma.sql`SELECT FROM merchant_account WHERE merchant_id = ${merchantId} ORDER BY id FOR NO KEY UPDATE`;
}

/** Waits for payments that are being made for a customer of an account, and keeps off further ones. */
export function lockCustomer(id: string, owner: AccountScope): Prisma.Sql {
  return Prisma.sql`SELECT FROM customer WHERE ${isOwned(id, owner)} FOR UPDATE`;
}

/** Waits for attempts that begin with a saved card, and keeps off further ones. */
export function lockSavedMethod(id: string, owner: AccountScope): Prisma.Sql {
  return Prisma.sql`SELECT FROM saved_payment_method WHERE ${isOwned(id, owner)} FOR NO KEY UPDATE`;
}

/** Waits for attempts and refunds that begin at an account at a provider, and keeps off further ones. */
export function lockProviderAccount(id: string, owner: AccountScope): Prisma.Sql {
  return Prisma.sql`SELECT FROM provider_account WHERE ${isOwned(id, owner)} FOR UPDATE`;
}

/** Lets one page at a time open a payment of a payment link. */
export function lockPaymentLink(id: string): Prisma.Sql {
  return Prisma.sql`SELECT FROM payment_link WHERE id = ${id} FOR NO KEY UPDATE`;
}

/** Makes a statement wait for a step that is being recorded: a step changes the intent's row first. */
export function lockIntent(id: string): Prisma.Sql {
  return Prisma.sql`SELECT FROM payment_intent WHERE id = ${id} FOR NO KEY UPDATE`;
}

/** Waits for settlements of deposits at a provider, and keeps off further ones, and reads of its chain. */
export function lockDepositCursor(provider: string): Prisma.Sql {
  return Prisma.sql`SELECT FROM deposit_cursor WHERE provider = ${provider} FOR NO KEY UPDATE`;
}

/** Makes concurrent planners run one after the other. */
export function lockWebhookCursor(): Prisma.Sql {
  return Prisma.sql`SELECT FROM webhook_cursor WHERE id = 1 FOR UPDATE`;
}

/** Makes concurrent workers keep the statistics one after the other. */
export function lockStatisticsCursor(): Prisma.Sql {
  return Prisma.sql`SELECT FROM statistics_cursor WHERE id = 1 FOR UPDATE`;
}

/** Lets a person join one team at a time. */
export function lockPerson(id: string): Prisma.Sql {
  return Prisma.sql`SELECT FROM person WHERE id = ${id} FOR NO KEY UPDATE`;
}

/** Lets a person add one saved view at a time. */
export function lockMembership(personId: string): Prisma.Sql {
  return Prisma.sql`SELECT FROM membership WHERE person_id = ${personId} FOR NO KEY UPDATE`;
}
