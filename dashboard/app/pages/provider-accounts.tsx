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
import {
  KindInput,
  kindIn,
  KindName,
  type ProviderCredential,
  type ProviderKind,
  useKind,
  useKinds,
} from '../parts/provider-kinds.tsx';
import { requiredText } from '../parts/inputs.tsx';
import { type Column, ResourceList } from '../parts/resource-list.tsx';
import { Section } from '../parts/section.tsx';
import { useData } from '../parts/use-data.ts';

const RESOURCE = 'provider-accounts';

const FILTERS = [
  <KindInput key="kind" source="kind" alwaysOn />,
  <SelectInput key="status" source="status" label="Status" choices={choicesOf(['active', 'disabled'])} alwaysOn />,
];

const COLUMNS: readonly Column<ProviderAccount>[] = [
  { label: 'Name', onPhone: true, show: ({ name }) => name },
  { label: 'Provider', onPhone: true, show: ({ kind }) => <KindName of={kind} /> },
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
  return useKind(kind)?.credentials.map((credential) => (
    <CredentialInput key={`${kind}.${credential.name}`} credential={credential} />
  ));
}

function CredentialInput({ credential }: { readonly credential: ProviderCredential }) {
  const { name, label, meaning, input, isSecret, isOptional, choices, example } = credential;
  const field = { source: `credentials.${name}`, label, helperText: hintOf(meaning) };
  const isRequired = isOptional ? [] : [requiredText];
  switch (input) {
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
          slotProps={{ htmlInput: { autoComplete: 'off', spellCheck: false, placeholder: example ?? '' } }}
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

/** What a credential is, as a sentence of its own. */
function hintOf(meaning: string): string {
  const text = meaning.replaceAll('`', '');
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
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
  const known = useKind(kind);
  return known === undefined ? null : <CredentialInputs kind={known.kind} />;
}

/** Only those of the kind: another kind may have been chosen before. */
function credentialsOf(kind: ProviderKind | undefined, values: unknown): Record<string, unknown> {
  const given = withoutEmpty((values ?? {}) as Record<string, unknown>);
  return Object.fromEntries(
    (kind?.credentials ?? [])
      .filter(({ name }) => name in given)
      .map(({ name, input }) => [name, input === 'json' ? JSON.parse(String(given[name])) : given[name]]),
  );
}

/** The values of inputs, from those credentials that may be shown. */
function inputsOf(kind: ProviderKind | undefined, { publicCredentials }: ProviderAccount): Record<string, unknown> {
  const shown = (kind?.credentials ?? []).filter(({ name }) => name in publicCredentials);
  return Object.fromEntries(shown.map(({ name, input }) => [name, inputOf(input, publicCredentials[name] ?? '')]));
}

function inputOf(input: ProviderCredential['input'], text: string): unknown {
  if (input === 'number') return Number(text);
  if (input === 'switch') return text === 'true';
  return input === 'json' ? JSON.stringify(JSON.parse(text), null, 2) : text;
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
  const kinds = useKinds();
  if (!useMay('provider-accounts:write')) return null;
  return (
    <ActionButton
      label="Add provider account"
      variant="contained"
      title="Add a provider account"
      explanation="The credentials are encrypted, and never shown again."
      defaultValues={{ kind: 'stripe' }}
      act={({ kind, name, credentials }, key) =>
        atInputs(act(RESOURCE, { kind, name, credentials: credentialsOf(kindIn(kinds, kind), credentials) }, key))
      }
      done="The provider account is added."
      onDone={refresh}
    >
      <KindInput source="kind" validate={requiredText} fullWidth />
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
                ['Provider', <KindName key="kind" of={account.kind} />],
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
          <SetCredentials account={account} />
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

/** The credentials as the form calls them; the secret ones without their values. */
function SetCredentials({ account }: { readonly account: ProviderAccount }) {
  const { kind, credentialNames, publicCredentials, credentialsUpdatedAt } = account;
  const known = useKind(kind)?.credentials ?? [];
  const labelOf = (name: string) => known.find((each) => each.name === name)?.label ?? inWords(name);
  return (
    <Section title="Credentials">
      <Facts
        rows={[
          ...credentialNames.map(
            (name) => [labelOf(name), <ShownCredential key={name} text={publicCredentials[name]} />] as const,
          ),
          ['Last change', <Time key="changed" at={credentialsUpdatedAt} precise />],
        ]}
      />
    </Section>
  );
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
  const { id, name, status } = account;
  const kind = useKind(account.kind);
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
        defaultValues={{ credentials: inputsOf(kind, account) }}
        act={({ credentials }, key) =>
          atInputs(data.act(`${RESOURCE}/${id}/rotate`, { credentials: credentialsOf(kind, credentials) }, key))
        }
        done="The credentials are replaced."
        onDone={refresh}
      >
        <CredentialInputs kind={account.kind} />
      </ActionButton>
    </>
  );
}
