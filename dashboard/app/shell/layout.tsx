import HomeOutlined from '@mui/icons-material/HomeOutlined';
import Badge from '@mui/material/Badge';
import Box from '@mui/material/Box';
import Chip from '@mui/material/Chip';
import LinearProgress from '@mui/material/LinearProgress';
import ListItemIcon from '@mui/material/ListItemIcon';
import ListItemText from '@mui/material/ListItemText';
import MenuItem from '@mui/material/MenuItem';
import NativeSelect from '@mui/material/NativeSelect';
import ToggleButton from '@mui/material/ToggleButton';
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup';
import Typography from '@mui/material/Typography';
import { Suspense, useEffect } from 'react';
import {
  AppBar,
  CheckForApplicationUpdate,
  Layout,
  type LayoutProps,
  Logout,
  Menu,
  RefreshIconButton,
  Sidebar,
  type SidebarProps,
  Title,
  TitlePortal,
  ToggleThemeButton,
  useBasename,
  useSidebarState,
  useUserMenu,
  UserMenu,
} from 'react-admin';
import { Link, useNavigate } from 'react-router';
import { ScriptError } from '../core/load-script.ts';
import type { Environment } from '../core/request.ts';
import { type Account, pathOf, readSession, roleName, usePlace } from '../core/session.ts';
import { ENVIRONMENT_COLORS } from '../core/theme.ts';
import { ConfirmPerson } from '../parts/confirm-person.tsx';
import { Failed, NOT_SHOWN } from '../parts/section.tsx';
import { useDisputesToAnswer } from '../parts/use-disputes.ts';
import { SCOPE_NAMES } from './auth-provider.ts';
import { OWN_PAGES, RESOURCES } from './resources.tsx';
import { SignInAgain } from './sign-in-again.tsx';
import { SuspensionNotice } from './suspension-notice.tsx';

const GROUPS = ['Payments', 'Developers', 'Settings'] as const;
const ENVIRONMENTS: readonly { readonly id: Environment; readonly name: string; readonly notice: string }[] = [
  { id: 'sandbox', name: 'Sandbox', notice: 'Test data. No real money moves.' },
  { id: 'production', name: 'Production', notice: 'Real payments. Real money moves.' },
];

/** The page as it was built: that of any other address has a nonce, which makes it look like a new version each time. */
const BUILT_PAGE = '/index.html';
const UNCACHED: RequestInit = { cache: 'no-cache' };

const PAGE_FAILED = new Error(
  "This page has failed. Try again; if it fails again, tell the platform's support which page it is.",
);

/** Where the content is below the bar. */
export const FRAME = {
  minWidth: 0,
  '& .RaLayout-content': { minWidth: 0, px: { xs: 1, sm: 2 }, pb: 4, backgroundColor: 'background.default' },
  '& .RaLayout-appFrame': { minWidth: 0, mt: { xs: '56px', sm: '48px' } },
};

/** On a phone a long title ends in three dots. */
export const TITLE = {
  fontWeight: 600,
  fontSize: { xs: '1rem', sm: '1.25rem' },
  '& .RaConfigurable-root': { display: 'inline' },
};

/** The frame of every page: the bar in the environment's colour, its switch, and the menu. */
export function Shell({ children }: LayoutProps) {
  useTabTitle();
  const { person } = usePlace();
  return (
    <Layout appBar={TopBar} appBarAlwaysOn menu={SideMenu} sidebar={SideBar} error={FailedPage} sx={FRAME}>
      <ConfirmPerson />
      <SignInAgain person={person} readPerson={readPerson} />
      <SuspensionNotice />
      <EnvironmentBanner />
      <Suspense fallback={<LoadingPage />}>{children}</Suspense>
    </Layout>
  );
}

const readPerson = async () => (await readSession()).person;

/** Gives the browser's tab the heading of the page as its title. */
export function useTabTitle(): void {
  useEffect(() => {
    const heading = document.querySelector('#react-admin-title');
    if (heading === null) return undefined;
    const show = () => {
      document.title = `${heading.textContent} – Payment engine`;
    };
    show();
    const observer = new MutationObserver(show);
    observer.observe(heading, { childList: true, characterData: true, subtree: true });
    return () => observer.disconnect();
  }, []);
}

