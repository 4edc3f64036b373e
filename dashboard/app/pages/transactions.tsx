import { DateTimeInput, SelectInput, TextInput } from 'react-admin';
import type { Transaction } from '../../../sdk/server/generated/schemas.ts';
import { formatMoney } from '../core/money.ts';
import { choicesOf, isoOf, nameOf } from '../core/words.ts';
import { Detail } from '../parts/detail.tsx';
import { Code, Facts, Id, Money, Status, Time } from '../parts/fields.tsx';
import { type Column, ResourceList } from '../parts/resource-list.tsx';
import { Section } from '../parts/section.tsx';

const TYPES = [
  'authorization',
  'capture',
  'void',
  'refund',
  'capture_reversal',
  'chargeback',
  'chargeback_reversal',
] as const;

const FILTERS = [
  <SelectInput key="type" source="type" label="Type" choices={choicesOf(TYPES)} alwaysOn />,
  <TextInput key="paymentIntentId" source="paymentIntentId" label="Payment ID" alwaysOn />,
  <DateTimeInput key="createdFrom" source="createdFrom" label="Created from" parse={isoOf} />,
  <DateTimeInput key="createdBefore" source="createdBefore" label="Created before" parse={isoOf} />,
];

const COLUMNS: readonly Column<Transaction>[] = [
  {
    label: 'Amount',
    align: 'right',
    onPhone: true,
    show: ({ amount, currency }) => <Money minor={amount} currency={currency} />,
  },
  { label: 'Type', onPhone: true, show: ({ type }) => <Status of={type} /> },
  { label: 'Transaction', onPhone: true, show: ({ id }) => <Id id={id} /> },
  { label: 'Payment', show: ({ paymentIntentId }) => <Id id={paymentIntentId} /> },
  { label: 'Provider', show: ({ provider }) => <Id id={provider} link={false} /> },
  { label: "Provider's ID", show: ({ providerReference }) => <Id id={providerReference} link={false} /> },
  { label: 'Created', show: ({ createdAt }) => <Time at={createdAt} /> },
];

export function TransactionList() {
  return (
    <ResourceList<Transaction>
      title="Transactions"
      canExport
      columns={COLUMNS}
      filters={FILTERS}
      empty="No transactions yet: no provider has held, taken or returned money."
    />
  );
}

/** What the provider has kept, and in which settlement the rest is. */
function settlementRows({ fee, net, settlementCurrency, settlementId, settledAt }: Transaction) {
  if (settlementId === null || settlementCurrency === null || fee === null || net === null) return [];
  return [
    ['Fee', <Money key="fee" minor={fee} currency={settlementCurrency} />] as const,
    ['Net', <Money key="net" minor={net} currency={settlementCurrency} />] as const,
    ['Settlement', <Id key="settlement" id={settlementId} whole />] as const,
    ['Settled', <Time key="settled" at={settledAt} precise />] as const,
  ];
}

export function TransactionPage() {
  return (
    <Detail<Transaction> title={({ type, amount, currency }) => `${nameOf(type)} of ${formatMoney(amount, currency)}`}>
      {(transaction) => (
        <Section title="Transaction">
          <Facts
            rows={[
              ['ID', <Id key="id" id={transaction.id} link={false} whole />],
              ['Type', <Status key="type" of={transaction.type} />],
              ['Amount', <Money key="amount" minor={transaction.amount} currency={transaction.currency} />],
              ...(['amountRefunded', 'amountRefundable'] as const).flatMap((name) => {
                const minor = transaction[name];
                const label = name === 'amountRefunded' ? 'Refunded' : 'Refundable';
                return minor === undefined
                  ? []
                  : [[label, <Money key={name} minor={minor} currency={transaction.currency} />] as const];
              }),
              ...settlementRows(transaction),
              ['Payment', <Id key="payment" id={transaction.paymentIntentId} whole />],
              ['Refund', <Id key="refund" id={transaction.refundId} whole />],
              ['Attempt', <Id key="attempt" id={transaction.attemptId} link={false} whole />],
              ['Provider', transaction.provider],
              [
                "Provider's ID",
                <Code key="reference" wrap>
                  {transaction.providerReference}
                </Code>,
              ],
              ['Created', <Time key="created" at={transaction.createdAt} precise />],
            ]}
          />
        </Section>
      )}
    </Detail>
  );
}
