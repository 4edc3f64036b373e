import { Code } from '../parts/fields.tsx';
import { type Column, ResourceList } from '../parts/resource-list.tsx';
import type { Setting } from './staff.ts';

const COLUMNS: readonly Column<Setting>[] = [
  { label: 'Setting', onPhone: true, show: ({ id }) => <Code wrap>{id}</Code> },
  { label: 'Value', onPhone: true, show: ({ isSet }) => (isSet ? 'Set' : 'Default') },
  { label: 'Secret', show: ({ isSecret }) => (isSecret ? 'Yes' : 'No') },
];

/** Which settings the API has; their values stay with the operator. */
export function SettingList() {
  return (
    <ResourceList<Setting>
      title="Settings of the API"
      columns={COLUMNS}
      rowClick={false}
      empty="The API has no settings."
    />
  );
}
