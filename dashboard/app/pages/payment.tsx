import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { SelectInput, useGetRecordId, useRefresh } from 'react-admin';
import type {
  Dispute,
  PaymentIntent,
  Refund,
  TimelineLine,
  Transaction,
} from '../../../sdk/server/generated/schemas.ts';
import { decimalOf, formatMoney, parseMoney } from '../core/money.ts';
import { LARGEST_PAGE } from '../core/request.ts';
import { useMay } from '../core/session.ts';
import { choicesOf, inWords, isFinal, REFUND_REASONS } from '../core/words.ts';
import { ActionButton } from '../parts/action-dialog.tsx';
import { AnswerWithin } from '../parts/answer-within.tsx';
import { Attempts, type SkippedRoute, SkippedRoutes } from '../parts/attempts.tsx';
import { EventsOf, useEvents } from '../parts/deliveries.tsx';
import { Detail } from '../parts/detail.tsx';
import { isOver } from '../parts/dispute-words.ts';
import { Code, Facts, Id, Metadata, Money, Status, Time } from '../parts/fields.tsx';
import { Method } from '../parts/method.tsx';
import { AmountInput, requiredText } from '../parts/inputs.tsx';
import { PaymentResolution, RefundResolution, StrayChargeResolution } from '../parts/manual-resolution.tsx';
import { Newest } from '../parts/newest.tsx';
import { Loaded, Section } from '../parts/section.tsx';
import { Timeline } from '../parts/timeline.tsx';
import { useData, useRead, useReadAgain } from '../parts/use-data.ts';
import { LoadingBlock } from '../parts/waiting.tsx';

/** A payment is read so often while it moves; the requests stay well within the limit of a person. */
const POLL_EVERY_MS = 3_000;
/** Money may still come back afterwards, or somebody may refund it. */
const QUIET_POLL_EVERY_MS = 15_000;

const CANCELLATION_REASONS = ['requested_by_customer', 'duplicate', 'fraudulent', 'abandoned'] as const;

export function PaymentPage() {
  const id = String(useGetRecordId());
  // They are read beside the payment, not after it.
  useTimeline(id);
  useTransactions(id);
  useEvents(id);
  const isRefunding = useRefunds(id).data?.some(isPending) ?? false;
  return (
    <Detail<PaymentIntent>
      title={({ amount, currency }) => `Payment of ${formatMoney(amount, currency)}`}
      poll={({ status }) => (isFinal(status) && !isRefunding ? QUIET_POLL_EVERY_MS : POLL_EVERY_MS)}
      actions={(payment) => <Actions payment={payment} />}
    >
      {(payment) => <Payment payment={payment} />}
    </Detail>
  );
}

function useTimeline(id: string) {
  return useRead<readonly TimelineLine[]>(`payment-intents/${id}/timeline`);
}

/** Whether a provider has refused to refund a stray charge, or has not answered for long, so that somebody may have to return it. */
function isUnreturnedCharge({ summary }: TimelineLine): boolean {
  return summary.startsWith('Stray charge not reversed') || summary.includes('was asked to return the stray charge');
}

function isPending({ status }: Refund): boolean {
  return status === 'pending';
}

function useRefunds(id: string) {
  const poll = (refunds: readonly Refund[] = []) => (refunds.some(isPending) ? POLL_EVERY_MS : QUIET_POLL_EVERY_MS);
  const enabled = useMay('refunds:read');
  return useRead<readonly Refund[]>('refunds', { query: { paymentIntentId: id, limit: LARGEST_PAGE }, enabled, poll });
}

function useTransactions(id: string) {
  const enabled = useMay('transactions:read');
  return useRead<readonly Transaction[]>('transactions', {
    query: { paymentIntentId: id, limit: LARGEST_PAGE },
    enabled,
  });
}

