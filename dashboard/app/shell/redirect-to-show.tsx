import { useCreatePath, useResourceContext } from 'react-admin';
import { Navigate, useParams } from 'react-router';

/** In place of a form to edit a resource: leads to the page that shows it. Without it, react-admin would show the list. */
export function RedirectToShow() {
  const resource = useResourceContext() ?? '';
  const { id = '' } = useParams();
  const createPath = useCreatePath();
  return <Navigate to={createPath({ resource, id, type: 'show' })} replace />;
}
