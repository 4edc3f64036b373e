import { inWords } from '../core/words.ts';
import { Status, Time } from '../parts/fields.tsx';
import { type Column, ResourceList } from '../parts/resource-list.tsx';
import type { Circuit } from './staff.ts';

const COLUMNS: readonly Column<Circuit>[] = [
  { label: 'Provider', onPhone: true, show: ({ provider }) => provider },
  { label: 'Environment', onPhone: true, show: ({ environment }) => inWords(environment) },
  {
    label: 'Answers',
    onPhone: true,
    show: ({ consecutiveFailures }) => <Status of={consecutiveFailures === 0 ? 'succeeded' : 'failed'} />,
  },
  { label: 'Failures in a row', show: ({ consecutiveFailures }) => consecutiveFailures, align: 'right' },
  { label: 'Failing since', show: ({ failingSince }) => <Time at={failingSince} precise /> },
  { label: 'Asked last until', show: ({ openUntil }) => <Time at={openUntil} precise /> },
];

export function CircuitList() {
  return (
    <ResourceList<Circuit>
      title="Provider health"
      columns={COLUMNS}
      rowClick={false}
      empty="No provider has failed so far. A provider is listed here from its first failure on."
    />
  );
}
