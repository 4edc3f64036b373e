import { BooleanInput } from 'react-admin';
import type { CreatedResource } from '../../../sdk/server/generated/schemas.ts';
import { createDataProvider, type DashboardData } from '../core/data-provider.ts';
import { usePlace } from '../core/session.ts';
import { inWords } from '../core/words.ts';
import { Loaded } from './section.tsx';
import { useData, useReadAll } from './use-data.ts';

type Type = CreatedResource['type'];

/** How each kind of resource is disabled, with the data of its account. */
const DISABLE: Readonly<Record<Type, (data: DashboardData, id: string) => Promise<unknown>>> = {
  api_key: (data, id) => data.act(`api-keys/${id}/revoke`, {}, `disable-${id}`),
  webhook_endpoint: (data, id) => change(data, 'webhook-endpoints', id, { active: false }),
  provider_account: (data, id) => change(data, 'provider-accounts', id, { status: 'disabled' }),
  payment_route: (data, id) => change(data, 'payment-routes', id, { active: false }),
  payment_link: (data, id) => change(data, 'payment-links', id, { active: false }),
};

interface CreatedResourcesProps {
  /** The list's path below /api/v1. */
  readonly path: string;
  /** Kinds that the dialog shows elsewhere. */
  readonly without?: readonly Type[];
}

/** What a person or a key has made that still stands, and whether it ends too: the input `disableCreated`. */
export function CreatedResources({ path, without = [] }: CreatedResourcesProps) {
  const query = useReadAll<CreatedResource>(path);
  const left = query.data?.filter(({ type }) => !without.includes(type));
  return (
    <Loaded query={{ ...query, data: left }} empty="Nothing else that was made so still stands.">
      {(made) => (
        <>
          <p style={{ marginTop: 0 }}>Made so, and still at work:</p>
          <ul style={{ marginTop: 0, paddingLeft: '1.2rem' }}>
            {made.map(({ id, type, name, environment }) => (
              <li key={id} style={{ overflowWrap: 'anywhere' }}>
                {inWords(type)}: {name} ({environment})
              </li>
            ))}
          </ul>
          <BooleanInput
            source="disableCreated"
            label="Disable these too"
            helperText="Keys are revoked for good; everything else can be enabled again."
          />
        </>
      )}
    </Loaded>
  );
}

/** Disables all that a list has, each in its own account and environment; a repeat goes on with what is left. */
export function useDisableCreated({ path, without = [] }: CreatedResourcesProps): () => Promise<void> {
  const { readAll } = useData();
  const { account } = usePlace();
  return async () => {
    for (const { id, type, merchantId, environment } of await readAll<CreatedResource>(path)) {
      const data = createDataProvider({ merchantId: merchantId ?? account.merchantId, environment });
      if (!without.includes(type)) await DISABLE[type](data, id);
    }
  };
}

function change(data: DashboardData, resource: string, id: string, changes: object): Promise<unknown> {
  return data.update(resource, { id, data: changes, previousData: { id } });
}
