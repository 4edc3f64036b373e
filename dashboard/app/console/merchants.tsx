import Alert from '@mui/material/Alert';
import Typography from '@mui/material/Typography';
import { SelectInput, TextInput, useRefresh } from 'react-admin';
import type { ProviderAccount } from '../../../sdk/server/generated/schemas.ts';
import { choicesOf, inWords } from '../core/words.ts';
import { ActionButton } from '../parts/action-dialog.tsx';
import { Detail } from '../parts/detail.tsx';
import { Facts, Id, Status, Time } from '../parts/fields.tsx';
import { requiredText } from '../parts/inputs.tsx';
import { Line } from '../parts/line.tsx';
import { type Column, ResourceList } from '../parts/resource-list.tsx';
import { Loaded, Section } from '../parts/section.tsx';
import { useData, useRead } from '../parts/use-data.ts';
import type { Merchant, MerchantDetails, PlatformEvent } from './staff.ts';

const LONGEST_REASON = 500;
/** The API's largest page. */
const LIMIT = 100;

const FILTERS = [
  <TextInput key="q" source="q" label="Name, ID or e-mail" alwaysOn />,
  <SelectInput key="status" source="status" label="Status" choices={choicesOf(['active', 'suspended'])} alwaysOn />,
];

const statusOf = ({ suspension }: Merchant): string => (suspension === null ? 'active' : 'suspended');

const COLUMNS: readonly Column<Merchant>[] = [
  { label: 'Merchant', onPhone: true, show: ({ name }) => name },
  { label: 'ID', onPhone: true, show: ({ id }) => <Id id={id} resource="merchants" /> },
  { label: 'Status', onPhone: true, show: (merchant) => <Status of={statusOf(merchant)} /> },
  { label: 'Reason', show: ({ suspension }) => suspension?.reason },
  { label: 'Created', show: ({ createdAt }) => <Time at={createdAt} /> },
];

export function MerchantList() {
  return (
    <ResourceList<Merchant>
      title="Merchants"
      columns={COLUMNS}
      filters={FILTERS}
      canSaveViews={false}
      empty="No merchants yet. People sign up, or an operator makes one: npm run merchant -- create."
    />
  );
}

export function MerchantPage() {
  return (
    <Detail<Merchant>
      title={({ name }) => name}
      actions={(merchant) => (merchant.suspension === null ? <Suspend of={merchant} /> : <Lift of={merchant} />)}
    >
      {(merchant) => (
        <>
          {merchant.suspension === null ? null : (
            <Alert severity="warning">
              Suspended by the platform since <Time at={merchant.suspension.since} precise />:{' '}
              {merchant.suspension.reason}
            </Alert>
          )}
          <Section title="Merchant">
            <Facts
              rows={[
                ['ID', <Id key="id" id={merchant.id} link={false} whole />],
                ['Status', <Status key="status" of={statusOf(merchant)} />],
                ['Created', <Time key="created" at={merchant.createdAt} precise />],
              ]}
            />
          </Section>
          <Accounts merchantId={merchant.id} />
          <ProviderAccounts merchantId={merchant.id} />
          <History merchantId={merchant.id} />
        </>
      )}
    </Detail>
  );
}

function Suspend({ of: { id, name } }: { readonly of: Merchant }) {
  const { put } = useData();
  const refresh = useRefresh();
  return (
    <ActionButton
      label="Suspend"
      title={`Suspend ${name}?`}
      explanation={
        'All its accounts stop at once, in both environments: its keys are refused, its checkout pages and sockets end, and its ' +
        'people can only read. Payments that are under way go on to their end. Nobody of the merchant can lift this.'
      }
      confirmLabel="Suspend merchant"
      isDangerous
      act={({ reason }) => put(suspensionPath(id), { suspended: true, reason })}
      done={`${name} is suspended.`}
      onDone={refresh}
    >
      <TextInput
        source="reason"
        label="Reason"
        helperText="The merchant's people read it. Say whom they can write to."
        validate={requiredText}
        multiline
        slotProps={{ htmlInput: { maxLength: LONGEST_REASON } }}
      />
    </ActionButton>
  );
}

