import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import { QueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { Admin, CustomRoutes, Resource } from 'react-admin';
import { Navigate, Route, useLocation } from 'react-router';
import { signInAddress } from '../core/addresses.ts';
import { auth } from '../core/auth.ts';
import { createDataProvider } from '../core/data-provider.ts';
import { displaySettings } from '../core/display-settings.ts';
import { readingAfterWrites } from '../core/read-after-writes.ts';
import { RequestError } from '../core/request.ts';
import { themeFor } from '../core/theme.ts';
import { FrameHeading, SignInFrame } from '../pages/sign-in/frame.tsx';
import { NOT_SHOWN } from '../parts/section.tsx';
import { Leave, Waiting } from '../parts/waiting.tsx';
import { createAuthProvider } from '../shell/auth-provider.ts';
import { NoSuchPage } from '../shell/not-found.tsx';
import { RedirectToShow } from '../shell/redirect-to-show.tsx';
import { i18nProvider } from '../shell/texts.ts';
import { CONSOLE_PATH, ConsoleShell, StaffProvider } from './layout.tsx';
import { CONSOLE_RESOURCES } from './resources.tsx';
import { StaffEnrolment } from './second-factor.tsx';
import { readStaff, secondFactorStep, type Staff } from './staff.ts';

const THEME = { light: themeFor('light'), dark: themeFor('dark') };
const FRESH_FOR_MS = 5_000;
/** The API checks again what staff may do. */
const SCOPES = CONSOLE_RESOURCES.map(({ name }) => `${name}:read`);

/** The pages of the platform's staff. */
export default function Console() {
  const { pathname, search } = useLocation();
  const [staff, setStaff] = useState<Staff | Error | null>(null);
  useEffect(() => {
    readStaff().then(setStaff, setStaff);
  }, []);
  if (staff === null) return <Waiting />;
  if (!(staff instanceof Error)) return <ConsolePages staff={staff} />;
  if (staff instanceof RequestError && staff.status === 401) {
    return <Leave to={signInAddress(pathname + search)} />;
  }
  return (
    <SignInFrame>
      {secondFactorStep(staff) === 'set up' ? (
        <StaffEnrolment token={new URLSearchParams(search).get('enrolment')} />
      ) : (
        <Refused error={staff} />
      )}
      <Button onClick={() => void signOut(secondFactorStep(staff) === null ? '/' : pathname)}>Sign out</Button>
    </SignInFrame>
  );
}

function Refused({ error }: { readonly error: Error }) {
  return (
    <>
      <FrameHeading>{NOT_SHOWN}</FrameHeading>
      <Alert severity="error">{error.message}</Alert>
      <Button href="/">Open the dashboard</Button>
    </>
  );
}

async function signOut(next: string): Promise<void> {
  await auth.signOut().catch(() => undefined);
  location.assign(signInAddress(next));
}

function ConsolePages({ staff }: { readonly staff: Staff }) {
  const { data, authProvider, queryClient, store } = useMemo(() => {
    const client = new QueryClient({ defaultOptions: { queries: { retry: 1, staleTime: FRESH_FOR_MS } } });
    return {
      data: readingAfterWrites(createDataProvider(null, 'platform/'), client),
      authProvider: createAuthProvider({ person: staff, scopes: SCOPES }),
      queryClient: client,
      store: displaySettings('console'),
    };
  }, [staff]);
  return (
    <StaffProvider value={staff}>
      <Admin
        basename={CONSOLE_PATH}
        dataProvider={data}
        authProvider={authProvider}
        i18nProvider={i18nProvider}
        queryClient={queryClient}
        store={store}
        theme={THEME.light}
        darkTheme={THEME.dark}
        layout={ConsoleShell}
        loginPage={false}
        catchAll={NoSuchPage}
        disableTelemetry
        title="Platform"
      >
        {CONSOLE_RESOURCES.map(({ name, label, list, show }) => (
          <Resource
            key={name}
            name={name}
            options={{ label }}
            list={list}
            {...(show === undefined ? {} : { show, edit: RedirectToShow })}
          />
        ))}
        <CustomRoutes>
          <Route path="/" element={<Navigate to={`${CONSOLE_PATH}/merchants`} replace />} />
        </CustomRoutes>
      </Admin>
    </StaffProvider>
  );
}
