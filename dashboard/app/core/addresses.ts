/** The sign-in page, which leads back afterwards. @param from path and query */
export function signInAddress(from: string): string {
  return from === '/' ? '/sign-in' : `/sign-in?${new URLSearchParams({ next: from }).toString()}`;
}

/** Where the address says to go on after the sign-in: a path of this site, and no other site. @param origin of this site */
export function nextAddress(query: URLSearchParams, origin: string): string {
  const next = query.get('next') ?? '/';
  if (!next.startsWith('/') || !URL.canParse(next, origin)) return '/';
  const url = new URL(next, origin);
  // A path may begin with two slashes once its dots are gone, and then names another site.
  return url.origin === origin && !url.pathname.startsWith('//') ? url.pathname + url.search : '/';
}