function Lift({ of: { id, name } }: { readonly of: Merchant }) {
  const { put } = useData();
  const refresh = useRefresh();
  return (
    <ActionButton
      label="Lift suspension"
      title={`Lift the suspension of ${name}?`}
      explanation="Its accounts are again as they were before. Accounts that the merchant had suspended itself stay suspended."
      act={({ reason }) => put(suspensionPath(id), { suspended: false, reason })}
      done={`The suspension of ${name} is lifted.`}
      onDone={refresh}
    >
      <TextInput
        source="reason"
        label="Reason"
        helperText="For the log of the platform."
        validate={requiredText}
        multiline
        slotProps={{ htmlInput: { maxLength: LONGEST_REASON } }}
      />
    </ActionButton>
  );
}

function suspensionPath(id: string): string {
  return `merchants/${encodeURIComponent(id)}/suspension`;
}

/** What lists of merchants do not have; react-admin may show the page with a merchant from its list. */
function Accounts({ merchantId }: { readonly merchantId: string }) {
  const query = useRead<MerchantDetails>(`merchants/${encodeURIComponent(merchantId)}`);
  return (
    <Section title="People and accounts">
      <Loaded query={query}>{(merchant) => <AccountLines of={merchant} />}</Loaded>
    </Section>
  );
}

function AccountLines({ of: { people, accounts } }: { readonly of: MerchantDetails }) {
  return (
    <>
      <Typography sx={{ mb: 1 }}>People in the team: {people}</Typography>
      {accounts.map(({ id, environment, name, status, suspendedBy, apiKeys, payments }) => (
        <Line
          key={id}
          name={`${name} (${inWords(environment)})`}
          text={
            <>
              <Id id={id} link={false} whole /> · API keys: {apiKeys} · payments in the last 24 hours: {payments}
              {suspendedBy === null ? '' : ` · suspended by the ${suspendedBy}`}
            </>
          }
        >
          <Status of={status} />
        </Line>
      ))}
    </>
  );
}

function ProviderAccounts({ merchantId }: { readonly merchantId: string }) {
  const path = `merchants/${encodeURIComponent(merchantId)}/provider-accounts`;
  const query = useRead<readonly ProviderAccount[]>(path, { query: { limit: LIMIT } });
  return (
    <Section title="Accounts at providers">
      <Loaded query={query} empty="It has no account of its own at a provider.">
        {(accounts) =>
          accounts.map(({ id, name, kind, environment, status, credentialNames, credentialsUpdatedAt }) => (
            <Line
              key={id}
              name={`${name} (${inWords(kind)}, ${inWords(environment)})`}
              text={
                <>
                  {id} · {credentialNames.map(inWords).join(', ')} from <Time at={credentialsUpdatedAt} />
                </>
              }
            >
              <Status of={status} />
            </Line>
          ))
        }
      </Loaded>
    </Section>
  );
}

function History({ merchantId }: { readonly merchantId: string }) {
  const query = useRead<readonly PlatformEvent[]>('audit-events', { query: { resourceId: merchantId, limit: LIMIT } });
  return (
    <Section title="What the platform did">
      <Loaded query={query} empty="The log of the platform has nothing about it.">
        {(events) =>
          events.map(({ id, action, actor, reason, createdAt }) => (
            <Line
              key={id}
              name={inWords(action)}
              text={
                <>
                  {actor.name} · <Time at={createdAt} precise />
                </>
              }
            >
              <Typography variant="body2" sx={{ overflowWrap: 'anywhere' }}>
                {reason}
              </Typography>
            </Line>
          ))
        }
      </Loaded>
    </Section>
  );
}
