import Box from '@mui/material/Box';
import ListItemText from '@mui/material/ListItemText';
import MenuItem from '@mui/material/MenuItem';
import Typography from '@mui/material/Typography';
import { createContext, Suspense, useContext } from 'react';
import { AppBar, Layout, type LayoutProps, Logout, Menu, TitlePortal, UserMenu } from 'react-admin';
import { BarButtons, FailedPage, FRAME, LoadingPage, SideBar, TITLE, useTabTitle } from '../shell/layout.tsx';
import { SignInAgain } from '../shell/sign-in-again.tsx';
import { CONSOLE_RESOURCES } from './resources.tsx';
import { readStaff, type Staff } from './staff.ts';

export const CONSOLE_PATH = '/console';

/** A colour that no environment of a merchant has. */
const BAR = { background: '#4b2a7b', text: '#ffffff' };

const StaffContext = createContext<Staff | null>(null);
export const StaffProvider = StaffContext.Provider;

/** The frame of the console's pages, which no merchant's page looks like. */
export function ConsoleShell({ children }: LayoutProps) {
  useTabTitle();
  const staff = useContext(StaffContext);
  return (
    <Layout appBar={TopBar} appBarAlwaysOn menu={SideMenu} sidebar={SideBar} error={FailedPage} sx={FRAME}>
      {staff === null ? null : <SignInAgain person={staff} readPerson={readStaff} />}
      <Notice />
      <Suspense fallback={<LoadingPage />}>{children}</Suspense>
    </Layout>
  );
}

function TopBar() {
  const { background, text } = BAR;
  return (
    <AppBar
      userMenu={<StaffMenu />}
      toolbar={<BarButtons />}
      alwaysOn
      sx={{ backgroundColor: background, backgroundImage: 'none', color: text, '& .RaAppBar-toolbar': { color: text } }}
    >
      <Box
        component="span"
        sx={{
          // A phone has no room for it; the notice below says the same.
          display: { xs: 'none', sm: 'inline' },
          border: 1,
          borderRadius: 1,
          px: 1,
          mr: 1.5,
          fontWeight: 700,
          letterSpacing: '0.04em',
        }}
      >
        Platform
      </Box>
      <TitlePortal component="h1" noWrap sx={TITLE} />
    </AppBar>
  );
}

function StaffMenu() {
  const staff = useContext(StaffContext);
  if (staff === null) return null;
  const { name, email } = staff;
  return (
    <UserMenu label={name === '' ? email : name}>
      <MenuItem disabled sx={{ '&.Mui-disabled': { opacity: 1 } }}>
        <ListItemText primary={email} secondary="Staff of the platform" />
      </MenuItem>
      <Logout />
    </UserMenu>
  );
}

function Notice() {
  return (
    <Box
      component="section"
      aria-label="Platform"
      sx={{
        mx: { xs: -1, sm: -2 },
        px: 2,
        py: 0.75,
        borderBottom: `3px solid ${BAR.background}`,
        backgroundColor: 'background.paper',
      }}
    >
      <Typography variant="body2">
        <strong>Platform</strong>: all merchants, in both environments. What you change is recorded with your name.
      </Typography>
    </Box>
  );
}

function SideMenu() {
  return (
    <Box component="nav" aria-label="Pages">
      <Menu aria-label="Platform" sx={{ py: 0.5 }}>
        {CONSOLE_RESOURCES.map(({ name, label, icon }) => (
          <Menu.Item key={name} to={`${CONSOLE_PATH}/${name}`} primaryText={label} leftIcon={icon} />
        ))}
      </Menu>
    </Box>
  );
}
