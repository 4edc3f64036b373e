import { AutocompleteInput, SelectArrayInput, TextArrayInput, TextInput } from 'react-admin';
import { COUNTRY_HINT, currencies } from '../core/words.ts';
import { decimalOf, parseMoney } from '../core/money.ts';

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
}

/** An amount as people write it; the form's value is the text, which `parseMoney` reads. */
export function AmountInput({ source, label = 'Amount', currency, maximumMinor, isRequired = true }: AmountProps) {
  const validate = (value: unknown) => {
    if (!isRequired && (value === undefined || value === null || value === '')) return undefined;
    const minor = parseMoney(typeof value === 'string' ? value : '', currency);
    if (minor === undefined || minor === 0)
      return `Write an amount in ${currency}, such as ${decimalOf(1_999, currency)}.`;
    return maximumMinor !== undefined && minor > maximumMinor
      ? `At most ${decimalOf(maximumMinor, currency)} ${currency}.`
      : undefined;
  };
  return (
    <TextInput
      source={source}
      label={`${label} (${currency})`}
      validate={validate}
      slotProps={{ htmlInput: { inputMode: 'decimal' } }}
    />
  );
}
