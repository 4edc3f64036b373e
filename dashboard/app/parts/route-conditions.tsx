import Typography from '@mui/material/Typography';
import { SelectArrayInput, TextInput, useRecordContext } from 'react-admin';
import { useWatch } from 'react-hook-form';
import type { CardGroup, PaymentRoute } from '../../../sdk/server/generated/schemas.ts';
import { decimalOf, formatMoney } from '../core/money.ts';
import { inWords } from '../core/words.ts';
import { AmountInput } from './inputs.tsx';
import { metadataText, readMetadata } from './route-condition-values.ts';
import { useRead } from './use-data.ts';

type Conditions = Pick<
  PaymentRoute,
  'currencies' | 'amountMin' | 'amountMax' | 'cardBrands' | 'cardGroups' | 'metadata' | 'captureMethods' | 'initiators'
>;

/** Each brand that the API knows; the compiler asks for one that is missing. */
const BRAND_IDS: Readonly<Record<PaymentRoute['cardBrands'][number], true>> = {
  visa: true,
  mastercard: true,
  american_express: true,
  diners_club: true,
  discover: true,
  elo: true,
  hiper: true,
  hipercard: true,
  jcb: true,
  maestro: true,
  mir: true,
  naranja: true,
  rupay: true,
  troy: true,
  unionpay: true,
  verve: true,
};
export const BRANDS = Object.keys(BRAND_IDS).map((id) => ({ id, name: inWords(id) }));
const CAPTURES = [
  { id: 'automatic', name: 'Automatic' },
  { id: 'manual', name: 'Manual' },
];
const INITIATORS = [
  { id: 'customer', name: 'The customer' },
  { id: 'merchant', name: 'You, without the customer' },
];

/** What a payment must be like for the route, besides its currency and country; each input may stay empty. */
export function ConditionInputs() {
  const method: unknown = useWatch({ name: 'paymentMethod' });
  return (
    <>
      <Typography component="h2" variant="subtitle1" sx={{ mt: 1 }}>
        Only for payments that meet all of these (empty: any)
      </Typography>
      <AmountBounds />
      {method === 'card' ? (
        <>
          <SelectArrayInput source="cardBrands" label="Card brands" choices={BRANDS} fullWidth />
          <CardGroupsInput />
        </>
      ) : null}
      <SelectArrayInput source="captureMethods" label="Capture" choices={CAPTURES} fullWidth />
      <SelectArrayInput source="initiators" label="Initiated by" choices={INITIATORS} fullWidth />
      <MetadataInput />
    </>
  );
}

/** Amounts are of one currency, so they can be given once exactly one is chosen. */
function AmountBounds() {
  const route = useRecordContext<PaymentRoute>();
  const currencies: unknown = useWatch({ name: 'currencies' });
  const [currency, ...others] = Array.isArray(currencies) ? currencies.map(String) : [];
  if (currency === undefined || others.length > 0)
    return <Typography color="textSecondary">Choose exactly one currency to limit the amount.</Typography>;
  const textOf = (minor: number | null | undefined) => (minor == null ? '' : decimalOf(minor, currency));
  return (
    <>
      <Bound source="amountMinText" label="Smallest amount" currency={currency} text={textOf(route?.amountMin)} />
      <Bound source="amountMaxText" label="Largest amount" currency={currency} text={textOf(route?.amountMax)} />
    </>
  );
}

interface BoundProps {
  readonly source: string;
  readonly label: string;
  readonly currency: string;
  /** The bound of the stored route. */
  readonly text: string;
}

function Bound({ text, ...props }: BoundProps) {
  return <AmountInput {...props} isRequired={false} defaultValue={text} />;
}

/** The groups that the account's merchant has; nothing where there are none. */
export function CardGroupsInput({ source = 'cardGroups' }: { readonly source?: string }) {
  const { data: groups = [] } = useRead<readonly CardGroup[]>('card-groups', { query: { limit: 100 } });
  if (groups.length === 0) return null;
  return <SelectArrayInput source={source} label="Groups of cards" choices={[...groups]} fullWidth />;
}

export function MetadataInput({ source = 'metadataText' }: { readonly source?: string }) {
  const route = useRecordContext<PaymentRoute>();
  return (
    <TextInput
      source={source}
      label="Metadata"
      defaultValue={metadataText(route?.metadata ?? {})}
      validate={(text: unknown) =>
        readMetadata(text) === undefined ? 'Write each pair on a line of its own: channel=app' : undefined
      }
      helperText="One pair on each line, such as channel=app"
      fullWidth
      multiline
    />
  );
}

/** A route's conditions in words; empty where it has none. */
export function conditionWords(route: Conditions): readonly string[] {
  const { cardBrands, cardGroups, metadata, captureMethods, initiators } = route;
  return [
    ...amountWords(route),
    ...(cardBrands.length === 0 ? [] : [cardBrands.map(inWords).join(', ')]),
    ...(cardGroups.length === 0
      ? []
      : [cardGroups.length === 1 ? '1 group of cards' : `${cardGroups.length} groups of cards`]),
    ...Object.entries(metadata).map(([name, value]) => `${name} is ${value}`),
    ...captureMethods.map((each) => `${each} capture`),
    ...initiators.map((each) => (each === 'customer' ? 'with the customer' : 'without the customer')),
  ];
}

function amountWords({ currencies: [currency], amountMin, amountMax }: Conditions): readonly string[] {
  if (currency === undefined) return [];
  return [
    ...(amountMin === null ? [] : [`from ${formatMoney(amountMin, currency)}`]),
    ...(amountMax === null ? [] : [`up to ${formatMoney(amountMax, currency)}`]),
  ];
}
