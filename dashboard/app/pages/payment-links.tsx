import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import { BooleanInput, DateTimeInput, NumberInput, SelectInput, TextInput, useRefresh } from 'react-admin';
import { useWatch } from 'react-hook-form';
import { useNavigate } from 'react-router';
import type { PaymentIntent, PaymentLink } from '../../../sdk/server/generated/schemas.ts';
import { formatMoney, parseMoney } from '../core/money.ts';
import { pathOf, useMay, usePlace } from '../core/session.ts';
import { isoOf } from '../core/words.ts';
import { ActionButton } from '../parts/action-dialog.tsx';
import { Detail } from '../parts/detail.tsx';
import { CopyButton, Facts, Id, Maker, Metadata, Money, None, Status, Time } from '../parts/fields.tsx';
import { AmountInput, CurrencyInput } from '../parts/inputs.tsx';
import { QrCode } from '../parts/qr-code.tsx';
import { type Column, ResourceList } from '../parts/resource-list.tsx';
import { Loaded, Section } from '../parts/section.tsx';
import { useData, useRead } from '../parts/use-data.ts';
import { Method } from '../parts/method.tsx';

const RESOURCE = 'payment-links';
const SHOWN_PAYMENTS = 20;
const POLL_EVERY_MS = 5_000;

const FILTERS = [
  <SelectInput
    key="active"
    source="active"
    label="Active"
    choices={[
      { id: 'true', name: 'Active' },
      { id: 'false', name: 'Deactivated' },
    ]}
    alwaysOn
  />,
  <TextInput key="reference" source="reference" label="Reference" alwaysOn />,
  <DateTimeInput key="createdFrom" source="createdFrom" label="Created from" parse={isoOf} />,
  <DateTimeInput key="createdBefore" source="createdBefore" label="Created before" parse={isoOf} />,
];

const COLUMNS: readonly Column<PaymentLink>[] = [
  {
    label: 'Amount',
    align: 'right',
    onPhone: true,
    show: ({ amount, currency }) => <Money minor={amount} currency={currency} />,
  },
  { label: 'Status', onPhone: true, show: ({ status }) => <Status of={status} /> },
  { label: 'Link', onPhone: true, show: ({ id }) => <Id id={id} /> },
  { label: 'Description', onPhone: true, show: ({ description }) => description ?? <None /> },
  { label: 'Reference', show: ({ reference }) => reference ?? <None /> },
  { label: 'Paid', align: 'right', show: (link) => paidOf(link) },
  { label: 'Expires', show: ({ expiresAt }) => <Time at={expiresAt} /> },
  { label: 'Created', show: ({ createdAt }) => <Time at={createdAt} /> },
];

function paidOf({ paidPayments, maxPayments }: PaymentLink): string {
  return maxPayments === null ? paidPayments.toLocaleString() : `${paidPayments}\u00A0of\u00A0${maxPayments}`;
}

export function PaymentLinkList() {
  return (
    <ResourceList<PaymentLink>
      title="Payment links"
      columns={COLUMNS}
      filters={FILTERS}
      actions={<CreatePaymentLink />}
      empty="No payment links yet. Create one, and send its address or QR code to a customer."
    />
  );
}

function CreatePaymentLink() {
  const { act } = useData();
  const may = useMay('payment-links:write');
  const { account } = usePlace();
  const navigate = useNavigate();
  if (!may) return null;
  return (
    <ActionButton<PaymentLink>
      label="Create payment link"
      variant="contained"
      title="Create a payment link"
      explanation="Whoever has the link can pay. Amount and currency cannot be changed later."
      confirmLabel="Create"
      defaultValues={{ currency: 'EUR', isPaidOnce: true }}
      act={(values, key) => act(RESOURCE, bodyOf(values), key)}
      done="The payment link is created."
      onDone={({ id }) => void navigate(`${pathOf(account)}/${RESOURCE}/${id}/show`)}
    >
      <CurrencyInput source="currency" isRequired />
      <LinkAmount />
      <TextInput source="description" label="Description" helperText="Customers read it" slotProps={LONGEST} />
      <TextInput source="reference" label="Reference" helperText="Your own, such as an invoice number" />
      <BooleanInput source="isPaidOnce" label="Can be paid once" />
      <MostPayments />
      <DateTimeInput source="expiresAt" label="Expires" parse={isoOf} helperText="Empty: never" />
    </ActionButton>
  );
}

const LONGEST = { htmlInput: { maxLength: 500 } };

/** The amount in the currency that is chosen. */
function LinkAmount() {
  const currency: unknown = useWatch({ name: 'currency' });
  return <AmountInput source="amount" currency={typeof currency === 'string' ? currency : 'EUR'} />;
}

function MostPayments() {
  const isPaidOnce: unknown = useWatch({ name: 'isPaidOnce' });
  if (isPaidOnce === true) return null;
  return (
    <NumberInput
      source="maxPayments"
      label="Most payments"
      min={1}
      max={1_000_000}
      step={1}
      helperText="Empty: any number"
    />
  );
}

