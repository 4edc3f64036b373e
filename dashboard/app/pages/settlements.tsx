import Alert from '@mui/material/Alert';
import type { ReactNode } from 'react';
import { DateInput, SelectInput, TextInput, useRefresh } from 'react-admin';
import type { Settlement, SettlementEntry } from '../../../sdk/server/generated/schemas.ts';
import { decimalOf, formatMoney, parseMoney } from '../core/money.ts';
import { LARGEST_PAGE } from '../core/request.ts';
import { useMay } from '../core/session.ts';
import { choicesOf, inWords } from '../core/words.ts';
import { ActionButton } from '../parts/action-dialog.tsx';
import { EventsOf } from '../parts/deliveries.tsx';
import { Detail } from '../parts/detail.tsx';
import { Code, Facts, Id, Money, None, Status, Time } from '../parts/fields.tsx';
import { AmountInput, CurrencyInput } from '../parts/inputs.tsx';
import { Newest } from '../parts/newest.tsx';
import { PlainTable } from '../parts/plain-table.tsx';
import { type Column, ResourceList } from '../parts/resource-list.tsx';
import { Loaded, Section } from '../parts/section.tsx';
import { useData, useRead } from '../parts/use-data.ts';

const STATUSES = ['open', 'paid', 'failed', 'returned'] as const satisfies readonly Settlement['status'][];

const FILTERS = [
  <SelectInput key="status" source="status" label="Status" choices={choicesOf(STATUSES)} alwaysOn />,
  <CurrencyInput key="currency" source="currency" />,
  <TextInput key="provider" source="provider" label="Provider" />,
];

const COLUMNS: readonly Column<Settlement>[] = [
  {
    label: 'Net',
    align: 'right',
    onPhone: true,
    show: ({ netAmount, currency }) => <Money minor={netAmount} currency={currency} />,
  },
  { label: 'Status', onPhone: true, show: ({ status }) => <Status of={status} /> },
  { label: 'Exceptions', align: 'right', show: ({ entries }) => entries.exceptions.toLocaleString() },
  { label: 'Fees', align: 'right', show: (settlement) => <Money {...costsOf(settlement)} /> },
  { label: 'Settlement', onPhone: true, show: ({ id }) => <Id id={id} /> },
  { label: 'Provider', show: ({ provider }) => <Id id={provider} link={false} /> },
  { label: 'Arrives', show: ({ arrivalDate }) => arrivalDate ?? <None /> },
];

function costsOf({ feeAmount, taxAmount, currency }: Settlement) {
  return { minor: feeAmount + taxAmount, currency };
}

export function SettlementList() {
  return (
    <ResourceList<Settlement>
      title="Settlements"
      canExport
      canSaveViews={false}
      columns={COLUMNS}
      filters={FILTERS}
      empty="No settlements yet. Once a day the engine asks each provider that can list them for what it has paid to the bank."
    />
  );
}

export function SettlementPage() {
  return (
    <Detail<Settlement> title={({ netAmount, currency }) => `Settlement of ${formatMoney(netAmount, currency)}`}>
      {(settlement) => <SettlementSections settlement={settlement} />}
    </Detail>
  );
}

interface SettlementProps {
  readonly settlement: Settlement;
}

function SettlementSections({ settlement }: SettlementProps) {
  return (
    <>
      <Section title="From gross to the bank" actions={<ConfirmAtBank settlement={settlement} />}>
        <Notices settlement={settlement} />
        <Facts rows={bridgeOf(settlement)} />
      </Section>
      <Entries settlement={settlement} />
      <Section title="Settlement">
        <Facts
          rows={[
            ['ID', <Id key="id" id={settlement.id} link={false} whole />],
            ['Status', <Status key="status" of={settlement.status} />],
            ['Provider', settlement.provider],
            [
              "Provider's ID",
              <Code key="reference" wrap>
                {settlement.providerReference}
              </Code>,
            ],
            ['Arrives', settlement.arrivalDate],
            ['On the bank statement', settlement.bankReference],
            ['Known from', inWords(settlement.source)],
            ['Paid', <Time key="settled" at={settlement.settledAt} precise />],
            ['First seen', <Time key="created" at={settlement.createdAt} precise />],
            ['Last change', <Time key="updated" at={settlement.updatedAt} precise />],
          ]}
        />
      </Section>
      <EventsOf resourceId={settlement.id} />
    </>
  );
}

