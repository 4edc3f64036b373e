import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { Title } from 'react-admin';
import { FrameHeading } from '../pages/sign-in/frame.tsx';

const HEADING = 'This page does not exist';

/** For an address without a page, or with one that the person's role does not have. */
export function NoSuchPage() {
  return (
    <>
      <Title title={HEADING} preferenceKey={false} />
      <Explanation />
    </>
  );
}

/** For an address of an account that the person does not belong to. */
export function NoSuchAccount() {
  return (
    <>
      <FrameHeading>{HEADING}</FrameHeading>
      <Explanation />
    </>
  );
}

function Explanation() {
  return (
    <Box sx={{ p: 4, textAlign: 'center' }}>
      <Typography color="textSecondary" sx={{ mb: 2 }}>
        Perhaps it belongs to another account or environment, or you do not have access to it.
      </Typography>
      <Button href="/" variant="contained">
        Go to the home page
      </Button>
    </Box>
  );
}
