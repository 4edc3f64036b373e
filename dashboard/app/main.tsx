import createCache from '@emotion/cache';
import { CacheProvider } from '@emotion/react';
import { lazy, startTransition, StrictMode, Suspense } from 'react';
import { createRoot } from 'react-dom/client';
import { BrowserRouter, Route, Routes } from 'react-router';
import { SIGN_IN_PAGES } from './pages/sign-in/pages.ts';
import { SignInFrame } from './pages/sign-in/frame.tsx';
import { Start } from './pages/start.tsx';
import { Waiting } from './parts/waiting.tsx';
import { readSessionEarly } from './core/session.ts';
import { preloadPage } from './shell/pages.ts';

const Console = lazy(() => import('./console/console.tsx'));
const dashboard = () => import('./shell/dashboard.tsx');
const Dashboard = lazy(dashboard);

/** Beside each other instead of one after the other: the frame, the page, and who is signed in. */
if (/^\/(?:sandbox|production)\//.test(location.pathname)) {
  readSessionEarly();
  dashboard().catch(() => undefined);
  preloadPage(location.pathname);
}

/** The page's security policy takes style sheets with this nonce only. */
const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';
const cache = createCache({ key: 'css', prepend: true, ...(nonce === '' ? {} : { nonce }) });

const root = document.querySelector('#root');
if (root === null) throw new Error('the page has no root');
const page = createRoot(root);
// In short tasks, so that the page answers meanwhile.
startTransition(() =>
  page.render(
    <StrictMode>
      <CacheProvider value={cache}>
        <BrowserRouter>
          <Suspense fallback={<Waiting />}>
            <Routes>
              {SIGN_IN_PAGES.map(({ path, Page }) => (
                <Route
                  key={path}
                  path={path}
                  element={
                    <SignInFrame>
                      <Page />
                    </SignInFrame>
                  }
                />
              ))}
              <Route path="/console/*" element={<Console />} />
              <Route path="/:environment/:merchantId/*" element={<Dashboard />} />
              <Route path="*" element={<Start />} />
            </Routes>
          </Suspense>
        </BrowserRouter>
      </CacheProvider>
    </StrictMode>,
  ),
);
