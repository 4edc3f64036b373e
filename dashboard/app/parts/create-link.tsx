import Button from '@mui/material/Button';
import { useCreatePath, useResourceContext } from 'react-admin';
import { Link } from 'react-router';
import { useMay } from '../core/session.ts';

/** Leads to the form of a new resource, where the person may make one. React-admin's own button covers rows and page numbers on narrow screens. */
export function CreateLink({ label }: { readonly label: string }) {
  const resource = useResourceContext() ?? '';
  const createPath = useCreatePath();
  if (!useMay(`${resource}:write`)) return null;
  return (
    <Button variant="contained" size="small" component={Link} to={createPath({ resource, type: 'create' })}>
      {label}
    </Button>
  );
}
