import { inWords } from '../core/words.ts';
import { Code, Status, Time } from '../parts/fields.tsx';
import { type Column, ResourceList } from '../parts/resource-list.tsx';
import type { PolicyReport } from './staff.ts';

const COLUMNS: readonly Column<PolicyReport>[] = [
  { label: 'Page', onPhone: true, show: ({ page }) => inWords(page) },
  { label: 'Refused', onPhone: true, show: ({ blocked }) => <Code>{blocked}</Code> },
  { label: 'By the directive', show: ({ directive }) => <Code>{directive}</Code> },
  { label: 'Look into it', onPhone: true, show: ({ isSerious }) => <Status of={isSerious ? 'failed' : 'succeeded'} /> },
  { label: 'Reports', show: ({ reports }) => reports, align: 'right' },
  { label: 'First day', show: ({ firstDay }) => firstDay },
  { label: 'Last', show: ({ lastAt }) => <Time at={lastAt} precise /> },
];

export function PolicyReportList() {
  return (
    <ResourceList<PolicyReport>
      title="Payment pages"
      columns={COLUMNS}
      rowClick={false}
      empty="No browser has reported a script or another file that the policies of the payment pages refuse."
    />
  );
}
