import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { SelectInput, TextInput } from 'react-admin';
import type {
  ReconciliationDifference,
  ReconciliationReport,
  ReconciliationRun,
} from '../../../sdk/server/generated/schemas.ts';
import { choicesOf, inWords } from '../core/words.ts';
import { Detail } from '../parts/detail.tsx';
import { Code, Facts, Id, Money, None, Status, Time } from '../parts/fields.tsx';
import { type Column, ResourceList } from '../parts/resource-list.tsx';
import { Section } from '../parts/section.tsx';

const FILTERS = [
  <SelectInput
    key="status"
    source="status"
    label="Status"
    choices={choicesOf(['running', 'completed', 'failed'])}
    alwaysOn
  />,
  <TextInput key="provider" source="provider" label="Provider" alwaysOn />,
];

const COLUMNS: readonly Column<ReconciliationRun>[] = [
  { label: 'Provider', onPhone: true, show: ({ provider }) => <Id id={provider} link={false} /> },
  { label: 'Status', onPhone: true, show: ({ status }) => <Status of={status} /> },
  { label: 'Run', onPhone: true, show: ({ id }) => <Id id={id} resource="reconciliation-runs" /> },
  { label: 'Compared', align: 'right', show: ({ compared }) => compared.toLocaleString() },
  { label: 'Repaired', align: 'right', show: ({ repaired }) => repaired.toLocaleString() },
  { label: 'Reported', align: 'right', show: ({ reported }) => reported.toLocaleString() },
  { label: 'Started', show: ({ startedAt }) => <Time at={startedAt} /> },
];

export function ReconciliationList() {
  return (
    <ResourceList<ReconciliationRun>
      title="Reconciliation"
      columns={COLUMNS}
      filters={FILTERS}
      empty="No runs are kept. Several times a day the engine compares its payments with the list of each provider that has one."
    />
  );
}

const WITHOUT_DIFFERENCES: Readonly<Record<ReconciliationReport['status'], string>> = {
  running: 'None so far.',
  completed: 'The lists agree.',
  failed: 'None in what was compared.',
};

export function ReconciliationPage() {
  return (
    <Detail<ReconciliationReport>
      title={({ provider }) => `Reconciliation with ${provider}`}
      hasMoreThanList
      poll={({ status }) => (status === 'running' ? 5_000 : false)}
    >
      {(run) => (
        <>
          <Section title="Run">
            {run.failure === null ? null : (
              <Alert severity="error" sx={{ mb: 2 }}>
                {run.failure.message} <Code>{run.failure.code}</Code>
              </Alert>
            )}
            <Facts
              rows={[
                ['ID', <Id key="id" id={run.id} link={false} whole />],
                ['Provider', <Id key="provider" id={run.provider} link={false} />],
                ['Status', <Status key="status" of={run.status} />],
                ['Payments from', <Time key="from" at={run.from} precise />],
                ['Payments to', <Time key="to" at={run.to} precise />],
                ['Compared', run.compared.toLocaleString()],
                ['Repaired', run.repaired.toLocaleString()],
                ['Reported', run.reported.toLocaleString()],
                ['Started', <Time key="started" at={run.startedAt} precise />],
                ['Finished', <Time key="finished" at={run.finishedAt} precise />],
              ]}
            />
          </Section>
          <Section title="Differences">
            {run.differences.length === 0 ? (
              <Typography color="textSecondary">{WITHOUT_DIFFERENCES[run.status]}</Typography>
            ) : null}
            {run.differences.map((each) => (
              <Difference key={each.id} difference={each} />
            ))}
          </Section>
        </>
      )}
    </Detail>
  );
}

function Difference({ difference }: { readonly difference: ReconciliationDifference }) {
  const { kind, action, paymentIntentId, refundId, providerPaymentId, ours, theirs, createdAt } = difference;
  return (
    <Box sx={{ borderTop: 1, borderColor: 'divider', py: 1.5 }}>
      <Box sx={{ display: 'flex', gap: 1, alignItems: 'center', mb: 1, flexWrap: 'wrap' }}>
        <Status of={action} />
        <strong>{inWords(kind)}</strong>
        <Time at={createdAt} precise />
      </Box>
      <Facts
        rows={[
          ['Payment', paymentIntentId === null ? null : <Id key="payment" id={paymentIntentId} whole />],
          ['Refund', refundId === null ? null : <Id key="refund" id={refundId} whole />],
          ["Provider's ID", <Id key="provider" id={providerPaymentId} link={false} whole />],
          ['Here', <Side key="ours" side={ours} />],
          ['At the provider', <Side key="theirs" side={theirs} />],
        ]}
      />
    </Box>
  );
}

function Side({ side }: { readonly side: ReconciliationDifference['ours'] }) {
  if (side === null) return <None />;
  return (
    <>
      {inWords(side.status)}, <Money minor={side.amount} currency={side.currency} />
    </>
  );
}
