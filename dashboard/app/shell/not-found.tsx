import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';

/** For an address without a page, or of an account that the person does not belong to. */
export function NotFound() {
  return (
    <Box sx={{ p: 4, textAlign: 'center' }}>
      <Typography variant="h5" component="h1">
        This page does not exist
      </Typography>
      <Typography color="textSecondary" sx={{ my: 2 }}>
        Perhaps it belongs to another account or environment, or you do not have access to it.
      </Typography>
      <Button href="/" variant="contained">
        Go to the home page
      </Button>
    </Box>
  );
}
