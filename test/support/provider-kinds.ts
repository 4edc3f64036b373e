import type { DepositStore } from '../../domain/deposit.ts';
import { createProviderKinds, type ProviderKindSettings } from '../../providers/provider-kinds.ts';
import { createCheckedFetchers } from '../../webhooks/checked-fetch.ts';
import { createTargetPolicies } from '../../webhooks/target-policy.ts';

export const PUBLIC_TARGETS = createTargetPolicies({ allowPrivateInSandbox: false });

const NO_DEPOSITS: DepositStore = {
  nextIndex: () => Promise.reject(new Error('no deposit is opened')),
  open: () => Promise.reject(new Error('no deposit is opened')),
  find: () => Promise.resolve(null),
  close: () => Promise.resolve(),
};

/** Kinds that give out no address, and call no private one that a merchant has entered. */
export function createTestKinds(
  settings: Omit<ProviderKindSettings, 'deposits' | 'fetchers'> & Partial<ProviderKindSettings>,
) {
  return createProviderKinds({
    deposits: NO_DEPOSITS,
    fetchers: createCheckedFetchers(PUBLIC_TARGETS, null),
    ...settings,
  });
}