function Payment({ payment }: { readonly payment: PaymentIntent }) {
  const { id, updatedAt } = payment;
  const refunds = useRefunds(id).data;
  useReadAgain(updatedAt);
  // A refund that begins does not change its payment.
  useReadAgain(refunds?.map((refund) => `${refund.id} ${refund.status}`).join());
  const timeline = useTimeline(id);
  // Otherwise the sections below the timeline would move when it arrives.
  if (timeline.isPending) return <LoadingBlock height={320} />;
  return (
    <>
      <Summary payment={payment} />
      <Section title="Attempts">
        <Attempts attempts={payment.attempts} />
        <Skipped lines={timeline.data ?? []} isOpen={payment.attempts.length === 0} />
      </Section>
      <Section
        title="Timeline"
        actions={timeline.data?.some(isUnreturnedCharge) ? <StrayChargeResolution payment={payment} /> : null}
      >
        <Loaded query={timeline}>{(lines) => <Timeline lines={lines} attempts={payment.attempts} />}</Loaded>
      </Section>
      <Refunds payment={payment} />
      <Transactions payment={payment} />
      <EventsOf resourceId={id} />
    </>
  );
}

function Summary({ payment }: { readonly payment: PaymentIntent }) {
  const { amount, currency, status, lastError, lastDecline, advisory, nextAction, workflowUrl } = payment;
  return (
    <Section
      title="Payment"
      actions={
        workflowUrl === undefined ? null : (
          <Button size="small" href={workflowUrl} target="_blank" rel="noreferrer">
            Workflow in the Temporal UI
          </Button>
        )
      }
    >
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 2, alignItems: 'center', mb: 2 }}>
        <Typography variant="h4" component="p">
          <Money minor={amount} currency={currency} />
        </Typography>
        <span role="status" aria-label="Status">
          <Status of={status} />
        </span>
      </Box>
      {lastError === null ? null : (
        <Alert severity="error" sx={{ mb: 2 }}>
          {lastError.message} <Code>{lastError.code}</Code>
          <DeclineReason details={lastError.details} />
        </Alert>
      )}
      {lastDecline === null || lastDecline.code === lastError?.code ? null : (
        <Alert severity="info" sx={{ mb: 2 }}>
          Last decline, <Time at={lastDecline.at} precise />: {lastDecline.message}{' '}
          {lastDecline.code === null ? null : <Code>{lastDecline.code}</Code>}
        </Alert>
      )}
      {advisory === null ? null : (
        <Alert severity="warning" sx={{ mb: 2 }}>
          {advisory.operation === undefined ? (
            <>
              The payment has been in this state for unusually long, since <Time at={advisory.since} precise />.
            </>
          ) : (
            <>
              {inWords(advisory.operation)}: the provider has not answered since <Time at={advisory.since} precise />.
            </>
          )}
          <RefusedCredentials advisory={advisory} provider={payment.provider} />
        </Alert>
      )}
      <Disputed payment={payment} />
      {nextAction === null ? null : (
        <Alert severity="info" sx={{ mb: 2 }}>
          The customer has to act: {inWords(nextAction.type)}.
        </Alert>
      )}
      <Facts
        rows={[
          ['ID', <Id key="id" id={payment.id} link={false} whole />],
          ['Captured', <Money key="captured" minor={payment.amountCaptured} currency={currency} />],
          ['Refunded', <Money key="refunded" minor={payment.amountRefunded} currency={currency} />],
          ['Disputed', <Money key="disputed" minor={payment.amountDisputed} currency={currency} />],
          ['Capturable', <Money key="capturable" minor={payment.amountCapturable} currency={currency} />],
          ['Payment method', <Method key="method" method={payment.paymentMethod} />],
          ['Capture', inWords(payment.captureMethod)],
          ['Provider', payment.provider],
          ['Reference', payment.reference],
          ['Customer', <Id key="customer" id={payment.customerId} />],
          ['Country', payment.country],
          ['Description', payment.description],
          ['Cancellation reason', payment.cancellationReason === null ? null : inWords(payment.cancellationReason)],
          ['Created', <Time key="created" at={payment.createdAt} precise />],
          ['Last change', <Time key="updated" at={payment.updatedAt} precise />],
          ['Capture before', <Time key="capture-before" at={payment.captureBefore} precise />],
          ['Expires', isFinal(status) ? null : <Time key="expires" at={payment.expiresAt} precise />],
          ['Metadata', <Metadata key="metadata" pairs={payment.metadata} />],
        ]}
      />
    </Section>
  );
}

/** What the provider said more closely, where it did. */
function DeclineReason({ details }: { readonly details: Readonly<Record<string, unknown>> | undefined }) {
  const reason = details?.['reason'];
  return typeof reason === 'string' ? <div>Reason: {inWords(reason)}</div> : null;
}

