import Box from '@mui/material/Box';
import CircularProgress from '@mui/material/CircularProgress';

/** While a page is loaded that shows nothing yet. */
export function Waiting() {
  return (
    // A margin would move the whole page when it goes.
    <Box sx={{ pt: 12, textAlign: 'center' }}>
      <CircularProgress aria-label="Loading" />
    </Box>
  );
}