/** Each part of the net amount, in the order in which it comes about. */
function bridgeOf(settlement: Settlement) {
  const { currency, bank } = settlement;
  const parts: readonly (readonly [name: string, minor: number])[] = [
    ['Payments', settlement.grossAmount],
    ['Fees', -settlement.feeAmount],
    ['Taxes on fees', -settlement.taxAmount],
    ['Refunds', settlement.refundAmount],
    ['Disputes', settlement.disputeAmount],
    ['Other', settlement.otherAmount],
    ['Unexplained', settlement.unexplainedAmount],
    ['Net', settlement.netAmount],
  ];
  const atBank =
    bank === null ? <None key="bank" /> : <Money key="bank" minor={bank.amount} currency={bank.currency} />;
  return [
    ...parts.map(([name, minor]) => [name, <Money key={name} minor={minor} currency={currency} />] as const),
    ['At the bank', atBank] as const,
    ...(bank === null ? [] : [['Value date', bank.valueDate] as const]),
  ];
}

/** What somebody has to look at. */
function Notices({ settlement }: SettlementProps) {
  const { currency, unexplainedAmount, netAmount, bank, entries } = settlement;
  const differs = bank !== null && (bank.amount !== netAmount || bank.currency !== currency);
  return (
    <>
      {unexplainedAmount === 0 ? null : (
        <Alert severity="warning" sx={{ mb: 2 }}>
          No line explains <Money minor={unexplainedAmount} currency={currency} /> of the net amount.
        </Alert>
      )}
      {entries.exceptions === 0 ? null : (
        <Alert severity="warning" sx={{ mb: 2 }}>
          {entries.exceptions.toLocaleString()} of {entries.total.toLocaleString()} lines do not agree with the
          payments.
        </Alert>
      )}
      {differs ? (
        <Alert severity="error" sx={{ mb: 2 }}>
          The bank statement has another amount than the provider says.
        </Alert>
      ) : null}
    </>
  );
}

function ConfirmAtBank({ settlement: { id, netAmount, currency, bank, arrivalDate, bankReference } }: SettlementProps) {
  const { act } = useData();
  const refresh = useRefresh();
  const isNegative = netAmount < 0;
  const fromText = (text: unknown): number => (parseMoney(String(text), currency) ?? 0) * (isNegative ? -1 : 1);
  if (!useMay('settlements:write') || bank !== null) return null;
  return (
    <ActionButton
      label="Confirm at the bank"
      title="What the bank statement says"
      explanation={`Write what the bank statement says of this settlement. It can be said once, and changes no money.${
        isNegative ? ' The bank has taken the amount.' : ''
      }`}
      defaultValues={{
        amount: decimalOf(Math.abs(netAmount), currency),
        valueDate: arrivalDate ?? '',
        reference: bankReference ?? '',
      }}
      act={({ amount, valueDate, reference }, key) =>
        act(
          `settlements/${id}/bank-confirmation`,
          {
            amount: fromText(amount),
            currency,
            valueDate,
            ...(typeof reference === 'string' && reference !== '' ? { reference } : {}),
          },
          key,
        )
      }
      done="Recorded."
      onDone={refresh}
    >
      <AmountInput source="amount" currency={currency} />
      <DateInput source="valueDate" label="Value date" required />
      <TextInput source="reference" label="Reference" />
    </ActionButton>
  );
}

const ENTRY_FACTS: readonly (readonly [label: string, show: (entry: SettlementEntry) => ReactNode])[] = [
  ['Type', ({ type }) => <Status of={type} />],
  ['Match', ({ match }) => <Status of={match} />],
  ['Amount', ({ amount, currency }) => <Money minor={amount} currency={currency} />],
  ['Fee', ({ fee, currency }) => (fee === null ? <None /> : <Money minor={fee} currency={currency} />)],
  ['Net', ({ net, currency }) => (net === null ? <None /> : <Money minor={net} currency={currency} />)],
  ['Entry', ({ id }) => <Id id={id} />],
  ['Payment', ({ paymentIntentId }) => <Id id={paymentIntentId} />],
];

/** The newest entries of a settlement. */
function Entries({ settlement: { id: settlementId } }: SettlementProps) {
  const query = useRead<readonly SettlementEntry[]>('settlement-entries', {
    query: { settlementId, limit: LARGEST_PAGE },
  });
  return (
    <Section title="Entries">
      <Loaded query={query}>
        {(entries) => (
          <>
            <PlainTable
              rows={entries}
              keyOf={({ id }) => id}
              columns={ENTRY_FACTS}
              empty="The provider does not itemise this settlement."
            />
            <Newest resource="settlement-entries" filter={{ settlementId }} count={entries.length} />
          </>
        )}
      </Loaded>
    </Section>
  );
}