/** Shown while the script of a page is loaded. Without a title of its own, the bar would have an empty heading. */
export function LoadingPage() {
  return (
    <>
      <Title title="Loading" preferenceKey={false} />
      <LinearProgress aria-label="Loading" />
    </>
  );
}

/** Shown instead of a page that failed, or whose script could not be loaded. Only a reload of the document loads a script again. */
export function FailedPage({ error }: { readonly error: unknown }) {
  return (
    <Box sx={{ mt: 3 }}>
      <Title title={NOT_SHOWN} preferenceKey={false} />
      <Failed error={error instanceof ScriptError ? error : PAGE_FAILED} retry={() => location.reload()} />
    </Box>
  );
}

function TopBar() {
  const { account } = usePlace();
  const { background, text } = ENVIRONMENT_COLORS[account.environment];
  return (
    <AppBar
      userMenu={<PersonMenu />}
      toolbar={<BarButtons />}
      alwaysOn
      sx={{ backgroundColor: background, backgroundImage: 'none', color: text, '& .RaAppBar-toolbar': { color: text } }}
    >
      <TitlePortal component="h1" noWrap sx={TITLE} />
    </AppBar>
  );
}

/** What every bar has beside the person. */
export function BarButtons() {
  return (
    <>
      <ToggleThemeButton />
      <RefreshIconButton />
    </>
  );
}

function PersonMenu() {
  const { person } = usePlace();
  return (
    <UserMenu label={person.name === '' ? person.email : person.name}>
      <PersonLines />
      <Logout />
    </UserMenu>
  );
}

function PersonLines() {
  const { person, role, merchantName, isPlatformStaff } = usePlace();
  const basename = useBasename();
  const { onClose } = useUserMenu() ?? {};
  return (
    <>
      <MenuItem disabled sx={{ '&.Mui-disabled': { opacity: 1 } }}>
        <ListItemText primary={person.email} secondary={`${roleName(role)} of ${merchantName}`} />
      </MenuItem>
      {OWN_PAGES.filter(({ group }) => group === undefined).map(({ path, label, icon }) => (
        <MenuItem
          key={path}
          component={Link}
          to={`${basename}${path}`}
          {...(onClose === undefined ? {} : { onClick: onClose })}
        >
          <ListItemIcon>{icon}</ListItemIcon>
          <ListItemText>{label}</ListItemText>
        </MenuItem>
      ))}
      {isPlatformStaff ? (
        <MenuItem component={Link} to="/console">
          <ListItemText inset>Console of the platform</ListItemText>
        </MenuItem>
      ) : null}
    </>
  );
}

/** Where the person is: the environment, in words and colour, and the account. Both can be changed here. */
function EnvironmentBanner() {
  const { account, accounts } = usePlace();
  const navigate = useNavigate();
  const { background, text } = ENVIRONMENT_COLORS[account.environment];
  const here = accounts.filter(({ environment }) => environment === account.environment);
  const current = ENVIRONMENTS.find(({ id }) => id === account.environment);
  const go = (to: Account | undefined) => {
    if (to !== undefined) void navigate(pathOf(to));
  };
  return (
    <Box
      component="section"
      aria-label="Account and environment"
      sx={{
        display: 'flex',
        flexWrap: 'wrap',
        alignItems: 'center',
        gap: 1,
        mx: { xs: -1, sm: -2 },
        px: 2,
        py: 0.75,
        borderBottom: `3px solid ${background}`,
        backgroundColor: 'background.paper',
      }}
    >
      <ToggleButtonGroup
        exclusive
        size="small"
        aria-label="Environment"
        value={account.environment}
        onChange={(_event, chosen: Environment | null) =>
          chosen === null ? undefined : go(accountIn(chosen, account, accounts))
        }
      >
        {ENVIRONMENTS.map(({ id, name }) => (
          <ToggleButton
            key={id}
            value={id}
            disabled={accountIn(id, account, accounts) === undefined}
            sx={{ py: 0.25, '&.Mui-selected, &.Mui-selected:hover': { backgroundColor: background, color: text } }}
          >
            {name}
          </ToggleButton>
        ))}
      </ToggleButtonGroup>
      <Typography variant="body2" sx={{ flexGrow: 1, color: 'text.primary' }}>
        <strong>{current?.name}</strong>: {current?.notice}
        {account.isSuspended ? ' This account is suspended: it takes no requests, and you can only read.' : ''}
      </Typography>
      <NativeSelect
        value={account.merchantId}
        inputProps={{ 'aria-label': 'Merchant account' }}
        onChange={({ target }) => go(here.find(({ merchantId }) => merchantId === target.value))}
        sx={{ maxWidth: '100%' }}
      >
        {here.map(({ merchantId, name }) => (
          <option key={merchantId} value={merchantId}>
            {name}
          </option>
        ))}
      </NativeSelect>
    </Box>
  );
}

