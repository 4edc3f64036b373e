import type { ReactNode } from 'react';
import { DeleteWithConfirmButton, DateTimeInput, TextInput } from 'react-admin';
import type { Customer, PaymentIntent, SavedPaymentMethod } from '../../../sdk/server/generated/schemas.ts';
import { useMay } from '../core/session.ts';
import { isoOf } from '../core/words.ts';
import { ActionButton } from '../parts/action-dialog.tsx';
import { Detail } from '../parts/detail.tsx';
import { Facts, Id, Metadata, Money, None, Status, Time } from '../parts/fields.tsx';
import { CreateForm, EditForm, pick } from '../parts/forms.tsx';
import { CountryInput } from '../parts/inputs.tsx';
import { Method } from '../parts/method.tsx';
import { PlainTable } from '../parts/plain-table.tsx';
import { type Column, ResourceList } from '../parts/resource-list.tsx';
import { Loaded, Section } from '../parts/section.tsx';
import { useData, useRead } from '../parts/use-data.ts';

const FILTERS = [
  <TextInput key="email" source="email" label="E-mail" alwaysOn />,
  <TextInput key="reference" source="reference" label="Reference" alwaysOn />,
  <DateTimeInput key="createdFrom" source="createdFrom" label="Created from" parse={isoOf} />,
  <DateTimeInput key="createdBefore" source="createdBefore" label="Created before" parse={isoOf} />,
];

const COLUMNS: readonly Column<Customer>[] = [
  { label: 'Name', onPhone: true, show: ({ name }) => name ?? <None /> },
  { label: 'E-mail', show: ({ email }) => email ?? <None /> },
  { label: 'Customer', onPhone: true, show: ({ id }) => <Id id={id} /> },
  { label: 'Reference', show: ({ reference }) => reference ?? <None /> },
  { label: 'Country', show: ({ country }) => country ?? <None /> },
  { label: 'Created', show: ({ createdAt }) => <Time at={createdAt} /> },
];

const FIELD_NAMES = ['name', 'email', 'phone', 'country', 'reference', 'description'];

export function CustomerList() {
  return (
    <ResourceList<Customer>
      title="Customers"
      canExport
      columns={COLUMNS}
      filters={FILTERS}
      createLabel="Create customer"
      empty="No customers yet. Create one here, or by the API."
    />
  );
}

export function CustomerPage() {
  const mayWrite = useMay('customers:write');
  return (
    <Detail<Customer>
      title={({ name, id }) => name ?? id}
      canEdit
      actions={() =>
        mayWrite ? (
          <DeleteWithConfirmButton
            mutationMode="pessimistic"
            confirmTitle="Delete this customer?"
            confirmContent="Payments that have ended keep the customer's ID. This cannot be taken back."
          />
        ) : null
      }
    >
      {(customer) => (
        <>
          <Section title="Customer">
            <Facts
              rows={[
                ['ID', <Id key="id" id={customer.id} link={false} whole />],
                ['Name', customer.name],
                ['E-mail', customer.email],
                ['Phone', customer.phone],
                ['Country', customer.country],
                ['Reference', customer.reference],
                ['Description', customer.description],
                ['Created', <Time key="created" at={customer.createdAt} precise />],
                ['Last change', <Time key="updated" at={customer.updatedAt} precise />],
                ['Metadata', <Metadata key="metadata" pairs={customer.metadata} />],
              ]}
            />
          </Section>
          <SavedCards customerId={customer.id} />
          <Payments customerId={customer.id} />
        </>
      )}
    </Detail>
  );
}

