import Alert from '@mui/material/Alert';
import { useState } from 'react';
import { BooleanInput, NumberInput, SelectInput, TextInput, useRefresh } from 'react-admin';
import { useWatch } from 'react-hook-form';
import type { ProviderAccount, ProviderAccountTest } from '../../../sdk/server/generated/schemas.ts';
import { RequestError } from '../core/request.ts';
import { useMay } from '../core/session.ts';
import { choicesOf, inWords } from '../core/words.ts';
import { ActionButton } from '../parts/action-dialog.tsx';
import { Detail } from '../parts/detail.tsx';
import { Code, CopyButton, Facts, Id, Maker, Status, Time } from '../parts/fields.tsx';
import { withoutEmpty } from '../parts/forms.tsx';
import { requiredText } from '../parts/inputs.tsx';
import { type Column, ResourceList } from '../parts/resource-list.tsx';
import { Section } from '../parts/section.tsx';
import { useData } from '../parts/use-data.ts';

const RESOURCE = 'provider-accounts';

interface Credential {
  readonly name: string;
  readonly label: string;
  readonly hint: string;
  readonly isSecret?: boolean;
  readonly isOptional?: boolean;
  /** What is entered, if it is no text. */
  readonly type?: 'number' | 'switch' | 'choice' | 'json';
  /** For `choice`. */
  readonly choices?: readonly string[];
  /** For `json`. */
  readonly example?: string;
}

const TOKENS_EXAMPLE = `[
  {
    "asset": "USDC",
    "contract": "0x…",
    "decimals": 6,
    "priceFeed": { "address": "0x…", "maximumAgeSeconds": 90000 }
  }
]`;
const CURRENCIES_EXAMPLE = '{ "EUR": { "address": "0x…", "maximumAgeSeconds": 90000 } }';

/** What each provider knows an account by. */
const KINDS: Readonly<
  Record<ProviderAccount['kind'], { readonly name: string; readonly credentials: readonly Credential[] }>
> = {
  simulator: {
    name: 'Simulator',
    credentials: [
      { name: 'apiKey', label: 'API key', hint: "The simulator's API key", isSecret: true },
      { name: 'webhookSecret', label: 'Webhook secret', hint: 'whsec_…', isSecret: true },
    ],
  },
  stripe: {
    name: 'Stripe',
    credentials: [
      { name: 'secretKey', label: 'Secret key', hint: 'A secret or restricted key, sk_… or rk_…', isSecret: true },
      {
        name: 'webhookSecret',
        label: 'Webhook secret',
        hint: 'The signing secret of the endpoint, whsec_…',
        isSecret: true,
      },
    ],
  },
  adyen: {
    name: 'Adyen',
    credentials: [
      { name: 'apiKey', label: 'API key', hint: 'The key of an API credential', isSecret: true },
      { name: 'merchantAccount', label: 'Merchant account', hint: 'Its name at Adyen' },
      { name: 'liveUrlPrefix', label: 'Live URL prefix', hint: 'Required in production', isOptional: true },
      { name: 'hmacKey', label: 'HMAC key', hint: 'Of the Standard webhook, in hexadecimal digits', isSecret: true },
    ],
  },
  cashfree: {
    name: 'Cashfree',
    credentials: [
      { name: 'clientId', label: 'Client ID', hint: 'The app ID' },
      { name: 'clientSecret', label: 'Client secret', hint: 'The secret key', isSecret: true },
      { name: 'fallbackPhone', label: 'Fallback phone', hint: 'Ten digits, for payments without a phone number' },
      { name: 'preauthorization', label: 'Cashfree holds card payments', hint: '', isOptional: true, type: 'switch' },
    ],
  },
  evm: {
    name: 'EVM chain',
    credentials: [
      {
        name: 'xpub',
        label: 'Extended public key',
        hint: "xpub… of an account of your wallet, m/44'/60'/n'. Never a private key (xprv…).",
        isSecret: true,
      },
      { name: 'rpcUrl', label: 'Node', hint: 'Its JSON-RPC address, https://…', isSecret: true },
      { name: 'chainId', label: 'Chain ID', hint: '1 is Ethereum, 137 is Polygon; it stays', type: 'number' },
      { name: 'network', label: 'Network', hint: 'It stays', type: 'choice', choices: ['ethereum', 'polygon'] },
      { name: 'confirmations', label: 'Confirmations', hint: "Blocks after a deposit's own", type: 'number' },
      { name: 'requireFinality', label: 'Wait for finality', hint: '', isOptional: true, type: 'switch' },
      {
        name: 'quoteSeconds',
        label: 'Seconds that a quote is valid',
        hint: '60 to 3600; empty: 1200',
        isOptional: true,
        type: 'number',
      },
      {
        name: 'tokens',
        label: 'Tokens',
        hint: 'A list as JSON: the contract of each token, and the feed of its price in USD',
        type: 'json',
        example: TOKENS_EXAMPLE,
      },
      {
        name: 'currencies',
        label: 'Currencies',
        hint: 'As JSON: the feed of the price in USD of each currency besides USD; empty: USD only',
        isOptional: true,
        type: 'json',
        example: CURRENCIES_EXAMPLE,
      },
    ],
  },
};

