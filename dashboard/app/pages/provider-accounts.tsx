import Alert from '@mui/material/Alert';
import { useState } from 'react';
import { BooleanInput, SelectInput, TextInput, useRefresh } from 'react-admin';
import { useWatch } from 'react-hook-form';
import type { ProviderAccount, ProviderAccountTest } from '../../../sdk/server/generated/schemas.ts';
import { useMay } from '../core/session.ts';
import { choicesOf, inWords } from '../core/words.ts';
import { ActionButton } from '../parts/action-dialog.tsx';
import { Detail } from '../parts/detail.tsx';
import { Code, CopyButton, Facts, Id, Status, Time } from '../parts/fields.tsx';
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
  readonly isSwitch?: boolean;
}

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
      { name: 'preauthorization', label: 'Cashfree holds card payments', hint: '', isOptional: true, isSwitch: true },
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
  { label: 'Status', onPhone: true, show: ({ status }) => <Status of={status} /> },
  { label: 'Account', show: ({ id }) => <Id id={id} resource={RESOURCE} /> },
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
  return KINDS[kind].credentials.map(
    ({ name, label, hint, isSecret = false, isOptional = false, isSwitch = false }) => {
      const field = { source: `credentials.${name}`, label };
      if (isSwitch) return <BooleanInput key={`${kind}.${name}`} {...field} />;
      return (
        <TextInput
          key={`${kind}.${name}`}
          {...field}
          helperText={hint}
          type={isSecret ? 'password' : 'text'}
          slotProps={{ htmlInput: { autoComplete: 'off' } }}
          {...(isOptional ? {} : { validate: requiredText })}
        />
      );
    },
  );
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
  const names = isKind(kind) ? KINDS[kind].credentials.map(({ name }) => name) : [];
  const given = withoutEmpty((values ?? {}) as Record<string, unknown>);
  return Object.fromEntries(Object.entries(given).filter(([name]) => names.includes(name)));
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
        act(RESOURCE, { kind, name, credentials: credentialsOf(kind, credentials) }, key)
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
          <Section title="Provider account">
            <Facts
              rows={[
                ['ID', <Id key="id" id={account.id} link={false} whole />],
                ['Provider', kindName(account.kind)],
                ['Status', <Status key="status" of={account.status} />],
                [
                  'Webhook path, for the dashboard of the provider',
                  <span key="path">
                    <Code wrap>{account.webhookPath}</Code>
                    <CopyButton text={account.webhookPath} label="Copy webhook path" />
                  </span>,
                ],
                ['Payment methods', account.abilities.paymentMethods.map(inWords).join(', ')],
                ['Capture', account.abilities.captureMethods.map(inWords).join(', ')],
                ['Partial capture', account.abilities.partialCapture ? 'Yes' : 'No'],
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
                      account.publicCredentials[name] ?? 'Set; it is never shown',
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

interface AccountActionsProps {
  readonly account: ProviderAccount;
  readonly onTested: (test: ProviderAccountTest) => void;
}

function AccountActions({ account: { id, kind, name, status }, onTested }: AccountActionsProps) {
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
        explanation="The new credentials replace all earlier ones at once."
        act={({ credentials }, key) =>
          data.act(`${RESOURCE}/${id}/rotate`, { credentials: credentialsOf(kind, credentials) }, key)
        }
        done="The credentials are replaced."
        onDone={refresh}
      >
        <CredentialInputs kind={kind} />
      </ActionButton>
    </>
  );
}
