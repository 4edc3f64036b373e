import { SelectInput, type SelectInputProps } from 'react-admin';
import type { ProviderKinds } from '../../../sdk/server/generated/schemas.ts';
import { inWords } from '../core/words.ts';
import { useRead } from './use-data.ts';

/** A provider at which merchants can have accounts, with what a form has to ask for. */
export type ProviderKind = ProviderKinds['kinds'][number];
export type ProviderCredential = ProviderKind['credentials'][number];

/** The providers at which accounts can be created; none until they are read. */
export function useKinds(): readonly ProviderKind[] {
  return useRead<ProviderKinds>('provider-accounts/kinds').data?.kinds ?? [];
}

export function kindIn(kinds: readonly ProviderKind[], name: unknown): ProviderKind | undefined {
  return kinds.find(({ kind }) => kind === name);
}

export function useKind(name: unknown): ProviderKind | undefined {
  return kindIn(useKinds(), name);
}

export function KindName({ of }: { readonly of: string }) {
  return useKind(of)?.label ?? inWords(of);
}

/** Chooses a provider; as a filter too. */
export function KindInput(props: SelectInputProps) {
  const choices = useKinds().map(({ kind, label }) => ({ id: kind, name: label }));
  return <SelectInput label="Provider" {...props} choices={choices} />;
}
