import { type ComponentType, lazy } from 'react';

const load = <Name extends string>(module: Promise<Readonly<Record<Name, ComponentType>>>, name: Name) =>
  module.then((pages) => ({ default: pages[name] }));

/** The pages that need no session, besides the sign-in, which is a page of its own. */
export const SIGN_IN_PAGES = [
  { path: '/sign-up', Page: lazy(() => load(import('./sign-up.tsx'), 'SignUp')) },
  { path: '/forgot-password', Page: lazy(() => load(import('./password-reset.tsx'), 'ForgotPassword')) },
  { path: '/reset-password', Page: lazy(() => load(import('./password-reset.tsx'), 'ResetPassword')) },
  { path: '/invitation', Page: lazy(() => load(import('./invitation.tsx'), 'AcceptInvitation')) },
];
