import type { Advised, DeclineAdvice } from '../domain/decline-advice.ts';

const HOUR_SECONDS = 3_600;
const DAY_SECONDS = 24 * HOUR_SECONDS;

/** An advice of a card network, with the time after which it allows the card again. */
type NetworkAdvice = Pick<Advised, 'advice' | 'retryAfterSeconds'>;

const later = (retryAfterSeconds: number): NetworkAdvice => ({ advice: 'later', retryAfterSeconds });

/** Mastercard's merchant advice codes, which Stripe calls `network_advice_code`, and uses for other networks too. */
const BY_MERCHANT_ADVICE_CODE: ReadonlyMap<string, NetworkAdvice> = new Map<string, NetworkAdvice>([
  ['01', { advice: 'correct_data' }],
  ['02', { advice: 'later' }],
  ['03', { advice: 'never' }],
  ['21', { advice: 'never' }],
  ['24', later(HOUR_SECONDS)],
  ['25', later(DAY_SECONDS)],
  ['26', later(2 * DAY_SECONDS)],
  ['27', later(4 * DAY_SECONDS)],
  ['28', later(6 * DAY_SECONDS)],
  ['29', later(8 * DAY_SECONDS)],
  ['30', later(10 * DAY_SECONDS)],
]);

/** Visa's response codes of category 1: the issuer will never approve the card. */
const VISA_NEVER: ReadonlySet<string> = new Set(
  ['04', '07', '12', '14', '15', '41', '43', '46', '57'].concat('R0', 'R1', 'R3'),
);

/** The advice of a merchant advice code; undefined where it is not known to say one. */
export function merchantAdviceOf(code: string | null | undefined): NetworkAdvice | undefined {
  return BY_MERCHANT_ADVICE_CODE.get(code ?? '');
}

/** The advice of Visa's own response code; undefined where it says none. */
export function visaAdviceOf(networkCode: string | undefined): NetworkAdvice | undefined {
  return networkCode !== undefined && VISA_NEVER.has(networkCode) ? { advice: 'never' } : undefined;
}

/** The form of a network's response code: two letters or digits. */
const NETWORK_CODE = /^([0-9A-Z]{2})(?![0-9A-Za-z])/;

/** The network's code at the beginning of a text such as `05 : Do not honor`; undefined where there is none. */
export function networkCodeIn(text: string | null | undefined): string | undefined {
  return NETWORK_CODE.exec(text ?? '')?.[1];
}

/**
 * What a table says of a decline, overruled by what the provider passes on of it, the strictest first: an explicit `never` counts
 * whatever else is said.
 * @param structured undefined where the provider says nothing
 */
export function overruledBy(
  table: Pick<Advised, 'advice' | 'isIssuerDecline'>,
  structured: readonly (NetworkAdvice | undefined)[],
): Pick<Advised, 'advice' | 'isIssuerDecline' | 'retryAfterSeconds'> {
  const said = structured.filter((each) => each !== undefined);
  return said.find(({ advice }) => advice === 'never') ?? said[0] ?? adviceIn(table);
}

/** The advice of a line of a table. */
export function adviceIn({
  advice,
  isIssuerDecline,
}: Pick<Advised, 'advice' | 'isIssuerDecline'>): Pick<Advised, 'advice' | 'isIssuerDecline'> {
  return { ...(advice === undefined ? {} : { advice }), ...(isIssuerDecline === undefined ? {} : { isIssuerDecline }) };
}

/** Lines of tables: an advice, or what an issuer declines in general. */
export const ISSUER_DECLINE = { advice: 'elsewhere', isIssuerDecline: true } as const satisfies Advised;
export const advise = <Advice extends DeclineAdvice>(advice: Advice) => ({ advice }) as const;
