import Alert from '@mui/material/Alert';
import { DateTimeInput, SelectInput, TextInput } from 'react-admin';
import type { Dispute } from '../../../sdk/server/generated/schemas.ts';
import { formatMoney } from '../core/money.ts';
import { choicesOf, inWords, isoOf, nameOf } from '../core/words.ts';
import { EventsOf } from '../parts/deliveries.tsx';
import { Detail } from '../parts/detail.tsx';
import { Code, Facts, Id, Money, None, Status, Time } from '../parts/fields.tsx';
import { type Column, ResourceList } from '../parts/resource-list.tsx';
import { Section } from '../parts/section.tsx';

const POLL_EVERY_MS = 30_000;

const STATUSES = [
  'needs_response',
  'under_review',
  'won',
  'lost',
  'closed',
] as const satisfies readonly Dispute['status'][];
const STAGES = [
  'inquiry',
  'chargeback',
  'pre_arbitration',
  'arbitration',
] as const satisfies readonly Dispute['stage'][];
const REASONS = [
  'fraudulent',
  'unrecognized',
  'duplicate',
  'product_not_received',
  'product_unacceptable',
  'credit_not_processed',
  'subscription_canceled',
  'amount_differs',
  'authorization',
  'processing_error',
  'general',
] as const satisfies readonly Dispute['reason'][];

const FILTERS = [
  <SelectInput key="status" source="status" label="Status" choices={choicesOf(STATUSES)} alwaysOn />,
  <SelectInput key="stage" source="stage" label="Stage" choices={choicesOf(STAGES)} alwaysOn />,
  <SelectInput key="reason" source="reason" label="Reason" choices={choicesOf(REASONS, inWords)} />,
  <TextInput key="paymentIntentId" source="paymentIntentId" label="Payment ID" />,
  <DateTimeInput key="createdFrom" source="createdFrom" label="Created from" parse={isoOf} />,
  <DateTimeInput key="createdBefore" source="createdBefore" label="Created before" parse={isoOf} />,
];

const COLUMNS: readonly Column<Dispute>[] = [
  { label: 'Amount', align: 'right', onPhone: true, show: (dispute) => <Disputed dispute={dispute} /> },
  { label: 'Status', onPhone: true, show: ({ status }) => <Status of={status} /> },
  { label: 'Answer within', show: (dispute) => <AnswerBy dispute={dispute} /> },
  { label: 'Stage', show: ({ stage }) => <Status of={stage} /> },
  { label: 'Reason', show: ({ reason }) => inWords(reason) },
  { label: 'Dispute', onPhone: true, show: ({ id }) => <Id id={id} /> },
  { label: 'Payment', show: ({ paymentIntentId }) => <Id id={paymentIntentId} /> },
  { label: 'Created', show: ({ createdAt }) => <Time at={createdAt} /> },
];

interface DisputeProps {
  readonly dispute: Dispute;
}

function Disputed({ dispute: { amount, currency } }: DisputeProps) {
  return amount === null || currency === null ? <None /> : <Money minor={amount} currency={currency} />;
}

/** Until when somebody has to answer; nothing where nobody has to. */
function AnswerBy({ dispute: { status, respondBy } }: DisputeProps) {
  return status === 'needs_response' && respondBy !== null ? <Time at={respondBy} /> : <None />;
}

export function DisputeList() {
  return (
    <ResourceList<Dispute>
      title="Disputes"
      canExport
      columns={COLUMNS}
      filters={FILTERS}
      empty="No disputes: no customer's bank has asked about a payment or taken its money back."
    />
  );
}

export function DisputePage() {
  return (
    <Detail<Dispute> title={titleOf} poll={({ outcomeAt }) => (outcomeAt === null ? POLL_EVERY_MS : false)}>
      {(dispute) => <DisputeSections dispute={dispute} />}
    </Detail>
  );
}

function titleOf({ stage, amount, currency }: Dispute): string {
  return amount === null || currency === null ? nameOf(stage) : `${nameOf(stage)} of ${formatMoney(amount, currency)}`;
}

function DisputeSections({ dispute }: DisputeProps) {
  const { currency } = dispute;
  const money = (minor: number) => (currency === null ? null : <Money minor={minor} currency={currency} />);
  return (
    <>
      <Section title="Dispute">
        {dispute.status === 'needs_response' ? (
          <Alert severity="warning" sx={{ mb: 2 }}>
            Answer in the provider&apos;s dashboard
            {dispute.respondBy === null ? (
              ''
            ) : (
              <>
                {' '}
                until <Time at={dispute.respondBy} precise />
              </>
            )}
            .
          </Alert>
        ) : null}
        <Facts
          rows={[
            ['ID', <Id key="id" id={dispute.id} link={false} whole />],
            ['Status', <Status key="status" of={dispute.status} />],
            ['Stage', <Status key="stage" of={dispute.stage} />],
            ['Reason', inWords(dispute.reason)],
            ["Network's code", dispute.networkReasonCode],
            ['Disputed', <Disputed key="amount" dispute={dispute} />],
            ['Taken', money(dispute.amountWithdrawn)],
            ['Not refundable', money(dispute.amountBlocked)],
            ['Payment', <Id key="payment" id={dispute.paymentIntentId} whole />],
            ['Customer', <Id key="customer" id={dispute.customerId} whole />],
            ['Provider', dispute.provider],
            [
              "Provider's ID",
              <Code key="reference" wrap>
                {dispute.providerReference}
              </Code>,
            ],
            ['Ended', dispute.outcomeAt === null ? null : <Time key="outcome" at={dispute.outcomeAt} precise />],
            ['Created', <Time key="created" at={dispute.createdAt} precise />],
            ['Last change', <Time key="updated" at={dispute.updatedAt} precise />],
          ]}
        />
      </Section>
      <EventsOf resourceId={dispute.id} />
    </>
  );
}
