import type { Database } from '../prisma/connection/client.ts';
import { selectSealed, SEALED_VALUES, type SealedValues, updateSealed } from '../prisma/queries/sealed.ts';
import type { RowOf } from '../prisma/connection/statement.ts';
import type { CardKeyring } from './card-keys.ts';
import { disputeFileContext } from './dispute-file.ts';
import { SealBrokenError, type Sealed, type SealedInput } from './envelope.ts';
import type { Keyring } from './keyring.ts';
import { keySaltContext } from './key-salt.ts';
import { savedPaymentMethodIdOf } from '../domain/ids.ts';
import { methodContext, savedCardContext } from './payment-method-vault.ts';
import { providerCredentialsContext } from './provider-credentials.ts';
import { savedCredentialContext } from './saved-credential.ts';
import { storedResponseContext } from './stored-response.ts';
import { webhookSecretContext } from './webhook-secret.ts';

export interface RewrapKeys {
  readonly keyring: Keyring;
  readonly cards: CardKeyring;
}

/** The number of values of one kind under each key. */
export interface KeyCounts {
  readonly values: SealedValues;
  readonly currentKeyId: string;
  readonly byKeyId: ReadonlyMap<string, number>;
}

/** One pass over all sealed values. */
export interface RewrapPass {
  /** What the pass found, before it rewrapped anything. */
  readonly counts: readonly KeyCounts[];
  readonly rewrapped: number;
  /** Rows whose value no configured key opens. */
  readonly broken: readonly string[];
}

/** The rows that one statement reads and writes at most; each takes some milliseconds. */
const BATCH_SIZE = 500;

type SealedRow = RowOf<ReturnType<typeof selectSealed>>;

/** How the values of each kind are rewrapped under the current key, from their row. */
const KINDS: Readonly<Record<SealedValues, Kind>> = {
  payment_methods: ofCards('details'),
  security_codes: ofCards('cvc'),
  saved_cards: ofSavedCards((id) => id),
  cards_to_save: ofSavedCards(savedPaymentMethodIdOf),
  saved_credentials: {
    currentKeyId: ({ keyring }) => keyring.currentKeyId,
    rewrap: ({ keyring }, { merchantAccountId, environment, id: [savedPaymentMethodId = '', provider = ''] }, sealed) =>
      keyring.rewrap(
        sealed,
        savedCredentialContext({ savedPaymentMethodId, provider, merchantAccountId, environment }),
      ),
  },
  dispute_files: {
    currentKeyId: ({ keyring }) => keyring.currentKeyId,
    rewrap: ({ keyring }, { merchantAccountId, environment, id: [disputeId = '', kind = ''] }, sealed) =>
      keyring.rewrap(sealed, disputeFileContext({ disputeId, kind, merchantAccountId, environment })),
  },
  stored_responses: {
    currentKeyId: ({ keyring }) => keyring.currentKeyId,
    rewrap: ({ keyring }, { merchantAccountId, environment, id: [, , key = ''] }, sealed) =>
      keyring.rewrap(sealed, storedResponseContext({ merchantAccountId, environment, key })),
  },
  api_key_salts: {
    currentKeyId: ({ keyring }) => keyring.currentKeyId,
    rewrap: ({ keyring }, { environment, id: [apiKeyId = ''] }, sealed) =>
      keyring.rewrap(sealed, keySaltContext({ apiKeyId, environment })),
  },
  webhook_secrets: ofWebhooks(),
  previous_webhook_secrets: ofWebhooks(),
  provider_credentials: ofProviders(),
  previous_provider_credentials: ofProviders(),
};

interface Kind {
  readonly currentKeyId: (keys: RewrapKeys) => string;
  readonly rewrap: (keys: RewrapKeys, row: SealedRow, sealed: SealedInput) => Sealed | null;
}

function ofCards(part: 'details' | 'cvc'): Kind {
  return {
    currentKeyId: ({ cards }) => cards.currentKeyId,
    rewrap: ({ cards }, { merchantAccountId, environment, id: [id = ''] }, sealed) =>
      cards.rewrap(sealed, methodContext({ id, merchantAccountId, environment }, part)),
  };
}