interface SkippedProps {
  readonly lines: readonly TimelineLine[];
  readonly isOpen: boolean;
}

/** From the latest decision that chose routes. */
function Skipped({ lines, isOpen }: SkippedProps) {
  const decisions = lines.flatMap(({ details }) => (details === null ? [] : [details['passedOver']]));
  const routes = decisions.findLast((each): each is SkippedRoute[] => Array.isArray(each)) ?? [];
  if (routes.length === 0) return null;
  return (
    <Box component="details" open={isOpen} sx={{ mt: 2 }}>
      <summary>Skipped routes ({routes.length})</summary>
      <SkippedRoutes routes={routes} />
    </Box>
  );
}

function Refunds({ payment: { id } }: { readonly payment: PaymentIntent }) {
  const may = useMay('refunds:read');
  const query = useRefunds(id);
  if (!may) return null;
  return (
    <Section title="Refunds">
      <Loaded query={query} empty="Nothing was refunded.">
        {(refunds) => (
          <>
            {refunds.map((refund) => (
              <Typography key={refund.id} component="div" sx={{ display: 'flex', flexWrap: 'wrap', gap: 1.5, py: 0.5 }}>
                <Money minor={refund.amount} currency={refund.currency} />
                <Status of={refund.status} />
                <Id id={refund.id} />
                <Time at={refund.createdAt} precise />
                {refund.origin === 'provider' ? <span>Not requested here: made at the provider</span> : null}
                {refund.failure === null ? null : <span>{refund.failure.message}</span>}
                {refund.advisory === null ? null : (
                  <span>
                    The provider has not answered since <Time at={refund.advisory.since} precise />.
                    <RefusedCredentials advisory={refund.advisory} provider={refund.provider} />
                  </span>
                )}
                <RefundResolution refund={refund} />
              </Typography>
            ))}
            <Newest resource="refunds" filter={{ paymentIntentId: id }} count={refunds.length} />
          </>
        )}
      </Loaded>
    </Section>
  );
}

/** Leads to the disputes of the payment; before the first one, to the warning of it. */
function Disputed({ payment }: { readonly payment: PaymentIntent }) {
  const { disputedAt, disputeIds, amountDisputed, currency } = payment;
  const disputes = useDisputesOf(payment).data ?? [];
  if (disputedAt === null) return null;
  if (disputeIds.length === 0)
    return (
      <Alert severity="warning" sx={{ mb: 2 }}>
        The card&apos;s issuer calls the payment fraudulent, since <Time at={disputedAt} precise />. A refund may
        prevent a chargeback.
      </Alert>
    );
  return (
    <Alert severity={disputes.length > 0 && disputes.every(isOver) ? 'info' : 'warning'} sx={{ mb: 2 }}>
      The payment is disputed, since <Time at={disputedAt} precise />.{' '}
      {amountDisputed === 0 ? '' : `${formatMoney(amountDisputed, currency)} cannot be refunded.`}
      {disputeIds.map((id) => (
        <DisputeLine key={id} id={id} dispute={disputes.find((each) => each.id === id)} />
      ))}
    </Alert>
  );
}

/** Only of a payment that has some. */
function useDisputesOf({ id, disputeIds }: PaymentIntent) {
  const enabled = useMay('disputes:read') && disputeIds.length > 0;
  return useRead<readonly Dispute[]>('disputes', {
    query: { paymentIntentId: id, limit: LARGEST_PAGE },
    enabled,
    poll: () => QUIET_POLL_EVERY_MS,
  });
}

function DisputeLine({ id, dispute }: { readonly id: string; readonly dispute: Dispute | undefined }) {
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, alignItems: 'center', mt: 1 }}>
      <Id id={id} />
      {dispute === undefined ? null : (
        <>
          <Status of={dispute.stage} />
          <Status of={dispute.status} />
          {dispute.status === 'needs_response' ? (
            <>
              <span>Answer within:</span>
              <AnswerWithin dispute={dispute} />
            </>
          ) : null}
        </>
      )}
    </Box>
  );
}

