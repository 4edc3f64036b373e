import Box from '@mui/material/Box';
import type { ReactNode } from 'react';
import { EditButton, type RaRecord, ShowBase, ShowView, Title, TopToolbar, useShowContext } from 'react-admin';
import { isWorthRepeating } from '../core/request.ts';
import { Failed, NOT_SHOWN } from './section.tsx';
import { LoadingBlock } from './waiting.tsx';

interface DetailProps<Item extends RaRecord> {
  readonly title: (item: Item) => string;
  /** Buttons of the toolbar. */
  readonly actions?: (item: Item) => ReactNode;
  readonly canEdit?: boolean;
  /** Whether the resource has members that lists leave out. Otherwise the page shows a list's record until it has its own. */
  readonly hasMoreThanList?: boolean;
  /** Read again so often while it holds. */
  readonly poll?: (item: Item) => number | false;
  readonly children: (item: Item) => ReactNode;
}

/** Keeps what a page has read apart from what lists have read of the same resource. */
const WHOLE = { meta: { whole: true } };

/** A page of one resource: title, buttons, and sections; it says why it cannot be read. */
export function Detail<Item extends RaRecord>({
  title,
  actions,
  canEdit = false,
  hasMoreThanList = false,
  poll,
  children,
}: DetailProps<Item>) {
  return (
    <ShowBase
      disableAuthentication={false}
      queryOptions={{
        ...(hasMoreThanList ? WHOLE : {}),
        retry: isWorthRepeating,
        onError: () => undefined,
        ...(poll === undefined
          ? {}
          : { refetchInterval: ({ state }) => (state.data === undefined ? false : poll(state.data as Item)) }),
      }}
    >
      <Loaded title={title} actions={actions} canEdit={canEdit}>
        {children}
      </Loaded>
    </ShowBase>
  );
}

type LoadedProps<Item extends RaRecord> = Required<Pick<DetailProps<Item>, 'title' | 'canEdit' | 'children'>> & {
  readonly actions: DetailProps<Item>['actions'] | undefined;
};

function Loaded<Item extends RaRecord>({ title, actions, canEdit, children }: LoadedProps<Item>) {
  const { record, error, refetch } = useShowContext<Item>();
  if (error != null && record === undefined)
    return (
      <Box sx={{ mt: 3 }}>
        <Title title={NOT_SHOWN} preferenceKey={false} />
        <Failed error={error} retry={() => void refetch()} />
      </Box>
    );
  return (
    <ShowView
      title={record === undefined ? '…' : title(record)}
      component="div"
      emptyWhileLoading
      actions={
        <TopToolbar
          sx={{
            flexWrap: 'wrap',
            gap: 1,
            alignItems: 'center',
            backgroundColor: { xs: 'transparent' },
            '&:empty': { minHeight: 0, p: 1 },
          }}
        >
          {record === undefined ? null : actions?.(record)}
          {canEdit ? <EditButton /> : null}
        </TopToolbar>
      }
      sx={{ '& .RaShow-main': { minWidth: 0 } }}
    >
      {record === undefined ? (
        <LoadingBlock height={320} />
      ) : (
        <Box sx={{ display: 'grid', gap: 2, gridTemplateColumns: 'minmax(0, 1fr)' }}>{children(record)}</Box>
      )}
    </ShowView>
  );
}
