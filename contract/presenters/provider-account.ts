import type { ProviderKindName } from '../../domain/provider-account.ts';
import type { ProviderAccountResource, ProviderKindsResource } from '../schemas/provider-account.ts';
import type { ProviderAccountRow } from '../../prisma/fragments/provider-account-json.ts';
import { PROVIDER_KINDS } from '../../providers/provider-kinds.ts';
import { presentCreator } from './creator.ts';
import { presentTime } from './time.ts';

/** An account at a provider as clients see it, over REST and in events. */
export function presentProviderAccount(row: ProviderAccountRow): ProviderAccountResource {
  const { kind, public_credentials: publicCredentials, credentials_refused_since: refusedSince } = row;
  const { methods, captureMethods, providerTokens, partialCapture } =
    PROVIDER_KINDS[kind].capabilitiesOf(publicCredentials);
  return {
    id: row.id,
    object: 'provider_account',
    merchantId: row.merchant_account_id,
    environment: row.environment,
    kind,
    name: row.name,
    status: row.status,
    credentialNames: row.credential_names,
    publicCredentials,
    credentialsUpdatedAt: presentTime(row.credentials_updated_at),
    credentialsRefusedSince: refusedSince === null ? null : presentTime(refusedSince),
    webhookPath: `/api/v1/providers/${row.id}/webhooks`,
    capabilities: { paymentMethods: [...methods], captureMethods: [...captureMethods], providerTokens, partialCapture },
    createdBy: presentCreator({ createdById: row.created_by_id, createdByKeyId: row.created_by_key_id }),
    createdAt: presentTime(row.created_at),
    updatedAt: presentTime(row.updated_at),
  };
}

/** These kinds of providers, with what a form has to ask for. */
export function presentKinds(names: readonly ProviderKindName[]): ProviderKindsResource {
  const kinds = names.map((kind) => {
    const { label, description, credentials } = PROVIDER_KINDS[kind];
    return {
      kind,
      label,
      description,
      credentials: Object.entries(credentials).map(([name, credential]) => ({
        name,
        label: credential.label,
        meaning: credential.meaning,
        isSecret: credential.isSecret ?? false,
        isOptional: credential.isOptional ?? false,
        input: credential.input ?? 'text',
        choices: [...(credential.choices ?? [])],
        example: credential.example ?? null,
      })),
    };
  });
  return { object: 'provider_kinds', kinds };
}
