import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import { DateTimeInput, SelectInput, TextInput, useGetRecordId } from 'react-admin';
import type { Refund } from '../../../sdk/server/generated/schemas.ts';
import { formatMoney } from '../core/money.ts';
import { choicesOf, inWords, isoOf } from '../core/words.ts';
import { EventsOf, useEvents } from '../parts/deliveries.tsx';
import { Detail } from '../parts/detail.tsx';
import { Code, Facts, Id, Metadata, Money, None, Status, Time } from '../parts/fields.tsx';
import { type Column, ResourceList } from '../parts/resource-list.tsx';
import { Section } from '../parts/section.tsx';
import { useReadAgain } from '../parts/use-data.ts';

const POLL_EVERY_MS = 3_000;

const FILTERS = [
  <SelectInput
    key="status"
    source="status"
    label="Status"
    choices={choicesOf(['pending', 'succeeded', 'failed'])}
    alwaysOn
  />,
  <TextInput key="reference" source="reference" label="Reference" alwaysOn />,
  <TextInput key="paymentIntentId" source="paymentIntentId" label="Payment ID" />,
  <TextInput key="metadata" source="metadata" label="Metadata" helperText="Such as reason=damaged" />,
  <DateTimeInput key="createdFrom" source="createdFrom" label="Created from" parse={isoOf} />,
  <DateTimeInput key="createdBefore" source="createdBefore" label="Created before" parse={isoOf} />,
];

const COLUMNS: readonly Column<Refund>[] = [
  {
    label: 'Amount',
    align: 'right',
    onPhone: true,
    show: ({ amount, currency }) => <Money minor={amount} currency={currency} />,
  },
  { label: 'Status', onPhone: true, show: ({ status }) => <Status of={status} /> },
  { label: 'Refund', onPhone: true, show: ({ id }) => <Id id={id} /> },
  { label: 'Payment', show: ({ paymentIntentId }) => <Id id={paymentIntentId} /> },
  { label: 'Reason', show: ({ reason }) => (reason === null ? <None /> : inWords(reason)) },
  { label: 'Reference', show: ({ reference }) => reference ?? <None /> },
  { label: 'Created', show: ({ createdAt }) => <Time at={createdAt} /> },
];

export function RefundList() {
  return (
    <ResourceList<Refund>
      title="Refunds"
      canExport
      columns={COLUMNS}
      filters={FILTERS}
      empty="No refunds yet. Open a payment to refund it."
    />
  );
}

export function RefundPage() {
  // They are read beside the refund, not after it.
  useEvents(String(useGetRecordId()));
  return (
    <Detail<Refund>
      title={({ amount, currency }) => `Refund of ${formatMoney(amount, currency)}`}
      poll={({ status }) => (status === 'pending' ? POLL_EVERY_MS : false)}
    >
      {(refund) => <RefundSections refund={refund} />}
    </Detail>
  );
}

function RefundSections({ refund }: { readonly refund: Refund }) {
  useReadAgain(refund.status);
  return (
    <>
      <Section
        title="Refund"
        actions={
          refund.workflowUrl === undefined ? null : (
            <Button size="small" href={refund.workflowUrl} target="_blank" rel="noreferrer">
              Workflow in the Temporal UI
            </Button>
          )
        }
      >
        {refund.failure === null ? null : (
          <Alert severity="error" sx={{ mb: 2 }}>
            {refund.failure.message} <Code>{refund.failure.code}</Code>
          </Alert>
        )}
        <Facts
          rows={[
            ['ID', <Id key="id" id={refund.id} link={false} whole />],
            ['Amount', <Money key="amount" minor={refund.amount} currency={refund.currency} />],
            ['Status', <Status key="status" of={refund.status} />],
            ['Payment', <Id key="payment" id={refund.paymentIntentId} whole />],
            ['Capture', <Id key="capture" id={refund.transactionId} whole />],
            ['Reason', refund.reason === null ? null : inWords(refund.reason)],
            ['Reference', refund.reference],
            ['Provider', refund.provider],
            ['Created', <Time key="created" at={refund.createdAt} precise />],
            ['Last change', <Time key="updated" at={refund.updatedAt} precise />],
            ['Metadata', <Metadata key="metadata" pairs={refund.metadata} />],
          ]}
        />
      </Section>
      <EventsOf resourceId={refund.id} />
    </>
  );
}
