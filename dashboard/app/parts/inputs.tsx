import { useWatch } from 'react-hook-form';
import { AutocompleteInput, SelectArrayInput, TextArrayInput, TextInput } from 'react-admin';
import { COUNTRY_HINT, currencies } from '../core/words.ts';
import { ANY_WITH_CENTS, decimalOf, formatMoney, formatNumber, parseMoney } from '../core/money.ts';

interface InputProps {
  readonly source: string;
  readonly label?: string;
  readonly alwaysOn?: boolean;
  readonly isRequired?: boolean;
}

const CURRENCIES = currencies().map((id) => ({ id, name: id }));

/** One currency by its code. */
export function CurrencyInput({ source, label = 'Currency', isRequired = false }: InputProps) {
  return (
    <AutocompleteInput
      source={source}
      label={label}
      choices={CURRENCIES}
      {...(isRequired ? { validate: requiredText } : {})}
      sx={{ minWidth: '9rem' }}
    />
  );
}

/** Several currencies; none means all. */
export function CurrenciesInput({ source, label = 'Currencies' }: InputProps) {
  return <SelectArrayInput source={source} label={label} choices={CURRENCIES} helperText="None: every currency" />;
}

export function CountryInput({ source, label = 'Country' }: InputProps) {
  return <TextInput source={source} label={label} helperText={COUNTRY_HINT} parse={upperCase} />;
}

/** Several countries by their codes. */
export function CountriesInput({ source, label = 'Countries' }: InputProps) {
  return <TextArrayInput source={source} label={label} helperText={`${COUNTRY_HINT}; Enter adds one`} />;
}

function upperCase(text: string): string | null {
  return text === '' ? null : text.toUpperCase();
}

export function requiredText(value: unknown): string | undefined {
  return value === undefined || value === null || value === '' ? 'Fill this in.' : undefined;
}

interface AmountProps extends InputProps {
  readonly currency: string;
  readonly maximumMinor?: number;
  readonly defaultValue?: string;
}

/** An amount as people write it; the form's value is the text, which `parseMoney` reads. Below it is how it is read. */
export function AmountInput({
  source,
  label = 'Amount',
  currency,
  maximumMinor,
  isRequired = true,
  defaultValue,
}: AmountProps) {
  const validate = (value: unknown) => {
    if (!isRequired && (value === undefined || value === null || value === '')) return undefined;
    const minor = parseMoney(typeof value === 'string' ? value : '', currency);
    if (minor === undefined || minor === 0)
      return `Write an amount in ${currency}, such as ${decimalOf(1_999, currency)}.`;
    return maximumMinor !== undefined && minor > maximumMinor
      ? `At most ${formatMoney(maximumMinor, currency)}.`
      : undefined;
  };
  return (
    <TextInput
      source={source}
      label={`${label} (${currency})`}
      validate={validate}
      {...(defaultValue === undefined ? {} : { defaultValue })}
      helperText={<Reading source={source} currency={currency} />}
      slotProps={{ htmlInput: { inputMode: 'decimal' } }}
    />
  );
}

/** How the amount in a field is read, before it is sent: people of different countries write numbers differently. */
function Reading({ source, currency }: { readonly source: string; readonly currency: string }) {
  const text: unknown = useWatch({ name: source });
  const minor = typeof text === 'string' ? parseMoney(text, currency) : undefined;
  // A space keeps the place of the line.
  return <span aria-live="polite">{minor === undefined ? '\u00a0' : `= ${formatMoney(minor, currency)}`}</span>;
}

/** An amount by which a list is filtered, in the currency of the filters, or with two decimals where they have none. */
export function AmountFilterInput({ source, label }: Pick<InputProps, 'source'> & { readonly label: string }) {
  const chosen: unknown = useWatch({ name: 'currency' });
  const text: unknown = useWatch({ name: source });
  const currency = typeof chosen === 'string' && chosen !== '' ? chosen : null;
  return (
    <TextInput
      source={source}
      label={currency === null ? label : `${label} (${currency})`}
      helperText={<span aria-live="polite">{filterReading(typeof text === 'string' ? text : '', currency)}</span>}
      slotProps={{ htmlInput: { inputMode: 'decimal' } }}
    />
  );
}

function filterReading(text: string, currency: string | null): string {
  if (text.trim() === '') return `Such as ${decimalOf(1_999, currency ?? ANY_WITH_CENTS)}; choose the currency too`;
  const minor = parseMoney(text, currency ?? ANY_WITH_CENTS);
  if (minor === undefined) return `No amount: write it such as ${decimalOf(1_999, currency ?? ANY_WITH_CENTS)}`;
  return currency === null
    ? `= ${formatNumber(minor, ANY_WITH_CENTS)} in any currency with two decimals`
    : `= ${formatMoney(minor, currency)}`;
}
