import Button from '@mui/material/Button';
import { QueryClient } from '@tanstack/react-query';
import { lazy, startTransition, useEffect, useMemo, useState } from 'react';
import { Admin, CustomRoutes, Resource } from 'react-admin';
import { Route, useLocation, useParams } from 'react-router';
import { SECOND_FACTOR_DEMANDED, secondFactorStep } from '../console/staff.ts';
import { signInAddress } from '../core/addresses.ts';
import { auth } from '../core/auth.ts';
import { createDataProvider } from '../core/data-provider.ts';
import { displaySettings } from '../core/display-settings.ts';
import { readingAfterWrites } from '../core/read-after-writes.ts';
import { loadScript } from '../core/load-script.ts';
import { isWorthRepeating, RequestError } from '../core/request.ts';
import { type Account, pathOf, PlaceProvider, type Session, takeSession } from '../core/session.ts';
import { themeFor } from '../core/theme.ts';
import { FrameHeading, SignInFrame } from '../pages/sign-in/frame.tsx';
import { Failed, NOT_SHOWN } from '../parts/section.tsx';
import { Leave, Redirect, Waiting } from '../parts/waiting.tsx';
import { createAuthProvider } from './auth-provider.ts';
import { Shell } from './layout.tsx';
import { NoSuchAccount, NoSuchPage } from './not-found.tsx';
import { HomePage, OWN_PAGES, RESOURCES } from './resources.tsx';
import { RedirectToShow } from './redirect-to-show.tsx';
import { i18nProvider } from './texts.ts';

/** Few people meet it, and it draws QR codes. */
const SetUpSecondFactor = lazy(async () => ({
  default: (await loadScript(import('../console/second-factor.tsx'))).SetUpSecondFactor,
}));

const THEME = { light: themeFor('light'), dark: themeFor('dark') };
const FRESH_FOR_MS = 5_000;

/** The pages of one account in one environment, which the address names. */
export default function Dashboard() {
  const { pathname, search } = useLocation();
  const { environment, merchantId } = useParams();
  const [session, setSession] = useState<Session | Error | null>(null);
  useEffect(() => {
    const set = (found: Session | Error) => startTransition(() => setSession(found));
    takeSession().then(set, set);
  }, []);
  if (session === null) return <Waiting />;
  if (session instanceof RequestError && session.status === 401) return <Leave to={signInAddress(pathname + search)} />;
  if (session instanceof RequestError && session.reason === 'no_team') return <Redirect to="/" />;
  if (secondFactorStep(session) !== null)
    return (
      <SignInFrame>
        {secondFactorStep(session) === 'set up' ? (
          <SetUpSecondFactor title={SECOND_FACTOR_DEMANDED} />
        ) : (
          <FrameHeading>Sign in again, with your second factor</FrameHeading>
        )}
        <Button onClick={() => void signOut(pathname)}>Sign out</Button>
      </SignInFrame>
    );
  if (session instanceof Error)
    return (
      <SignInFrame>
        <FrameHeading>{NOT_SHOWN}</FrameHeading>
        <Failed error={session} retry={() => location.reload()} />
      </SignInFrame>
    );
  const account = session.accounts.find((each) => each.merchantId === merchantId && each.environment === environment);
  if (account === undefined)
    return (
      <SignInFrame>
        <NoSuchAccount />
      </SignInFrame>
    );
  return <AccountPages key={pathOf(account)} session={session} account={account} />;
}

async function signOut(next: string): Promise<void> {
  await auth.signOut().catch(() => undefined);
  location.assign(signInAddress(next));
}

function AccountPages({ session, account }: { readonly session: Session; readonly account: Account }) {
  const { data, authProvider, queryClient, store } = useMemo(() => {
    const client = new QueryClient({
      defaultOptions: { queries: { retry: isWorthRepeating, staleTime: FRESH_FOR_MS } },
    });
    return {
      data: readingAfterWrites(createDataProvider(account), client),
      authProvider: createAuthProvider(session),
      queryClient: client,
      store: displaySettings('dashboard'),
    };
  }, [session, account]);
  return (
    <PlaceProvider value={{ ...session, account }}>
      <Admin
        basename={pathOf(account)}
        dataProvider={data}
        authProvider={authProvider}
        i18nProvider={i18nProvider}
        queryClient={queryClient}
        store={store}
        theme={THEME.light}
        darkTheme={THEME.dark}
        layout={Shell}
        loginPage={false}
        catchAll={NoSuchPage}
        accessDenied={NoSuchPage}
        disableTelemetry
        title="Payment engine"
      >
        {RESOURCES.map(({ name, label, list, show, edit = show && RedirectToShow, create }) => (
          <Resource
            key={name}
            name={name}
            options={{ label }}
            {...(list === undefined ? {} : { list })}
            {...(show === undefined ? {} : { show })}
            {...(edit === undefined ? {} : { edit })}
            {...(create === undefined ? {} : { create })}
          />
        ))}
        <CustomRoutes>
          <Route path="/" element={<HomePage />} />
          {OWN_PAGES.map(({ path, Page }) => (
            <Route key={path} path={path} element={<Page />} />
          ))}
        </CustomRoutes>
      </Admin>
    </PlaceProvider>
  );
}
