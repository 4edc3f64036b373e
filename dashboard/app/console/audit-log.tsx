import { SelectInput, TextInput } from 'react-admin';
import { choicesOf, inWords } from '../core/words.ts';
import { Id, Time } from '../parts/fields.tsx';
import { type Column, ResourceList } from '../parts/resource-list.tsx';
import type { PlatformEvent } from './staff.ts';

const ACTIONS = ['merchant.suspended', 'merchant.suspension_lifted', 'staff.added', 'staff.removed'];

const FILTERS = [
  <SelectInput key="action" source="action" label="Change" choices={choicesOf(ACTIONS, inWords)} alwaysOn />,
  <TextInput key="resourceId" source="resourceId" label="ID of the merchant or person" alwaysOn />,
  <TextInput key="actorId" source="actorId" label="ID of who did it" />,
];

const COLUMNS: readonly Column<PlatformEvent>[] = [
  { label: 'Change', onPhone: true, show: ({ action }) => inWords(action) },
  {
    label: 'Of',
    onPhone: true,
    show: ({ resource: { id, name } }) => (
      <>
        {name} <Id id={id} {...(id.startsWith('org_') ? { resource: 'merchants' } : { link: false })} />
      </>
    ),
  },
  { label: 'By', show: ({ actor }) => actor.name },
  { label: 'From', show: ({ actor }) => actor.address },
  { label: 'Reason', show: ({ reason }) => reason },
  { label: 'Time', onPhone: true, show: ({ createdAt }) => <Time at={createdAt} precise /> },
];

export function EventList() {
  return (
    <ResourceList<PlatformEvent>
      title="Audit log of the platform"
      columns={COLUMNS}
      filters={FILTERS}
      canSaveViews={false}
      rowClick={false}
      empty="No changes are kept. What staff and operators do to merchants and to the staff is recorded here."
    />
  );
}
