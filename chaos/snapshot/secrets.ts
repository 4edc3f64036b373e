/** A secret that must not be found, and its description. */
export interface Secret {
  readonly what: string;
  readonly value: string;
}

/** Patterns of secrets whose values are unknown. */
const PATTERNS: readonly { readonly what: string; readonly pattern: RegExp }[] = [
  { what: 'a CVC', pattern: /cvc["'\\:=\s]{1,8}\d{3,4}\b/i },
  { what: 'a webhook secret', pattern: /whsec_[A-Za-z0-9+/]{24,}/ },
  { what: 'an API key', pattern: /svc_(?:test|live)_[A-Za-z0-9_-]{16,}/ },
  { what: 'a client secret', pattern: /pi_[0-9a-f]{32}_secret_/ },
];

/** The length of each half of a client secret, which is a secret by itself: the page's key, and its salt. */
const CLIENT_SECRET_PART = 24;
const TOKEN = /[0-9A-Za-z]{24,}/g;

/** Finds secrets in texts, in the clear and in the hexadecimal form of PostgreSQL's binary columns. */
export function createSecretFinder(
  secrets: readonly Secret[],
  clientSecrets: Iterable<string>,
): (text: string) => readonly string[] {
  const needles = secrets.flatMap(({ what, value }) => [
    { what, value },
    { what: `${what}, in hexadecimal`, value: Buffer.from(value).toString('hex') },
  ]);
  const parts = new Set([...clientSecrets].flatMap(partsOf));
  // There are as many client secrets as payments, so a search for each of them would take too long.
  const hasPart = (text: string): boolean => (text.match(TOKEN) ?? []).some((token) => parts.has(token));
  return (text) => [
    ...new Set([
      ...needles.filter(({ value }) => text.includes(value)).map(({ what }) => what),
      ...PATTERNS.filter(({ pattern }) => pattern.test(text)).map(({ what }) => what),
      ...(hasPart(text) ? ['a part of a client secret'] : []),
    ]),
  ];
}

function partsOf(clientSecret: string): readonly string[] {
  const random = clientSecret.slice(-2 * CLIENT_SECRET_PART);
  return [random, random.slice(0, CLIENT_SECRET_PART), random.slice(CLIENT_SECRET_PART)];
}