function SavedCards({ customerId }: { readonly customerId: string }) {
  const may = useMay('payment-methods:read');
  const query = useRead<readonly SavedPaymentMethod[]>('payment-methods', {
    query: { customerId, limit: 50 },
    enabled: may,
  });
  if (!may) return null;
  return (
    <Section title="Saved cards">
      <Loaded query={query} empty={NO_CARDS}>
        {(methods) => (
          <PlainTable
            rows={methods}
            keyOf={({ id }) => id}
            columns={[
              ...CARD_COLUMNS,
              ['Action', (method) => <RemoveCard method={method} onRemoved={() => void query.refetch()} />],
            ]}
            empty={NO_CARDS}
          />
        )}
      </Loaded>
    </Section>
  );
}

const USAGES: Readonly<Record<SavedPaymentMethod['usage'], string>> = {
  on_session: 'with the customer',
  off_session: 'also without the customer',
};

const NO_CARDS = 'No saved cards. A payment saves one if it has setupFutureUsage and the customer agrees.';

const CARD_COLUMNS: readonly (readonly [string, (method: SavedPaymentMethod) => ReactNode])[] = [
  [
    'Card',
    ({ paymentMethod, isDefault }) => (
      <>
        <Method method={paymentMethod} /> {isDefault ? '(default)' : null}
      </>
    ),
  ],
  ['Expires', ({ paymentMethod: card }) => `${String(card.expiryMonth).padStart(2, '0')}/${card.expiryYear}`],
  ['Status', ({ status }) => <Status of={status} />],
  ['May be charged', ({ usage }) => USAGES[usage]],
  ['Tokens at', ({ credentials }) => tokensOf(credentials)],
  ['Last used', ({ lastUsedAt }) => <Time at={lastUsedAt} />],
];

function tokensOf(credentials: SavedPaymentMethod['credentials']): ReactNode {
  const tokens = credentials.flatMap(({ provider, status }) =>
    provider === null ? [] : [status === 'active' ? provider : `${provider} (${status})`],
  );
  return tokens.length === 0 ? <None /> : tokens.join(', ');
}

function RemoveCard({ method, onRemoved }: { readonly method: SavedPaymentMethod; readonly onRemoved: () => void }) {
  const data = useData();
  const may = useMay('payment-methods:write');
  if (!may || method.status === 'detached') return null;
  return (
    <ActionButton
      label="Remove"
      variant="text"
      isDangerous
      title="Remove this saved card?"
      explanation="Its number is erased, and nobody can charge it any more. The providers are told to remove it too. This cannot be taken back."
      confirmLabel="Remove the card"
      act={() => data.delete('payment-methods', { id: method.id })}
      done="The card is removed."
      onDone={onRemoved}
    />
  );
}

function Payments({ customerId }: { readonly customerId: string }) {
  const query = useRead<readonly PaymentIntent[]>('payment-intents', { query: { customerId, limit: 20 } });
  return (
    <Section title="Latest payments">
      <Loaded query={query} empty="No payments yet.">
        {(payments) => (
          <ul style={{ listStyle: 'none', margin: 0, padding: 0 }}>
            {payments.map(({ id, amount, currency, status, createdAt }) => (
              <li key={id} style={{ display: 'flex', flexWrap: 'wrap', gap: '0.75rem', padding: '0.25rem 0' }}>
                <Money minor={amount} currency={currency} />
                <Status of={status} />
                <Id id={id} />
                <Time at={createdAt} />
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </Section>
  );
}

const INPUTS = (
  <>
    <TextInput source="name" label="Name" />
    <TextInput source="email" label="E-mail" slotProps={{ htmlInput: { inputMode: 'email' } }} />
    <TextInput source="phone" label="Phone" />
    <CountryInput source="country" />
    <TextInput source="reference" label="Reference" helperText="Your own identifier of the customer" />
    <TextInput source="description" label="Description" multiline />
  </>
);

export function CustomerCreate() {
  return <CreateForm title="New customer">{INPUTS}</CreateForm>;
}

export function CustomerEdit() {
  return (
    <EditForm title="Edit customer" toBody={(values) => pick(values, FIELD_NAMES)}>
      {INPUTS}
    </EditForm>
  );
}
