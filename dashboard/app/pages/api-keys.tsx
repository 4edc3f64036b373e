import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import {
  BooleanInput,
  CheckboxGroupInput,
  DateTimeInput,
  SelectInput,
  TextArrayInput,
  TextInput,
  useRefresh,
} from 'react-admin';
import { useFormContext } from 'react-hook-form';
import type { ApiKey, IssuedApiKey } from '../../../sdk/server/generated/schemas.ts';
import { useMay, usePlace } from '../core/session.ts';
import { isOfKeys, isRead, resourcesOf, scopeName, SECURITY_SCOPE } from '../core/scopes.ts';
import { inWords, isoOf } from '../core/words.ts';
import { ActionButton } from '../parts/action-dialog.tsx';
import { Detail } from '../parts/detail.tsx';
import { CreatedResources, useDisableCreated } from '../parts/created-resources.tsx';
import { Code, Facts, Id, Maker, Status, Time } from '../parts/fields.tsx';
import { EditForm, pick } from '../parts/forms.tsx';
import { requiredText } from '../parts/inputs.tsx';
import { KeyReport } from '../parts/key-report.tsx';
import { type Column, ResourceList } from '../parts/resource-list.tsx';
import { useSecrets } from '../parts/secrets.tsx';
import { Section } from '../parts/section.tsx';
import { useData } from '../parts/use-data.ts';

const COLUMNS: readonly Column<ApiKey>[] = [
  { label: 'Name', onPhone: true, show: ({ name }) => name },
  { label: 'Status', onPhone: true, show: ({ status }) => <Status of={status} /> },
  { label: 'Begins with', show: ({ prefix }) => <Code>{prefix}…</Code> },
  { label: 'Key', onPhone: true, show: ({ id }) => <Id id={id} /> },
  { label: 'Signature', show: ({ signatureVersion }) => `Version ${signatureVersion}` },
  { label: 'Last used', show: ({ lastUsedAt }) => (lastUsedAt === null ? 'Never' : <Time at={lastUsedAt} />) },
  { label: 'Expires', show: ({ expiresAt }) => (expiresAt === null ? 'Never' : <Time at={expiresAt} />) },
  { label: 'Created', show: ({ createdAt }) => <Time at={createdAt} /> },
];

const OVERLAPS = [
  { id: 0, name: 'None: the old key stops at once' },
  { id: 3_600, name: '1 hour' },
  { id: 86_400, name: '1 day' },
  { id: 604_800, name: '7 days' },
];

const SIGNATURE_VERSIONS = [
  { id: 2, name: 'Version 2: the salt is never sent' },
  { id: 1, name: 'Version 1: whoever reads a request can sign others' },
];
const SIGNATURE_HELP =
  'Version 1 sends the salt with each request and signs neither method nor path. A request that somebody reads can be sent again for 5 minutes, to another path too.';

const FIELD_NAMES = ['name', 'scopes', 'expiresAt', 'ipRestricted', 'ipAllowlist', 'accountBound'];

export function ApiKeyList() {
  return (
    <ResourceList<ApiKey>
      title="API keys"
      columns={COLUMNS}
      actions={<CreateKey />}
      empty="No API keys yet. Your server needs one to create payments."
    />
  );
}

function CreateKey() {
  const { act } = useData();
  const may = useMay('api-keys:write');
  const { showKey, dialog } = useIssuedKey();
  if (!may) return null;
  return (
    <>
      <ActionButton<IssuedApiKey>
        label="Create API key"
        variant="contained"
        title="Create an API key"
        explanation="The key and its secret salt are shown once, after you have created it."
        defaultValues={{ signatureVersion: 2, scopes: [], ipRestricted: false, accountBound: false, ipAllowlist: [] }}
        act={(values, key) =>
          act('api-keys', { ...pick(values, FIELD_NAMES), signatureVersion: values.signatureVersion }, key)
        }
        done="The API key is created."
        onDone={showKey}
      >
        <TextInput source="name" label="Name" helperText="What uses the key" validate={requiredText} />
        <ScopesInput />
        <LimitInputs />
        <SelectInput
          source="signatureVersion"
          label="Signature"
          choices={SIGNATURE_VERSIONS}
          helperText={SIGNATURE_HELP}
          fullWidth
        />
      </ActionButton>
      {dialog}
    </>
  );
}

/** Shows a key that was made just now. */
function useIssuedKey() {
  const { show, dialog } = useSecrets();
  const showKey = ({ apiKey, secretSalt }: IssuedApiKey) =>
    show({
      title: 'Your new API key',
      secrets: [
        ['API key', apiKey],
        ['Secret salt', secretSalt],
      ],
    });
  return { showKey, dialog };
}

/** The scopes that the person has, which are all that a key of the person may have. */
function ScopesInput() {
  const { scopes } = usePlace();
  const { setValue } = useFormContext();
  const offered = scopes.filter((scope) => isOfKeys(scope));
  const choose = (chosen: readonly string[]) => setValue('scopes', chosen, { shouldDirty: true });
  return (
    <>
      <Box>
        <Button size="small" onClick={() => choose(offered)}>
          All
        </Button>
        <Button size="small" onClick={() => choose(offered.filter(isRead))}>
          Reading only
        </Button>
        <Button size="small" onClick={() => choose([])}>
          None
        </Button>
      </Box>
      <CheckboxGroupInput
        source="scopes"
        label="Scopes"
        choices={offered.map((id) => ({ id, name: scopeName(id) }))}
        validate={(value: unknown) => (Array.isArray(value) && value.length > 0 ? undefined : 'Choose at least one.')}
        helperText={false}
        sx={TWO_COLUMNS}
      />
    </>
  );
}

