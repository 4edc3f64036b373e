import { DateTimeInput, SearchInput, SelectInput, TextInput } from 'react-admin';
import type { PaymentIntent } from '../../../sdk/server/generated/schemas.ts';
import { Id, Money, None, Status, Time } from '../parts/fields.tsx';
import { Method } from '../parts/method.tsx';
import { AmountFilterInput, CurrencyInput } from '../parts/inputs.tsx';
import { type Column, ResourceList } from '../parts/resource-list.tsx';
import { choicesOf, isoOf, PAYMENT_STATUSES } from '../core/words.ts';

const METADATA_HINT = 'Such as order=1042; several with & between them';

const RETRIED = [
  { id: 'true', name: 'In a confirm' },
  { id: 'false', name: 'Never' },
];

const FILTERS = [
  <SearchInput
    key="q"
    source="q"
    alwaysOn
    placeholder="ID, reference, last four, e-mail, amount"
    sx={{ minWidth: { xs: '100%', sm: 'min(25rem, 100%)' } }}
  />,
  <SelectInput key="status" source="status" label="Status" choices={choicesOf(PAYMENT_STATUSES)} alwaysOn />,
  <TextInput key="reference" source="reference" label="Reference" />,
  <TextInput key="last4" source="last4" label="Last four digits" />,
  <TextInput key="metadata" source="metadata" label="Metadata" helperText={METADATA_HINT} />,
  <TextInput key="customerId" source="customerId" label="Customer ID" />,
  <TextInput key="paymentLinkId" source="paymentLinkId" label="Payment link ID" />,
  <TextInput key="errorCode" source="errorCode" label="Error code" />,
  <SelectInput key="retried" source="retried" label="Tried again after a decline" choices={RETRIED} />,
  <CurrencyInput key="currency" source="currency" />,
  <AmountFilterInput key="amountMin" source="amountMin" label="Smallest amount" />,
  <AmountFilterInput key="amountMax" source="amountMax" label="Largest amount" />,
  <DateTimeInput key="createdFrom" source="createdFrom" label="Created from" parse={isoOf} />,
  <DateTimeInput key="createdBefore" source="createdBefore" label="Created before" parse={isoOf} />,
];

const COLUMNS: readonly Column<PaymentIntent>[] = [
  {
    label: 'Amount',
    align: 'right',
    onPhone: true,
    show: ({ amount, currency }) => <Money minor={amount} currency={currency} />,
  },
  { label: 'Status', onPhone: true, show: ({ status }) => <Status of={status} /> },
  { label: 'Payment', onPhone: true, show: ({ id }) => <Id id={id} /> },
  { label: 'Method', show: ({ paymentMethod }) => <Method method={paymentMethod} /> },
  { label: 'Reference', show: ({ reference }) => reference ?? <None /> },
  { label: 'Customer', show: ({ customerId }) => <Id id={customerId} /> },
  { label: 'Provider', show: ({ provider }) => <Id id={provider} link={false} /> },
  { label: 'Created', show: ({ createdAt }) => <Time at={createdAt} /> },
];

export function PaymentList() {
  return (
    <ResourceList<PaymentIntent>
      title="Payments"
      canExport
      columns={COLUMNS}
      filters={FILTERS}
      empty="No payments yet. The first one appears here as soon as your server creates a payment intent."
    />
  );
}
