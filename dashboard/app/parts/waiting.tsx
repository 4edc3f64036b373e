import Box from '@mui/material/Box';
import CircularProgress from '@mui/material/CircularProgress';
import Skeleton, { type SkeletonProps } from '@mui/material/Skeleton';
import Typography from '@mui/material/Typography';
import { useEffect } from 'react';
import { Navigate } from 'react-router';

/** While a page is loaded that shows nothing yet. */
export function Waiting() {
  return (
    // A margin would move the whole page when it goes.
    <Box component="main" sx={{ pt: 12, textAlign: 'center' }}>
      <CircularProgress aria-label="Loading" />
      <Typography component="h1" color="textSecondary">
        Loading
      </Typography>
    </Box>
  );
}

/** Redirects to another page, and shows that it is being loaded. */
export function Redirect({ to }: { readonly to: string }) {
  return (
    <>
      <Navigate to={to} replace />
      <Waiting />
    </>
  );
}

/** Leads to a page that is not part of the dashboard's own, such as the sign-in. */
export function Leave({ to }: { readonly to: string }) {
  useEffect(() => location.replace(to), [to]);
  return <Waiting />;
}

/** While a part of a page is loaded: a grey block as large as what will come. */
export function LoadingBlock(props: Pick<SkeletonProps, 'height' | 'sx'>) {
  // A span without a role may have no label.
  return <Skeleton variant="rounded" role="progressbar" aria-label="Loading" {...props} />;
}