/** Reading on the left, changing on the right. */
const TWO_COLUMNS = {
  '& .MuiFormGroup-root': { display: 'grid', gridTemplateColumns: { sm: '1fr 1fr' } },
  '& label:has([value$=":read"])': { gridColumn: { sm: 1 } },
  '& label:has([value$=":write"])': { gridColumn: { sm: 2 } },
};

function LimitInputs() {
  return (
    <>
      <DateTimeInput source="expiresAt" label="Expires" parse={isoOf} helperText="Empty: never" />
      <BooleanInput source="ipRestricted" label="Only from these addresses" />
      <TextArrayInput
        source="ipAllowlist"
        label="IP addresses and ranges"
        helperText="Such as 203.0.113.7 or 203.0.113.0/24; Enter adds one. They count only with the switch above."
      />
      <BooleanInput source="accountBound" label="Only for this account" />
    </>
  );
}

export function ApiKeyPage() {
  const seesReport = useMay(SECURITY_SCOPE);
  return (
    <Detail<ApiKey> title={({ name }) => name} canEdit actions={(key) => <KeyActions apiKey={key} />}>
      {(key) => (
        <>
          <Section title="API key">
            <Facts
              rows={[
                ['ID', <Id key="id" id={key.id} link={false} whole />],
                ['Name', key.name],
                ['Status', <Status key="status" of={key.status} />],
                ['Begins with', <Code key="prefix">{key.prefix}…</Code>],
                ['Signature', `Version ${key.signatureVersion}`],
                ['Account', key.accountBound ? 'Only this account' : 'Every account of the merchant'],
                ['Addresses', key.ipRestricted ? key.ipAllowlist.join(', ') : 'Any'],
                ['Expires', key.expiresAt === null ? 'Never' : <Time key="expires" at={key.expiresAt} precise />],
                ['Last used', key.lastUsedAt === null ? 'Never' : <Time key="used" at={key.lastUsedAt} precise />],
                ['Last used from', key.lastUsedFrom],
                ['Revoked', <Time key="revoked" at={key.revokedAt} precise />],
                ['Replaced by', <Id key="replaced" id={key.replacedBy} />],
                ['Made by', <Maker key="maker" of={key.createdBy} />],
                ['Created', <Time key="created" at={key.createdAt} precise />],
              ]}
            />
          </Section>
          <Section title="Scopes">
            <Facts
              rows={[
                ['May read', resourcesOf(key.scopes.filter(isRead))],
                ['May create and change', resourcesOf(key.scopes.filter((scope) => !isRead(scope)))],
              ]}
            />
          </Section>
          {seesReport ? <KeyReport apiKeyId={key.id} /> : null}
        </>
      )}
    </Detail>
  );
}

function KeyActions({ apiKey: { id, status, replacedBy, signatureVersion } }: { readonly apiKey: ApiKey }) {
  const { act } = useData();
  const may = useMay('api-keys:write');
  const refresh = useRefresh();
  const { showKey, dialog } = useIssuedKey();
  const created = { path: `api-keys/${id}/created-resources` };
  const disable = useDisableCreated(created);
  if (!may) return null;
  const ended = status === 'active' ? null : `The key is ${inWords(status).toLowerCase()}.`;
  return (
    <>
      <ActionButton<IssuedApiKey>
        label="Rotate"
        title="Rotate this API key"
        explanation="You get a new key with the same settings. The old one goes on working for the overlap, so that you can move your servers."
        disabledReason={ended ?? (replacedBy === null ? null : 'The key was rotated already.')}
        defaultValues={{ overlapSeconds: 86_400, signatureVersion: 2 }}
        act={({ overlapSeconds, signatureVersion: version }, key) =>
          act(`api-keys/${id}/rotate`, { overlapSeconds, signatureVersion: version }, key)
        }
        done="The API key is rotated."
        onDone={showKey}
      >
        <SelectInput source="overlapSeconds" label="Overlap" choices={OVERLAPS} validate={requiredText} fullWidth />
        <SelectInput
          source="signatureVersion"
          label="Signature"
          choices={signatureVersion === 2 ? SIGNATURE_VERSIONS.slice(0, 1) : SIGNATURE_VERSIONS}
          helperText={SIGNATURE_HELP}
          fullWidth
        />
      </ActionButton>
      <ActionButton
        label="Revoke"
        title="Revoke this API key?"
        explanation="Requests with the key are refused at once, and for good."
        isDangerous
        disabledReason={status === 'revoked' ? 'The key is revoked.' : null}
        act={async ({ disableCreated }, key) => {
          await act(`api-keys/${id}/revoke`, {}, key);
          if (disableCreated === true) await disable();
        }}
        done="The API key is revoked."
        onDone={refresh}
      >
        <CreatedResources {...created} />
      </ActionButton>
      {dialog}
    </>
  );
}

export function ApiKeyEdit() {
  return (
    <EditForm title="Edit API key" toBody={(values) => pick(values, FIELD_NAMES)}>
      <TextInput source="name" label="Name" validate={requiredText} />
      <ScopesInput />
      <LimitInputs />
    </EditForm>
  );
}