function bodyOf({
  amount,
  currency,
  description,
  reference,
  isPaidOnce,
  maxPayments,
  expiresAt,
}: Record<string, unknown>) {
  return {
    amount: parseMoney(String(amount), String(currency)),
    currency,
    maxPayments: isPaidOnce === true ? 1 : (maxPayments ?? null),
    ...(isText(description) ? { description } : {}),
    ...(isText(reference) ? { reference } : {}),
    ...(isText(expiresAt) ? { expiresAt } : {}),
  };
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

export function PaymentLinkPage() {
  return (
    <Detail<PaymentLink>
      title={({ amount, currency }) => `Payment link for ${formatMoney(amount, currency)}`}
      actions={(link) => <LinkActions link={link} />}
      poll={({ openPayments }) => (openPayments > 0 ? POLL_EVERY_MS : false)}
    >
      {(link) => (
        <>
          <Section title="For customers">
            <Address link={link} />
          </Section>
          <Section title="Payment link">
            <Facts
              rows={[
                ['ID', <Id key="id" id={link.id} link={false} whole />],
                ['Amount', <Money key="amount" minor={link.amount} currency={link.currency} />],
                ['Status', <Status key="status" of={link.status} />],
                ['Paid', paidOf(link)],
                ['Being paid', link.openPayments === 0 ? null : link.openPayments],
                ['Description', link.description],
                ['Reference', link.reference],
                ['Expires', <Time key="expires" at={link.expiresAt} precise />],
                ['Made by', <Maker key="maker" of={link.createdBy} />],
                ['Created', <Time key="created" at={link.createdAt} precise />],
              ]}
            />
          </Section>
          <LinkPayments link={link} />
          {Object.keys(link.metadata).length === 0 ? null : (
            <Section title="Metadata">
              <Metadata pairs={link.metadata} />
            </Section>
          )}
        </>
      )}
    </Detail>
  );
}

function Address({ link: { id, url, status } }: { readonly link: PaymentLink }) {
  if (url === null) {
    return (
      <Alert severity="warning">
        There is no address for customers: the operator has to set the public address of the API (API_PUBLIC_URL).
      </Alert>
    );
  }
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 3, alignItems: 'flex-start' }}>
      <QrCode text={url} label={`QR code of ${url}`} fileName={id} />
      <Box sx={{ flex: '1 1 16rem', minWidth: 0, display: 'grid', gap: 1.5 }}>
        <span style={{ overflowWrap: 'anywhere' }}>
          <Link href={url} target="_blank" rel="noreferrer">
            {url}
          </Link>
          <CopyButton text={url} label="Copy the address" />
        </span>
        {status === 'active' ? null : (
          <Alert severity="info">Customers who open it read that it cannot be paid any more.</Alert>
        )}
      </Box>
    </Box>
  );
}

function LinkActions({ link: { id, active, description } }: { readonly link: PaymentLink }) {
  const data = useData();
  const may = useMay('payment-links:write');
  const refresh = useRefresh();
  if (!may) return null;
  const update = (changes: object) => data.update(RESOURCE, { id, data: changes, previousData: { id } });
  return (
    <>
      <ActionButton
        label="Edit description"
        title="Edit the description"
        explanation="Customers read it. Payments that have begun keep the old one."
        confirmLabel="Save"
        defaultValues={{ description }}
        act={({ description: text }) => update({ description: isText(text) ? text : null })}
        done="The description is changed."
        onDone={() => refresh()}
      >
        <TextInput source="description" label="Description" fullWidth multiline slotProps={LONGEST} />
      </ActionButton>
      {active ? (
        <ActionButton
          label="Deactivate"
          title="Deactivate this payment link?"
          explanation="Nobody can begin to pay. A payment that has begun can still be completed within 30 minutes."
          isDangerous
          act={() => update({ active: false })}
          done="The payment link is deactivated."
          onDone={() => refresh()}
        />
      ) : (
        <ActionButton
          label="Activate"
          title="Activate this payment link?"
          explanation="Whoever has the link can pay again, unless it has expired or is used up."
          act={() => update({ active: true })}
          done="The payment link is active."
          onDone={() => refresh()}
        />
      )}
    </>
  );
}

function LinkPayments({ link: { id } }: { readonly link: PaymentLink }) {
  const payments = useRead<readonly PaymentIntent[]>('payment-intents', {
    query: { paymentLinkId: id, limit: SHOWN_PAYMENTS },
    poll: () => POLL_EVERY_MS,
  });
  return (
    <Section title="Payments">
      <Loaded query={payments} empty="No payment of this link is kept.">
        {(found) => (
          <>
            {found.map((payment) => (
              <LinkPayment key={payment.id} payment={payment} />
            ))}
          </>
        )}
      </Loaded>
    </Section>
  );
}

function LinkPayment({ payment: { id, status, paymentMethod, createdAt } }: { readonly payment: PaymentIntent }) {
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: '0.4rem 1.25rem', alignItems: 'center', py: 0.75 }}>
      <Status of={status} />
      <Id id={id} />
      <Method method={paymentMethod} />
      <Time at={createdAt} />
    </Box>
  );
}