function Transactions({ payment: { id } }: { readonly payment: PaymentIntent }) {
  const may = useMay('transactions:read');
  const query = useTransactions(id);
  if (!may) return null;
  return (
    <Section title="Transactions">
      <Loaded query={query} empty="No money moved.">
        {(transactions) => (
          <>
            {transactions.map((each) => (
              <Typography key={each.id} component="div" sx={{ display: 'flex', flexWrap: 'wrap', gap: 1.5, py: 0.5 }}>
                <Status of={each.type} />
                <Money minor={each.amount} currency={each.currency} />
                <Id id={each.id} />
                <span>
                  {each.provider}: <Code wrap>{each.providerReference}</Code>
                </span>
                <Time at={each.createdAt} precise />
              </Typography>
            ))}
            <Newest resource="transactions" filter={{ paymentIntentId: id }} count={transactions.length} />
          </>
        )}
      </Loaded>
    </Section>
  );
}

/** What can be done about a payment in its state, as far as the role allows. */
function Actions({ payment }: { readonly payment: PaymentIntent }) {
  const { id, status, currency, amountCaptured, amountRefunded, amountDisputed, amountCapturable } = payment;
  const { act } = useData();
  const refresh = useRefresh();
  const mayRefund = useMay('refunds:write');
  const mayWrite = useMay('payment-intents:write');
  const refundable = Math.max(0, amountCaptured - amountRefunded - amountDisputed);
  const money = (minor: number) => formatMoney(minor, currency);
  return (
    <>
      <PaymentResolution payment={payment} />
      {mayRefund ? (
        <ActionButton
          label="Refund"
          title="Refund this payment"
          explanation={
            `Up to ${money(refundable)} can go back to the customer. A refund cannot be taken back.` +
            (amountDisputed > 0 ? ` ${money(amountDisputed)} is disputed and cannot be refunded.` : '')
          }
          isDangerous
          disabledReason={refundable > 0 ? null : 'Nothing of this payment can be refunded.'}
          defaultValues={{ amount: decimalOf(refundable, currency), reason: 'requested_by_customer' }}
          act={({ amount, reason }, key) =>
            act('refunds', { paymentIntentId: id, amount: parseMoney(String(amount), currency), reason }, key)
          }
          done="The refund is begun."
          onDone={refresh}
        >
          <AmountInput source="amount" currency={currency} maximumMinor={refundable} />
          <SelectInput source="reason" label="Reason" choices={choicesOf(REFUND_REASONS, inWords)} fullWidth />
        </ActionButton>
      ) : null}
      {mayWrite && status === 'requires_capture' ? (
        <ActionButton
          label="Capture"
          title="Capture this payment"
          explanation={`${money(amountCapturable)} is held. What you do not capture is released.`}
          defaultValues={{ amount: decimalOf(amountCapturable, currency) }}
          act={({ amount }, key) =>
            act(`payment-intents/${id}/capture`, { amount: parseMoney(String(amount), currency) }, key)
          }
          done="The payment is captured."
          onDone={refresh}
        >
          <AmountInput source="amount" currency={currency} maximumMinor={amountCapturable} />
        </ActionButton>
      ) : null}
      {mayWrite ? (
        <ActionButton
          label="Cancel payment"
          title="Cancel this payment"
          explanation="The customer can no longer pay it. What is held is released. This cannot be taken back."
          isDangerous
          disabledReason={isFinal(status) ? 'The payment has ended.' : null}
          defaultValues={{ reason: 'requested_by_customer' }}
          act={({ reason }, key) => act(`payment-intents/${id}/cancel`, { reason }, key)}
          done="The payment is canceled."
          onDone={refresh}
        >
          <SelectInput
            source="reason"
            label="Reason"
            choices={choicesOf(CANCELLATION_REASONS, inWords)}
            validate={requiredText}
            fullWidth
          />
        </ActionButton>
      ) : null}
    </>
  );
}

/** The one thing that the merchant can do about it. */
function RefusedCredentials({ advisory, provider }: Pick<PaymentIntent, 'advisory' | 'provider'>) {
  if (advisory?.reason !== 'credentials_refused' || provider === null) return null;
  return (
    <>
      {' '}
      The provider refuses the credentials of <Id id={provider} resource="provider-accounts" />. Replace them: the
      engine then goes on by itself.
    </>
  );
}
