/** The sign-in page, which leads back afterwards. @param from path and query */
export function signInAddress(from: string): string {
  return from === '/' ? '/sign-in' : `/sign-in?${new URLSearchParams({ next: from }).toString()}`;
}

/** Where the address says to go on after the sign-in: a path of this site, and no other site. */
export function nextAddress(query: URLSearchParams): string {
  const next = query.get('next') ?? '/';
  try {
    const url = new URL(next, location.origin);
    return url.origin === location.origin && next.startsWith('/') ? url.pathname + url.search : '/';
  } catch {
    return '/';
  }
}
