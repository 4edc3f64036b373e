import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import useMediaQuery from '@mui/material/useMediaQuery';
import type { Theme } from '@mui/material/styles';
import type { ReactElement, ReactNode } from 'react';
import { DataTable, FilterButton, List, Pagination, type RaRecord, TopToolbar, useListContext } from 'react-admin';
import { isWorthRepeating } from '../core/request.ts';
import { CreateLink } from './create-link.tsx';
import { ExportButton } from './export-button.tsx';
import { SavedViews } from './saved-views.tsx';
import { Failed } from './section.tsx';
import { LoadingBlock } from './waiting.tsx';

/** A column of a list. */
export interface Column<Item> {
  readonly label: string;
  readonly show: (item: Item) => ReactNode;
  /** Whether a phone shows it too. */
  readonly onPhone?: boolean;
  readonly align?: 'right';
}

interface ResourceListProps<Item extends RaRecord> {
  readonly title: string;
  readonly columns: readonly Column<Item>[];
  /** What is said where there are none at all, and how the first one comes about. */
  readonly empty: string;
  readonly filters?: ReactElement[];
  /** The text of the link to the form of a new one, for people who may make one; without it there is no link. */
  readonly createLabel?: string;
  /** Whether the API has the list as a CSV file. */
  readonly canExport?: boolean;
  /** Buttons beside the others. */
  readonly actions?: ReactNode;
  readonly rowClick?: 'show' | 'edit' | false;
  /** Whether a person may keep filters as views. */
  readonly canSaveViews?: boolean;
}

/** A list as every page has it: newest first, filters and saved views, and what helps where it is empty or cannot be read. */
export function ResourceList<Item extends RaRecord>(props: ResourceListProps<Item>) {
  const { title, filters, canExport = false, canSaveViews = true, createLabel, actions } = props;
  return (
    <List
      title={title}
      perPage={20}
      storeKey={false}
      exporter={false}
      empty={false}
      {...(filters === undefined ? {} : { filters })}
      queryOptions={{ retry: isWorthRepeating }}
      pagination={<ListPagination />}
      actions={
        <TopToolbar
          sx={{
            flexWrap: 'wrap',
            gap: 1,
            alignItems: 'center',
            backgroundColor: { xs: 'transparent' },
            '&&:empty': { minHeight: 8 },
            '& .RaTopToolbar-root': { backgroundColor: { xs: 'transparent' } },
          }}
        >
          {filters === undefined ? null : <FilterButton disableSaveQuery />}
          {canExport ? <ExportButton /> : null}
          {actions}
          {createLabel === undefined ? null : <CreateLink label={createLabel} />}
        </TopToolbar>
      }
      sx={{
        '& .RaList-main': { minWidth: 0 },
        '& .RaList-actions, & .RaTopToolbar-root': { backgroundColor: 'transparent' },
      }}
    >
      {filters === undefined || !canSaveViews ? null : <SavedViews />}
      <Table {...props} />
    </List>
  );
}

function Table<Item extends RaRecord>({ title, columns, empty, rowClick = 'show' }: ResourceListProps<Item>) {
  const { error, isPending, refetch } = useListContext();
  const isPhone = useMediaQuery<Theme>((theme) => theme.breakpoints.down('sm'));
  const shown = columns.filter(({ onPhone = false }) => onPhone || !isPhone);
  if (error != null)
    return (
      <Box sx={{ p: 2 }}>
        <Failed error={error} retry={() => void refetch()} />
      </Box>
    );
  // React-admin's own placeholder is a table with empty headings.
  if (isPending) return <LoadingBlock height={320} />;
  return (
    <DataTable
      bulkActionButtons={false}
      rowClick={rowClick}
      empty={<Empty text={empty} />}
      aria-label={title}
      sx={{ overflowX: 'auto', '& .MuiTableCell-root': { px: { xs: 0.75, sm: 1.25 } } }}
    >
      {shown.map(({ label, show, align }) => (
        <DataTable.Col<Item>
          key={label}
          label={label}
          disableSort
          render={(item: Item) => <Cell content={show(item)} />}
          {...(align === undefined ? {} : { align })}
        />
      ))}
    </DataTable>
  );
}

/** A text of this many characters fits on one line beside the other columns. */
const ONE_LINE_CHARACTERS = 24;

/** A long text wraps, and is cut after three lines, so that it pushes no other column out of the window. */
function Cell({ content }: { readonly content: ReactNode }) {
  if (typeof content !== 'string' || content.length <= ONE_LINE_CHARACTERS) return content;
  return (
    <Box
      component="span"
      title={content}
      sx={{
        display: '-webkit-box',
        WebkitBoxOrient: 'vertical',
        WebkitLineClamp: 3,
        overflow: 'hidden',
        overflowWrap: 'anywhere',
        minWidth: { xs: '7rem', sm: '10rem' },
      }}
    >
      {content}
    </Box>
  );
}

/** Where nothing matches the filters, they can be removed at once. */
function Empty({ text }: { readonly text: string }) {
  const list = useListContext();
  const filterValues: unknown = list.filterValues;
  const isFiltered = Object.keys(filterValues ?? {}).length > 0;
  const isByError = Object.hasOwn(filterValues ?? {}, 'errorCode');
  return (
    <Box sx={{ p: 4, textAlign: 'center' }}>
      <Typography color="textSecondary">{isFiltered ? 'Nothing matches these filters.' : text}</Typography>
      {isByError ? (
        <Typography color="textSecondary">
          The error code is that of the last failure: payments that were paid or expired since are not among these.
        </Typography>
      ) : null}
      {isFiltered ? (
        <Button sx={{ mt: 1 }} onClick={() => list.setFilters({}, {})}>
          Remove all filters
        </Button>
      ) : null}
    </Box>
  );
}

/** Large totals are estimates. */
function ListPagination() {
  const meta: unknown = useListContext().meta;
  const isEstimate = (meta as { totalIsEstimate?: boolean } | undefined)?.totalIsEstimate === true;
  return (
    <Pagination rowsPerPageOptions={[10, 20, 50, 100]} {...(isEstimate ? { labelDisplayedRows: aboutRows } : {})} />
  );
}

function aboutRows({
  from,
  to,
  count,
}: {
  readonly from: number;
  readonly to: number;
  readonly count: number;
}): string {
  return `${from}–${to} of about ${count.toLocaleString()}`;
}
