import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { DateTimeInput, SelectInput, TextInput } from 'react-admin';
import type { Dispute, TimelineLine, Transaction } from '../../../sdk/server/generated/schemas.ts';
import { formatMoney } from '../core/money.ts';
import { LARGEST_PAGE } from '../core/request.ts';
import { useMay } from '../core/session.ts';
import { choicesOf, inWords, isoOf, nameOf } from '../core/words.ts';
import { AnswerWithin } from '../parts/answer-within.tsx';
import { EventsOf } from '../parts/deliveries.tsx';
import { Detail } from '../parts/detail.tsx';
import { DisputeAnswer } from '../parts/dispute-answer.tsx';
import { DisputeFigures } from '../parts/dispute-figures.tsx';
import { isBeingSent, isInTime, isOver } from '../parts/dispute-words.ts';
import { Code, Facts, Id, Money, None, Status, Time } from '../parts/fields.tsx';
import { type Column, ResourceList } from '../parts/resource-list.tsx';
import { Loaded, Section } from '../parts/section.tsx';
import { Timeline } from '../parts/timeline.tsx';
import { useRead, useReadAgain } from '../parts/use-data.ts';

const POLL_EVERY_MS = 30_000;
/** While the provider is being told what the merchant wants. */
const BUSY_POLL_EVERY_MS = 2_000;

const STATUSES = [
  'needs_response',
  'submitting',
  'accepting',
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
  { label: 'Answer within', onPhone: true, show: (dispute) => <AnswerWithin dispute={dispute} /> },
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

export function DisputeList() {
  return (
    <>
      <ResourceList<Dispute>
        title="Disputes"
        canExport
        columns={COLUMNS}
        filters={FILTERS}
        empty="No disputes: no customer's bank has asked about a payment or taken its money back."
      />
      <DisputeFigures />
    </>
  );
}

export function DisputePage() {
  return (
    <Detail<Dispute> title={titleOf} poll={pollOf}>
      {(dispute) => <DisputeSections dispute={dispute} />}
    </Detail>
  );
}

function pollOf(dispute: Dispute): number | false {
  if (isBeingSent(dispute)) return BUSY_POLL_EVERY_MS;
  return isOver(dispute) ? false : POLL_EVERY_MS;
}

function titleOf({ stage, amount, currency }: Dispute): string {
  return amount === null || currency === null ? nameOf(stage) : `${nameOf(stage)} of ${formatMoney(amount, currency)}`;
}

function DisputeSections({ dispute }: DisputeProps) {
  useReadAgain(dispute.updatedAt);
  return (
    <>
      <Summary dispute={dispute} />
      <DisputeAnswer key={dispute.id} dispute={dispute} />
      <MoneyMoves dispute={dispute} />
      <History dispute={dispute} />
      <EventsOf resourceId={dispute.id} />
    </>
  );
}

function Summary({ dispute }: DisputeProps) {
  const { currency, lastError, workflowUrl } = dispute;
  const money = (minor: number) => (currency === null ? null : <Money minor={minor} currency={currency} />);
  return (
    <Section
      title="Dispute"
      actions={
        workflowUrl === undefined ? null : (
          <Button size="small" href={workflowUrl} target="_blank" rel="noreferrer">
            Workflow in the Temporal UI
          </Button>
        )
      }
    >
      <WhatToDo dispute={dispute} />
      {lastError === null ? null : (
        <Alert severity="error" sx={{ mb: 2 }}>
          The provider did not take the last answer: {lastError.message} <Code>{lastError.code}</Code>
        </Alert>
      )}
      <Facts
        rows={[
          ['ID', <Id key="id" id={dispute.id} link={false} whole />],
          [
            'Status',
            <span key="status" role="status" aria-label="Status">
              <Status of={dispute.status} />
            </span>,
          ],
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
          ['Answer until', dispute.respondBy === null ? null : <Time key="until" at={dispute.respondBy} precise />],
          [
            'Answer sent',
            dispute.evidenceSubmittedAt === null ? null : <Time key="sent" at={dispute.evidenceSubmittedAt} precise />,
          ],
          ['Ended', dispute.outcomeAt === null ? null : <Time key="outcome" at={dispute.outcomeAt} precise />],
          ['Created', <Time key="created" at={dispute.createdAt} precise />],
          ['Last change', <Time key="updated" at={dispute.updatedAt} precise />],
        ]}
      />
    </Section>
  );
}

/** What the merchant can do now, and what happens if nobody does. */
function WhatToDo({ dispute }: DisputeProps) {
  const { status, respondBy, answeredIn, provider } = dispute;
  if (status === 'submitting' || status === 'accepting')
    return (
      <Alert severity="info" sx={{ mb: 2 }}>
        {status === 'submitting' ? 'Your answer is on its way' : 'Your acceptance is on its way'} to {provider}, which
        has not confirmed it yet.
      </Alert>
    );
  if (status !== 'needs_response') return null;
  if (!isInTime(dispute))
    return (
      <Alert severity="info" sx={{ mb: 2 }}>
        The time to answer is over. {provider} reports how it ends; the engine asks it once a day.
      </Alert>
    );
  return (
    <Alert severity="warning" sx={{ mb: 2 }}>
      {answeredIn === 'api' ? 'Answer below' : "Answer in the provider's dashboard"}
      {respondBy === null ? (
        ''
      ) : (
        <>
          {' '}
          within <AnswerWithin dispute={dispute} />, until <Time at={respondBy} precise />
        </>
      )}
      . A dispute that nobody answers is lost.
    </Alert>
  );
}

/** The transactions by which the provider has taken the money, or given it back. */
function MoneyMoves({ dispute: { paymentIntentId, providerReference } }: DisputeProps) {
  const may = useMay('transactions:read');
  const query = useRead<readonly Transaction[]>('transactions', {
    query: { paymentIntentId, limit: LARGEST_PAGE },
    enabled: may,
  });
  if (!may) return null;
  const isOfDispute = (each: Transaction) =>
    each.type.startsWith('chargeback') && each.providerReference === providerReference;
  const moved = { ...query, data: query.data?.filter(isOfDispute) };
  return (
    <Section title="Money">
      <Loaded query={moved} empty="No money has moved.">
        {(transactions) =>
          transactions.map((each) => (
            <Typography key={each.id} component="div" sx={{ display: 'flex', flexWrap: 'wrap', gap: 1.5, py: 0.5 }}>
              <Status of={each.type} />
              <Money minor={each.amount} currency={each.currency} />
              <Id id={each.id} />
              <Time at={each.createdAt} precise />
            </Typography>
          ))
        }
      </Loaded>
    </Section>
  );
}

/** The lines of the payment's timeline that are about the dispute. */
function History({ dispute: { id, paymentIntentId } }: DisputeProps) {
  const may = useMay('payment-intents:read');
  const query = useRead<readonly TimelineLine[]>(`payment-intents/${paymentIntentId}/timeline`, { enabled: may });
  if (!may) return null;
  const ofDispute = { ...query, data: query.data?.filter(({ details }) => details?.['disputeId'] === id) };
  return (
    <Section title="Timeline">
      <Loaded query={ofDispute} empty="The payment's timeline has no line about it.">
        {(lines) => <Timeline lines={lines} attempts={[]} />}
      </Loaded>
    </Section>
  );
}