/** @param savedIdOf the id of the saved payment method whose card the row has */
function ofSavedCards(savedIdOf: (id: string) => string): Kind {
  return {
    currentKeyId: ({ cards }) => cards.currentKeyId,
    rewrap: ({ cards }, { merchantAccountId, environment, id: [id = ''] }, sealed) =>
      cards.rewrap(sealed, savedCardContext({ id: savedIdOf(id), merchantAccountId, environment })),
  };
}

function ofWebhooks(): Kind {
  return {
    currentKeyId: ({ keyring }) => keyring.currentKeyId,
    rewrap: ({ keyring }, { merchantAccountId, environment, id: [webhookEndpointId = ''] }, sealed) =>
      keyring.rewrap(sealed, webhookSecretContext({ webhookEndpointId, merchantAccountId, environment })),
  };
}

function ofProviders(): Kind {
  return {
    currentKeyId: ({ keyring }) => keyring.currentKeyId,
    rewrap: ({ keyring }, { merchantAccountId, environment, id: [providerAccountId = ''] }, sealed) =>
      keyring.rewrap(sealed, providerCredentialsContext({ providerAccountId, merchantAccountId, environment })),
  };
}

/**
 * Reads all sealed values once, in batches, and rewraps those that are not under the current key. Values that change meanwhile,
 * and rows that are locked, are left to the next pass, which also continues a pass that was interrupted.
 */
export async function rewrapOnce(database: Database, keys: RewrapKeys, batchSize = BATCH_SIZE): Promise<RewrapPass> {
  const counts: KeyCounts[] = [];
  const broken: string[] = [];
  let rewrapped = 0;
  for (const values of Object.keys(KINDS) as SealedValues[]) {
    const currentKeyId = KINDS[values].currentKeyId(keys);
    const byKeyId = new Map<string, number>();
    for await (const rows of pagesOf(database, values, currentKeyId, batchSize)) {
      for (const { keyId } of rows.filter(({ isSealed }) => isSealed)) {
        byKeyId.set(keyId ?? '', (byKeyId.get(keyId ?? '') ?? 0) + 1);
      }
      rewrapped += await rewrapRows(database, keys, { values, rows, broken });
    }
    counts.push({ values, currentKeyId, byKeyId });
  }
  return { counts, rewrapped, broken };
}

async function* pagesOf(database: Database, values: SealedValues, currentKeyId: string, limit: number) {
  let after: readonly string[] = SEALED_VALUES[values].primaryKey.map(() => '');
  for (;;) {
    const rows = await database.direct.rows(selectSealed(values, { after, limit }, currentKeyId));
    yield rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < limit) return;
    after = last.id;
  }
}

async function rewrapRows(
  database: Database,
  keys: RewrapKeys,
  { values, rows, broken }: { readonly values: SealedValues; readonly rows: readonly SealedRow[]; broken: string[] },
): Promise<number> {
  const rewrapped = rows.flatMap((row) => {
    const { id, keyId, toRewrap } = row;
    if (keyId === null || toRewrap === null) return [];
    const from = { keyId, ciphertext: toRewrap };
    try {
      const to = KINDS[values].rewrap(keys, row, from);
      return to === null ? [] : [{ id, from, to }];
    } catch (error) {
      if (!(error instanceof SealBrokenError)) throw error;
      broken.push(`${values} ${id.join(' ')}: ${error.message}`);
      return [];
    }
  });
  return rewrapped.length === 0 ? 0 : await database.direct.execute(updateSealed(values, rewrapped));
}

/** How many values are under other keys than the current one. */
export function countLeft(counts: readonly KeyCounts[]): number {
  return counts
    .flatMap(({ currentKeyId, byKeyId }) => [...byKeyId].filter(([keyId]) => keyId !== currentKeyId))
    .reduce((sum, [, count]) => sum + count, 0);
}