const KIND_CHOICES = Object.entries(KINDS).map(([id, { name }]) => ({ id, name }));

function kindName(kind: ProviderAccount['kind']): string {
  return KINDS[kind]?.name ?? inWords(kind);
}

/** As the form calls it. */
function credentialName(kind: ProviderAccount['kind'], name: string): string {
  return KINDS[kind]?.credentials.find((each) => each.name === name)?.label ?? inWords(name);
}

const FILTERS = [
  <SelectInput key="kind" source="kind" label="Provider" choices={KIND_CHOICES} alwaysOn />,
  <SelectInput key="status" source="status" label="Status" choices={choicesOf(['active', 'disabled'])} alwaysOn />,
];

const COLUMNS: readonly Column<ProviderAccount>[] = [
  { label: 'Name', onPhone: true, show: ({ name }) => name },
  { label: 'Provider', onPhone: true, show: ({ kind }) => kindName(kind) },
  {
    label: 'Status',
    onPhone: true,
    show: ({ status, credentialsRefusedSince: since }) => (
      <Status of={since === null ? status : 'credentials_refused'} />
    ),
  },
  { label: 'Account', onPhone: true, show: ({ id }) => <Id id={id} resource={RESOURCE} /> },
  { label: 'Credentials changed', show: ({ credentialsUpdatedAt }) => <Time at={credentialsUpdatedAt} /> },
  { label: 'Created', show: ({ createdAt }) => <Time at={createdAt} /> },
];

export function ProviderAccountList() {
  return (
    <ResourceList<ProviderAccount>
      title="Provider accounts"
      columns={COLUMNS}
      filters={FILTERS}
      actions={<CreateAccount />}
      empty="No provider accounts yet. Add your own account at a provider, then lead a route to it."
    />
  );
}

function CredentialInputs({ kind }: { readonly kind: ProviderAccount['kind'] }) {
  return KINDS[kind].credentials.map((credential) => (
    <CredentialInput key={`${kind}.${credential.name}`} credential={credential} />
  ));
}

function CredentialInput({ credential }: { readonly credential: Credential }) {
  const { name, label, hint, type, isSecret = false, isOptional = false, choices = [], example = '' } = credential;
  const field = { source: `credentials.${name}`, label, helperText: hint };
  const isRequired = isOptional ? [] : [requiredText];
  switch (type) {
    case 'switch':
      return <BooleanInput source={field.source} label={label} />;
    case 'number':
      return <NumberInput {...field} validate={isRequired} />;
    case 'choice':
      return <SelectInput {...field} choices={choicesOf(choices)} validate={isRequired} fullWidth />;
    case 'json':
      return (
        <TextInput
          {...field}
          multiline
          minRows={3}
          fullWidth
          validate={[...isRequired, jsonText]}
          slotProps={{ htmlInput: { autoComplete: 'off', spellCheck: false, placeholder: example } }}
        />
      );
    default:
      return (
        <TextInput
          {...field}
          type={isSecret ? 'password' : 'text'}
          slotProps={{ htmlInput: { autoComplete: 'off' } }}
          validate={isRequired}
        />
      );
  }
}

