import { SelectInput, TextInput, useRefresh } from 'react-admin';
import type { SettlementEntry } from '../../../sdk/server/generated/schemas.ts';
import { formatMoney } from '../core/money.ts';
import { useMay } from '../core/session.ts';
import { choicesOf, inWords, nameOf } from '../core/words.ts';
import { ActionButton } from '../parts/action-dialog.tsx';
import { EventsOf } from '../parts/deliveries.tsx';
import { Detail } from '../parts/detail.tsx';
import { Code, Facts, Id, Money, None, Status, Time } from '../parts/fields.tsx';
import { type Column, ResourceList } from '../parts/resource-list.tsx';
import { Section } from '../parts/section.tsx';
import { useData } from '../parts/use-data.ts';

const MATCHES = [
  'matched',
  'expected',
  'missing',
  'unknown',
  'amount_differs',
  'currency_differs',
  'duplicate',
] as const satisfies readonly SettlementEntry['match'][];
const TYPES = [
  'payment',
  'refund',
  'chargeback',
  'chargeback_reversal',
  'fee',
  'adjustment',
  'reserve',
  'fx',
  'transfer',
  'other',
] as const satisfies readonly SettlementEntry['type'][];
const RESOLUTIONS = ['accepted', 'written_off'] as const satisfies readonly NonNullable<
  SettlementEntry['resolution']
>[];

const FILTERS = [
  <SelectInput key="match" source="match" label="Match" choices={choicesOf(MATCHES)} alwaysOn />,
  <SelectInput key="type" source="type" label="Type" choices={choicesOf(TYPES)} alwaysOn />,
  <TextInput key="settlementId" source="settlementId" label="Settlement ID" />,
  <TextInput key="transactionId" source="transactionId" label="Transaction ID" />,
];

const COLUMNS: readonly Column<SettlementEntry>[] = [
  {
    label: 'Amount',
    align: 'right',
    onPhone: true,
    show: ({ amount, currency }) => <Money minor={amount} currency={currency} />,
  },
  { label: 'Match', onPhone: true, show: ({ match }) => <Status of={match} /> },
  { label: 'Type', show: ({ type }) => <Status of={type} /> },
  {
    label: 'Fee',
    align: 'right',
    show: ({ fee, currency }) => (fee === null ? <None /> : <Money minor={fee} currency={currency} />),
  },
  { label: 'Entry', onPhone: true, show: ({ id }) => <Id id={id} /> },
  { label: 'Settlement', show: ({ settlementId }) => <Id id={settlementId} /> },
  { label: 'Payment', show: ({ paymentIntentId }) => <Id id={paymentIntentId} /> },
  {
    label: 'Resolution',
    show: ({ resolution }) => (resolution === null ? <None /> : <Status of={resolution} />),
  },
  { label: 'Happened', show: ({ occurredAt }) => <Time at={occurredAt} /> },
];

export function SettlementEntryList() {
  return (
    <ResourceList<SettlementEntry>
      title="Settlement entries"
      canExport
      canSaveViews={false}
      columns={COLUMNS}
      filters={FILTERS}
      empty="No entries yet: no provider has listed a settlement."
    />
  );
}

export function SettlementEntryPage() {
  return (
    <Detail<SettlementEntry>
      title={({ type, amount, currency }) => `${nameOf(type)} of ${formatMoney(amount, currency)}`}
    >
      {(entry) => <EntrySections entry={entry} />}
    </Detail>
  );
}

interface EntryProps {
  readonly entry: SettlementEntry;
}

function EntrySections({ entry }: EntryProps) {
  const { currency } = entry;
  const money = (minor: number | null) => (minor === null ? null : <Money minor={minor} currency={currency} />);
  return (
    <>
      {entry.details === null ? null : (
        <Section title="What differs" actions={<Resolve entry={entry} />}>
          <Facts
            rows={[
              ['Match', <Status key="match" of={entry.match} />],
              ['Here', <Side key="ours" side={entry.details.ours} />],
              ['At the provider', <Side key="theirs" side={entry.details.theirs} />],
              ['Wrong in the line', entry.details.differs === undefined ? null : inWords(entry.details.differs)],
              ['Settled by', entry.details.settledBy ?? null],
              ['Resolution', entry.resolution === null ? null : <Status key="resolution" of={entry.resolution} />],
              ['Note', entry.note],
              ['Resolved', <Time key="resolved" at={entry.resolvedAt} precise />],
            ]}
          />
        </Section>
      )}
      <Section title="Entry">
        <Facts
          rows={[
            ['ID', <Id key="id" id={entry.id} link={false} whole />],
            ['Type', <Status key="type" of={entry.type} />],
            ['Match', <Status key="match" of={entry.match} />],
            ['Amount', money(entry.amount)],
            ['Fee', money(entry.fee)],
            ...entry.feeDetails.map(
              ({ type, amount }, place) =>
                [`— ${inWords(type)}`, <Money key={`${place}`} minor={amount} currency={currency} />] as const,
            ),
            ['Net', money(entry.net)],
            [
              'Of the payment',
              entry.originalAmount === null || entry.originalCurrency === null ? null : (
                <Money key="original" minor={entry.originalAmount} currency={entry.originalCurrency} />
              ),
            ],
            ['Exchange rate', entry.exchangeRate],
            ['Settlement', <Id key="settlement" id={entry.settlementId} whole />],
            ['Transaction', <Id key="transaction" id={entry.transactionId} whole />],
            ['Payment', <Id key="payment" id={entry.paymentIntentId} whole />],
            ['Refund', <Id key="refund" id={entry.refundId} whole />],
            ['Dispute', <Id key="dispute" id={entry.disputeId} whole />],
            ['Provider', entry.provider],
            ["Provider's type", entry.providerType],
            [
              "Provider's ID",
              entry.providerReference === null ? null : (
                <Code key="reference" wrap>
                  {entry.providerReference}
                </Code>
              ),
            ],
            ['Happened', <Time key="occurred" at={entry.occurredAt} precise />],
            ['Available', entry.availableOn],
          ]}
        />
      </Section>
      <EventsOf resourceId={entry.id} />
    </>
  );
}

function Side({ side }: { readonly side: NonNullable<SettlementEntry['details']>['ours'] }) {
  return side === null ? <None /> : <Money minor={side.amount} currency={side.currency} />;
}

/** Ends the exception, or opens it again. */
function Resolve({ entry }: EntryProps) {
  const data = useData();
  const refresh = useRefresh();
  if (!useMay('settlements:write')) return null;
  const change = (resolution: unknown, note: unknown) =>
    data.update('settlement-entries', {
      id: entry.id,
      data: { resolution, ...(typeof note === 'string' && note !== '' ? { note } : {}) },
      previousData: entry,
    });
  if (entry.resolution !== null)
    return (
      <ActionButton
        label="Open again"
        title="Open this exception again"
        explanation="It counts as an exception of its settlement again."
        act={() => change(null, entry.note)}
        done="It is open again."
        onDone={refresh}
      />
    );
  return (
    <ActionButton
      label="Resolve"
      title="End this exception"
      explanation="It no longer counts as an exception. No money is changed; the audit log has who did it."
      defaultValues={{ resolution: 'accepted' }}
      act={({ resolution, note }) => change(resolution, note)}
      done="Resolved."
      onDone={refresh}
    >
      <SelectInput source="resolution" label="Resolution" choices={choicesOf(RESOLUTIONS)} required />
      <TextInput source="note" label="Note" multiline />
    </ActionButton>
  );
}