/** The account of the same name in the other environment, or any there. */
function accountIn(environment: Environment, { name }: Account, accounts: readonly Account[]): Account | undefined {
  const there = accounts.filter((each) => each.environment === environment);
  return there.find((each) => each.name === name) ?? there[0];
}

/** On phones it is a dialog, which needs a name. */
export function SideBar(props: SidebarProps) {
  return <Sidebar {...props} slotProps={{ paper: { 'aria-label': 'Menu' } }} />;
}

function SideMenu() {
  return (
    <Box component="nav" aria-label="Pages">
      <HomeItem />
      {GROUPS.map((group) => (
        <MenuGroup key={group} name={group} />
      ))}
      <CheckForApplicationUpdate url={BUILT_PAGE} fetchOptions={UNCACHED} />
    </Box>
  );
}

function HomeItem() {
  const basename = useBasename();
  return (
    <Menu aria-label="Overview" sx={{ pt: 1, pb: 0, marginBottom: 0, marginTop: 0 }}>
      <Menu.Item to={`${basename}/`} primaryText="Home" leftIcon={<HomeOutlined />} />
    </Menu>
  );
}

/** The pages of a group that the person may read. */
function MenuGroup({ name }: { readonly name: (typeof GROUPS)[number] }) {
  const { scopes } = usePlace();
  const basename = useBasename();
  const [isOpen] = useSidebarState();
  const pages = RESOURCES.filter((page) => page.group === name && scopes.includes(readScope(page.name)));
  const ownPages = OWN_PAGES.filter(({ group, isFor }) => group === name && (isFor?.(scopes) ?? true));
  if (pages.length + ownPages.length === 0) return null;
  return (
    <>
      {isOpen ? (
        <Typography variant="body2" color="textSecondary" sx={{ px: 2, pt: 1.5, fontWeight: 600 }}>
          {name}
        </Typography>
      ) : null}
      <Menu aria-label={name} sx={{ py: 0.5, marginBottom: 0, marginTop: 0 }}>
        {ownPages.map(({ path, label, icon }) => (
          <Menu.Item key={path} to={`${basename}${path}`} primaryText={label} leftIcon={icon} />
        ))}
        {pages.map((page) =>
          page.name === 'disputes' ? (
            <DisputesItem key={page.name} page={page} />
          ) : (
            <Menu.Item key={page.name} to={`${basename}/${page.name}`} primaryText={page.label} leftIcon={page.icon} />
          ),
        )}
      </Menu>
    </>
  );
}

/** For screen readers alone. */
const HEARD_ONLY = { position: 'absolute', width: 1, height: 1, overflow: 'hidden', clipPath: 'inset(50%)' } as const;

/** With the number of disputes that need an answer; where the menu is narrow, a dot. */
function DisputesItem({ page: { name, label, icon } }: { readonly page: (typeof RESOURCES)[number] }) {
  const basename = useBasename();
  const { count } = useDisputesToAnswer();
  return (
    <Menu.Item
      to={`${basename}/${name}`}
      primaryText={
        <>
          {label}
          {count === 0 ? null : (
            <>
              {' '}
              <Chip component="span" size="small" color="warning" label={count} sx={{ ml: 0.5, height: 20 }} />
              <span style={HEARD_ONLY}> {count === 1 ? 'needs' : 'need'} an answer</span>
            </>
          )}
        </>
      }
      leftIcon={
        <Badge variant="dot" color="warning" invisible={count === 0}>
          {icon}
        </Badge>
      }
    />
  );
}

function readScope(resource: string): string {
  return `${SCOPE_NAMES[resource] ?? resource}:read`;
}
