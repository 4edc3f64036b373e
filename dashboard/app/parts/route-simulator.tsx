import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { BooleanInput, Form, SelectInput } from 'react-admin';
import { useWatch } from 'react-hook-form';
import type { PaymentRouteSimulation } from '../../../sdk/server/generated/schemas.ts';
import { messageOf } from '../core/message-of.ts';
import { decimalOf, parseMoney } from '../core/money.ts';
import { RequestError } from '../core/request.ts';
import { PAYMENT_METHODS } from '../core/words.ts';
import { SkippedRoutes } from './attempts.tsx';
import { Code, Id } from './fields.tsx';
import { AmountInput, CountryInput, CurrencyInput } from './inputs.tsx';
import { BRANDS, CardGroupsInput, MetadataInput } from './route-conditions.tsx';
import { readMetadata } from './route-condition-values.ts';
import { Section } from './section.tsx';
import { useData } from './use-data.ts';

const CAPTURE_METHODS = [
  { id: 'automatic', name: 'Automatic' },
  { id: 'manual', name: 'Manual' },
];

const EXAMPLE = {
  amount: decimalOf(1_999, 'EUR'),
  currency: 'EUR',
  paymentMethod: 'card',
  captureMethod: 'automatic',
  country: 'DE',
};

/** Which routes a payment would take, and why not the others; nothing is paid. */
export function RouteSimulator() {
  const { act } = useData();
  const [result, setResult] = useState<PaymentRouteSimulation | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const simulate = async ({
    amount,
    currency,
    country,
    cardBrand,
    metadataText,
    ...others
  }: Record<string, unknown>) => {
    setFailure(null);
    try {
      const body = {
        ...others,
        currency,
        country: country ?? null,
        cardBrand: cardBrand === '' ? null : (cardBrand ?? null),
        metadata: readMetadata(metadataText) ?? {},
        amount: parseMoney(String(amount), String(currency)),
      };
      setResult(await act<PaymentRouteSimulation>('payment-routes/simulate', body, crypto.randomUUID()));
    } catch (error) {
      setResult(null);
      setFailure(messageOf(error));
      return error instanceof RequestError ? error.body.errors : undefined;
    }
    return undefined;
  };
  return (
    <Box sx={{ minWidth: 0 }}>
      <Section title="Try a payment">
        <Typography color="textSecondary" sx={{ mb: 2 }}>
          See which routes a payment would take. Nothing is paid.
        </Typography>
        <Form onSubmit={simulate} defaultValues={EXAMPLE}>
          <SimulatedAmount />
          <CurrencyInput source="currency" isRequired />
          <SelectInput source="paymentMethod" label="Payment method" choices={PAYMENT_METHODS} fullWidth />
          <SelectInput source="captureMethod" label="Capture" choices={CAPTURE_METHODS} fullWidth />
          <CountryInput source="country" label="Customer's country" />
          <SimulatedCard />
          <MetadataInput />
          <BooleanInput source="offSession" label="Without the customer (off-session)" />
          <Button type="submit" variant="contained">
            Try
          </Button>
        </Form>
        <Box aria-live="polite" sx={{ mt: 2 }}>
          {failure === null ? null : <Alert severity="error">{failure}</Alert>}
          {result === null ? null : <Result result={result} />}
        </Box>
      </Section>
    </Box>
  );
}

function SimulatedAmount() {
  const currency: unknown = useWatch({ name: 'currency' });
  return <AmountInput source="amount" currency={typeof currency === 'string' ? currency : 'EUR'} />;
}

/** What is known of the card, of a payment by card. */
function SimulatedCard() {
  const method: unknown = useWatch({ name: 'paymentMethod' });
  if (method !== 'card') return null;
  return (
    <>
      <SelectInput source="cardBrand" label="Card brand" choices={BRANDS} emptyText="Not known" fullWidth />
      <CardGroupsInput />
    </>
  );
}

type Place = NonNullable<PaymentRouteSimulation['routes'][number]['place']>;

const PLACES: Readonly<Record<Place['by'], string>> = {
  approval_rate: 'by approval rate',
  exploration: 'explored, to keep its rate known',
  weight: 'by weight, because its rate is not known yet',
};

function placeWords({ by, approvalRate, attempts }: Place): string {
  const rate = approvalRate === null ? '' : `${(approvalRate * 100).toFixed(1)} % of `;
  return `${PLACES[by]} (${rate}${attempts} attempts)`;
}

function Result({ result: { routes, passedOver, refusal } }: { readonly result: PaymentRouteSimulation }) {
  return (
    <>
      {refusal === null ? null : (
        <Alert severity="error" sx={{ mb: 1 }}>
          The payment would be refused: {refusal.message} <Code>{refusal.code}</Code>
        </Alert>
      )}
      <Typography component="h3" sx={{ fontWeight: 600 }}>
        Tried in this order
      </Typography>
      {routes.length === 0 ? <Typography color="textSecondary">No route takes this payment.</Typography> : null}
      <ol style={{ marginTop: 0 }}>
        {routes.map(({ routeId, provider, priority, weight, circuitOpen, place }) => (
          <li key={routeId}>
            <strong>
              <Id id={provider} link={false} />
            </strong>{' '}
            (number {priority}, weight {weight}){place === undefined ? '' : `: ${placeWords(place)}`}
            {circuitOpen ? ': tried last, because the provider fails at the moment' : ''}
          </li>
        ))}
      </ol>
      {passedOver.length === 0 ? null : (
        <>
          <Typography component="h3" sx={{ fontWeight: 600 }}>
            Skipped
          </Typography>
          <SkippedRoutes routes={passedOver} />
        </>
      )}
    </>
  );
}
