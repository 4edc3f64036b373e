import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { useCreatePath } from 'react-admin';
import { Link as RouterLink } from 'react-router';
import { LARGEST_PAGE } from '../core/request.ts';

interface NewestProps {
  readonly resource: string;
  /** What selects the rows in the list of the resource. */
  readonly filter: Readonly<Record<string, string>>;
  /** How many rows are shown. */
  readonly count: number;
}

/** Below rows that fill a page of the API: there may be more, in the list of the resource. */
export function Newest({ resource, filter, count }: NewestProps) {
  const createPath = useCreatePath();
  if (count < LARGEST_PAGE) return null;
  const query = new URLSearchParams({ filter: JSON.stringify(filter) }).toString();
  return (
    <Typography color="textSecondary" sx={{ mt: 1 }}>
      These are the newest {LARGEST_PAGE}.{' '}
      <Link component={RouterLink} to={`${createPath({ resource, type: 'list' })}?${query}`}>
        Show all
      </Link>
    </Typography>
  );
}
