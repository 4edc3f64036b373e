import Box from '@mui/material/Box';
import Chip from '@mui/material/Chip';
import { useQueryClient } from '@tanstack/react-query';
import { TextInput, useListContext } from 'react-admin';
import { ActionButton } from './action-dialog.tsx';
import { requiredText } from './inputs.tsx';
import { useData, useRead } from './use-data.ts';

interface SavedView {
  readonly id: string;
  readonly name: string;
  readonly filter: Readonly<Record<string, string>>;
}

const MAXIMUM_SHOWN = 50;

/** The person's saved filters of this list: a click takes them, and what is chosen now can be saved or deleted. */
export function SavedViews() {
  const list = useListContext();
  const { resource } = list;
  const { act, delete: remove } = useData();
  const queries = useQueryClient();
  const query = { list: resource, limit: MAXIMUM_SHOWN };
  const { data: views = [] } = useRead<readonly SavedView[]>('saved-views', { query });
  const chosen = textsOf(list.filterValues);
  const current = views.find(({ filter }) => isSame(filter, chosen));
  const hasFilters = Object.keys(chosen).length > 0;
  if (views.length === 0 && !hasFilters) return null;
  const readAgain = () => void queries.invalidateQueries({ queryKey: ['read', 'saved-views', query] });
  const show = ({ filter }: Pick<SavedView, 'filter'>) =>
    list.setFilters(filter, Object.fromEntries(Object.keys(filter).map((name) => [name, true])));
  return (
    <Box
      component="section"
      aria-label="Saved views"
      sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, alignItems: 'center', p: 1 }}
    >
      {views.map((view) => (
        <Chip
          key={view.id}
          label={view.name}
          variant={view === current ? 'filled' : 'outlined'}
          color={view === current ? 'primary' : 'default'}
          aria-pressed={view === current}
          onClick={() => show(view === current ? { filter: {} } : view)}
          sx={{ maxWidth: '16rem' }}
        />
      ))}
      {hasFilters && current === undefined ? (
        <ActionButton
          label="Save view"
          variant="text"
          title="Save these filters as a view"
          explanation="You find the view above this list, in this account, on every device. Nobody else sees it."
          act={({ name }, key) => act('saved-views', { list: resource, name, filter: chosen }, key)}
          done="The view is saved."
          onDone={readAgain}
        >
          <TextInput source="name" label="Name" validate={requiredText} slotProps={{ htmlInput: { maxLength: 60 } }} />
        </ActionButton>
      ) : null}
      {current === undefined ? null : (
        <ActionButton
          label="Delete view"
          variant="text"
          isDangerous
          title={`Delete the view "${current.name}"?`}
          explanation="The filters stay as they are until you change them."
          act={() => remove('saved-views', { id: current.id })}
          done="The view is deleted."
          onDone={readAgain}
        />
      )}
    </Box>
  );
}

/** Filters as they are saved: text by name. */
function textsOf(filterValues: unknown): Readonly<Record<string, string>> {
  const pairs = Object.entries(filterValues ?? {}) as [string, unknown][];
  return Object.fromEntries(
    pairs.flatMap(([name, value]) => (typeof value === 'string' && value !== '' ? [[name, value]] : [])),
  );
}

function isSame(a: Readonly<Record<string, string>>, b: Readonly<Record<string, string>>): boolean {
  const names = Object.keys(a);
  return names.length === Object.keys(b).length && names.every((name) => a[name] === b[name]);
}
