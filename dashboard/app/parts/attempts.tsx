import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import type { PaymentAttempt } from '../../../sdk/server/generated/schemas.ts';
import { inWords } from '../core/words.ts';
import { Code, Id, Status, Time } from './fields.tsx';
import { Method } from './method.tsx';

/** A route that was not tried, and why. */
export interface SkippedRoute {
  readonly routeId: string;
  readonly provider: string;
  readonly reason: string;
  /** What the provider takes instead, where it is the reason. */
  readonly takes?: string | undefined;
}

const REASONS: Readonly<Record<string, string>> = {
  inactive: 'it is not active',
  method: 'it is for another payment method',
  currency: 'it does not accept the currency',
  amount: 'it does not accept the amount',
  card_brand: 'it does not accept the brand of the card',
  card_group: 'it accepts cards of other groups',
  metadata: 'it accepts payments with other metadata',
  capture_method: 'it does not accept the capture method',
  initiator: 'it does not accept payments of this initiator',
  provider_not_configured: 'its provider takes no payments of this environment',
  other_merchant_account: "it leads to another account's provider account",
  provider_account_disabled: 'its provider account is disabled',
  method_not_offered: 'its provider does not take the payment method',
  capture_method_not_offered: 'its provider does not take the capture method',
  currency_not_offered: 'its provider does not take the currency',
  amount_not_offered: 'its provider has no unit for the amount',
  asset_not_offered: 'its provider does not take the asset on its network',
  amount_outside_limits: 'its provider takes no such amount',
  country: 'it does not accept the country',
};

/** What a decline tells the merchant to do, in words. */
const ADVICE: Readonly<Record<NonNullable<PaymentAttempt['advice']>, string>> = {
  never: 'do not send this card again',
  later: 'try the same card later',
  elsewhere: 'another provider may approve it',
  authenticate: 'the customer has to be authenticated',
  correct_data: 'the customer has to correct the data',
};

/** Why a route was skipped, in words. */
function reasonText(reason: string): string {
  return REASONS[reason] ?? inWords(reason);
}

/** The attempts as a path from left to right: each route in turn, until one took the money. */
export function Attempts({ attempts }: { readonly attempts: readonly PaymentAttempt[] }) {
  if (attempts.length === 0)
    return <Typography color="textSecondary">No attempt is recorded: no provider was asked to charge.</Typography>;
  return (
    <Box component="ol" sx={{ display: 'flex', flexWrap: 'wrap', gap: 1.5, listStyle: 'none', m: 0, p: 0 }}>
      {attempts.map((attempt, index) => (
        <Box component="li" key={attempt.id} sx={{ display: 'flex', alignItems: 'center', gap: 1.5, minWidth: 0 }}>
          {index === 0 ? null : (
            <Typography aria-hidden color="textSecondary" sx={{ display: { xs: 'none', sm: 'block' } }}>
              →
            </Typography>
          )}
          <Box sx={{ border: 1, borderColor: 'divider', borderRadius: 2, p: 1.5, minWidth: '13rem' }}>
            <Typography sx={{ fontWeight: 600 }}>
              {index + 1}. <Id id={attempt.provider} link={false} />
            </Typography>
            <Box sx={{ my: 0.5, display: 'flex', gap: 1, alignItems: 'center', flexWrap: 'wrap' }}>
              <Status of={attempt.outcome ?? 'processing'} />
              {attempt.code === null ? null : <Code>{attempt.code}</Code>}
            </Box>
            {attempt.advice === null ? null : (
              <Typography variant="body2">
                Advice: {ADVICE[attempt.advice]}
                {attempt.networkCode === null ? null : ` (network code ${attempt.networkCode})`}
              </Typography>
            )}
            {attempt.paymentMethod === null ? null : (
              <Typography variant="body2">
                <Method method={attempt.paymentMethod} />
              </Typography>
            )}
            <Typography variant="body2" color="textSecondary">
              {attempt.tries === 1 ? '1 call' : `${attempt.tries} calls`} · <Time at={attempt.startedAt} precise />
            </Typography>
            <Typography variant="body2" color="textSecondary">
              Route <Id id={attempt.route} link={false} />
            </Typography>
          </Box>
        </Box>
      ))}
    </Box>
  );
}

/** Routes that were not tried, with the reason for each. */
export function SkippedRoutes({ routes }: { readonly routes: readonly SkippedRoute[] }) {
  return (
    <ul style={{ margin: 0, paddingLeft: '1.2rem' }}>
      {routes.map(({ routeId, provider, reason, takes }) => (
        <li key={routeId}>
          <Id id={routeId} link={false} /> to <Id id={provider} link={false} />: {reasonText(reason)}
          {takes === undefined ? '' : `; it takes ${takes}`}
        </li>
      ))}
    </ul>
  );
}