function jsonText(value: unknown): string | undefined {
  if (typeof value !== 'string' || value === '') return undefined;
  try {
    JSON.parse(value);
    return undefined;
  } catch {
    return 'This is no JSON. Mind quotes, commas and brackets.';
  }
}

/** The inputs of the kind that is chosen. */
function ChosenCredentials() {
  const kind: unknown = useWatch({ name: 'kind' });
  return isKind(kind) ? <CredentialInputs kind={kind} /> : null;
}

function isKind(value: unknown): value is ProviderAccount['kind'] {
  return typeof value === 'string' && value in KINDS;
}

/** Only those of the kind: another kind may have been chosen before. */
function credentialsOf(kind: unknown, values: unknown): Record<string, unknown> {
  const credentials = isKind(kind) ? KINDS[kind].credentials : [];
  const given = withoutEmpty((values ?? {}) as Record<string, unknown>);
  return Object.fromEntries(
    credentials
      .filter(({ name }) => name in given)
      .map(({ name, type }) => [name, type === 'json' ? JSON.parse(String(given[name])) : given[name]]),
  );
}

/** The values of inputs, from those credentials that may be shown. */
function inputsOf({ kind, publicCredentials }: ProviderAccount): Record<string, unknown> {
  const shown = KINDS[kind].credentials.filter(({ name }) => name in publicCredentials);
  return Object.fromEntries(shown.map(({ name, type }) => [name, inputOf(type, publicCredentials[name] ?? '')]));
}

function inputOf(type: Credential['type'], text: string): unknown {
  if (type === 'number') return Number(text);
  if (type === 'switch') return text === 'true';
  return type === 'json' ? JSON.stringify(JSON.parse(text), null, 2) : text;
}

/** Shows what is wrong inside a list or an object at its one input. */
async function atInputs<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    const errors = Object.fromEntries(
      Object.entries(error.body.errors).map(([field, message]) => {
        const [, input, inside] = /^(credentials\.[^.]+)\.(.+)$/.exec(field) ?? [];
        return input === undefined ? [field, message] : [input, `${inside}: ${message}`];
      }),
    );
    throw new RequestError(error.message, { ...error, errors });
  }
}

function CreateAccount() {
  const { act } = useData();
  const refresh = useRefresh();
  if (!useMay('provider-accounts:write')) return null;
  return (
    <ActionButton
      label="Add provider account"
      variant="contained"
      title="Add a provider account"
      explanation="The credentials are encrypted, and never shown again."
      defaultValues={{ kind: 'stripe' }}
      act={({ kind, name, credentials }, key) =>
        atInputs(act(RESOURCE, { kind, name, credentials: credentialsOf(kind, credentials) }, key))
      }
      done="The provider account is added."
      onDone={refresh}
    >
      <SelectInput source="kind" label="Provider" choices={KIND_CHOICES} validate={requiredText} fullWidth />
      <TextInput source="name" label="Name" helperText="A name of your own" validate={requiredText} />
      <ChosenCredentials />
    </ActionButton>
  );
}

