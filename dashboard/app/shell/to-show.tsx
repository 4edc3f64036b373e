import { useCreatePath, useResourceContext } from 'react-admin';
import { Navigate, useParams } from 'react-router';

/** Leads from the address of a resource that has no form to its page; otherwise react-admin would show the list. */
export function ToShow() {
  const resource = useResourceContext() ?? '';
  const { id = '' } = useParams();
  const createPath = useCreatePath();
  return <Navigate to={createPath({ resource, id, type: 'show' })} replace />;
}
