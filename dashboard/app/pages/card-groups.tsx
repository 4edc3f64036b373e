import Box from '@mui/material/Box';
import { DeleteWithConfirmButton, RecordContextProvider, TextInput, useRefresh } from 'react-admin';
import type { CardGroup } from '../../../sdk/server/generated/schemas.ts';
import { useMay } from '../core/session.ts';
import { ActionButton } from '../parts/action-dialog.tsx';
import { Id, Time } from '../parts/fields.tsx';
import { requiredText } from '../parts/inputs.tsx';
import { type Column, ResourceList } from '../parts/resource-list.tsx';
import { useData } from '../parts/use-data.ts';

const RESOURCE = 'card-groups';

const COLUMNS: readonly Column<CardGroup>[] = [
  { label: 'Name', onPhone: true, show: ({ name }) => name },
  { label: 'Prefixes', show: ({ prefixes }) => prefixes.length },
  { label: 'Id', show: ({ id }) => <Id id={id} link={false} /> },
  { label: 'Last change', show: ({ updatedAt }) => <Time at={updatedAt} /> },
  { label: 'Actions', onPhone: true, show: (group) => <GroupActions group={group} /> },
];

export function CardGroupList() {
  return (
    <ResourceList<CardGroup>
      title="Groups of cards"
      columns={COLUMNS}
      actions={<CreateGroup />}
      rowClick={false}
      empty="No groups yet. A group has the first digits of its cards' numbers, and routes can ask for it."
    />
  );
}

/** What the API takes of the form: prefixes are written one after the other, in any way. */
function bodyOf({ name, prefixes }: Record<string, unknown>) {
  return {
    name: String(name),
    prefixes: String(prefixes)
      .split(/[^0-9]+/)
      .filter((prefix) => prefix !== ''),
  };
}

function Inputs() {
  return (
    <>
      <TextInput source="name" label="Name" validate={requiredText} fullWidth />
      <TextInput
        source="prefixes"
        label="First digits of the cards"
        helperText="6 to 8 digits each, separated by commas, spaces or lines"
        validate={requiredText}
        fullWidth
        multiline
        maxRows={8}
      />
    </>
  );
}

function CreateGroup() {
  const { act } = useData();
  const refresh = useRefresh();
  if (!useMay('card-groups:write')) return null;
  return (
    <ActionButton
      label="Create group"
      variant="contained"
      title="Create a group of cards"
      explanation="Cards that are sent from now on belong to it if their number begins with one of its prefixes."
      act={(values, key) => act<CardGroup>(RESOURCE, bodyOf(values), key)}
      done="The group is created."
      onDone={refresh}
    >
      <Inputs />
    </ActionButton>
  );
}

function GroupActions({ group }: { readonly group: CardGroup }) {
  const data = useData();
  const refresh = useRefresh();
  if (!useMay('card-groups:write')) return null;
  const { id, name, prefixes } = group;
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1 }}>
      <ActionButton
        label="Change"
        title={`Change ${name}`}
        explanation="Cards that were sent before stay in the groups to which they belonged then."
        defaultValues={{ name, prefixes: prefixes.join(', ') }}
        act={(values) => data.update(RESOURCE, { id, data: bodyOf(values), previousData: { id } })}
        done="The group is changed."
        onDone={refresh}
      >
        <Inputs />
      </ActionButton>
      <RecordContextProvider value={group}>
        <DeleteWithConfirmButton
          resource={RESOURCE}
          redirect={false}
          mutationMode="pessimistic"
          confirmTitle={`Delete ${name}?`}
          confirmContent="A group that a route names cannot be deleted."
        />
      </RecordContextProvider>
    </Box>
  );
}