export function ProviderAccountPage() {
  const [test, setTest] = useState<ProviderAccountTest | null>(null);
  return (
    <Detail<ProviderAccount>
      title={({ name }) => name}
      actions={(account) => <AccountActions account={account} onTested={setTest} />}
    >
      {(account) => (
        <>
          {test === null ? null : (
            <Alert severity={test.ok ? 'success' : 'error'}>
              {test.ok
                ? 'The provider accepts the credentials.'
                : `The provider refuses the credentials: ${test.reason ?? ''}`}
            </Alert>
          )}
          {account.credentialsRefusedSince === null ? null : (
            <Alert severity="error" sx={{ mb: 2 }}>
              The provider refuses the credentials since <Time at={account.credentialsRefusedSince} precise />. Payments
              go to other routes, and what is under way here waits. Replace the credentials, then test them.
            </Alert>
          )}
          <Section title="Provider account">
            <Facts
              rows={[
                ['ID', <Id key="id" id={account.id} link={false} whole />],
                ['Provider', kindName(account.kind)],
                ['Status', <Status key="status" of={account.status} />],
                ...(account.kind === 'evm' ? [] : [webhookPathRow(account)]),
                ['Payment methods', account.capabilities.paymentMethods.map(inWords).join(', ')],
                ['Capture', account.capabilities.captureMethods.map(inWords).join(', ')],
                ['Partial capture', account.capabilities.partialCapture ? 'Yes' : 'No'],
                ['Made by', <Maker key="maker" of={account.createdBy} />],
                ['Created', <Time key="created" at={account.createdAt} precise />],
              ]}
            />
          </Section>
          <Section title="Credentials">
            <Facts
              rows={[
                ...account.credentialNames.map(
                  (name) =>
                    [
                      credentialName(account.kind, name),
                      <ShownCredential key={name} text={account.publicCredentials[name]} />,
                    ] as const,
                ),
                ['Last change', <Time key="changed" at={account.credentialsUpdatedAt} precise />],
              ]}
            />
          </Section>
        </>
      )}
    </Detail>
  );
}

/** A chain sends no webhooks. */
function webhookPathRow({ webhookPath }: ProviderAccount) {
  return [
    'Webhook path, for the dashboard of the provider',
    <span key="path">
      <Code wrap>{webhookPath}</Code>
      <CopyButton text={webhookPath} label="Copy webhook path" />
    </span>,
  ] as const;
}

function ShownCredential({ text }: { readonly text: string | undefined }) {
  if (text === undefined) return 'Set; it is never shown';
  return /^[[{]/.test(text) ? <Code wrap>{text}</Code> : text;
}

interface AccountActionsProps {
  readonly account: ProviderAccount;
  readonly onTested: (test: ProviderAccountTest) => void;
}

function AccountActions({ account, onTested }: AccountActionsProps) {
  const { id, kind, name, status } = account;
  const data = useData();
  const refresh = useRefresh();
  if (!useMay('provider-accounts:write')) return null;
  return (
    <>
      <ActionButton<ProviderAccountTest>
        label="Test"
        title="Test the credentials?"
        explanation="The engine makes a harmless request to the provider."
        act={(_values, key) => data.act(`${RESOURCE}/${id}/test`, {}, key)}
        done="The credentials were tested."
        onDone={onTested}
      />
      <ActionButton
        label="Edit"
        title="Edit this provider account"
        explanation="A disabled account takes no new payments. What is under way is completed."
        defaultValues={{ name, status }}
        act={(values) =>
          data.update(RESOURCE, { id, data: { name: values['name'], status: values['status'] }, previousData: { id } })
        }
        done="The provider account is changed."
        onDone={refresh}
      >
        <TextInput source="name" label="Name" validate={requiredText} />
        <SelectInput
          source="status"
          label="Status"
          choices={choicesOf(['active', 'disabled'])}
          validate={requiredText}
          fullWidth
        />
      </ActionButton>
      <ActionButton
        label="Replace credentials"
        title="Replace the credentials"
        explanation="The new credentials replace all earlier ones at once. Webhooks signed with the earlier secret are accepted for another day."
        defaultValues={{ credentials: inputsOf(account) }}
        act={({ credentials }, key) =>
          atInputs(data.act(`${RESOURCE}/${id}/rotate`, { credentials: credentialsOf(kind, credentials) }, key))
        }
        done="The credentials are replaced."
        onDone={refresh}
      >
        <CredentialInputs kind={kind} />
      </ActionButton>
    </>
  );
}
