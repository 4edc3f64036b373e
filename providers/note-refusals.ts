import { aroundCalls, type ProviderOperation } from './around-calls.ts';
import type { PaymentProvider } from './payment-provider.ts';
import { CredentialsRefusedError } from './provider-errors.ts';

/** Keeps since when a provider refuses the credentials of one account. Failing to do so fails no call. */
export interface RefusalNotes {
  /** The provider has refused the credentials in a call. */
  refused(operation: ProviderOperation, reason: string): Promise<void>;
  /** The provider has accepted the credentials in a call: it answered. */
  accepted(operation: ProviderOperation): Promise<void>;
}

/** The same provider, with notes of calls whose credentials it refuses, and of those that it answers. */
export function noteRefusals(provider: PaymentProvider, notes: RefusalNotes): PaymentProvider {
  const repeated = provider.capabilities.inquiry === 'repeat' ? REPEATED_BY : {};
  return aroundCalls(provider, async (operation, call) => {
    try {
      const outcome = await call();
      // Such an inquiry may be answered by a stored report, without a call.
      if (repeated[operation] === undefined) await notes.accepted(operation);
      return outcome;
    } catch (error) {
      if (error instanceof CredentialsRefusedError)
        await notes.refused(repeated[operation] ?? operation, error.message);
      throw error;
    }
  });
}

/** The operation that an inquiry sends again, where the provider's inquiries are repeats. */
const REPEATED_BY: Readonly<Partial<Record<ProviderOperation, ProviderOperation>>> = {
  inquire: 'authorize',
  inquireRefund: 'refund',
};
