import Alert from '@mui/material/Alert';
import { usePlace } from '../core/session.ts';
import { Time } from '../parts/fields.tsx';

/** Tells the people of a merchant that the platform has suspended it, and why. */
export function SuspensionNotice() {
  const { suspension } = usePlace();
  if (suspension === null) return null;
  return (
    <Alert severity="error" variant="filled" square sx={{ mx: { xs: -1, sm: -2 } }}>
      <strong>Suspended by the platform</strong> since <Time at={suspension.since} />: {suspension.reason} Until the
      platform lifts this, you can read everything and change nothing. Contact the platform&apos;s support.
    </Alert>
  );
}
