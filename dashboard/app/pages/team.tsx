import Box from '@mui/material/Box';
import { useQueryClient } from '@tanstack/react-query';
import { BooleanInput, SelectInput, TextInput, Title } from 'react-admin';
import type { ApiKey } from '../../../sdk/server/generated/schemas.ts';
import { roleName, ROLES, useMay, usePlace } from '../core/session.ts';
import { ActionButton } from '../parts/action-dialog.tsx';
import { CreatedResources, useDisableCreated } from '../parts/created-resources.tsx';
import { Time } from '../parts/fields.tsx';
import { requiredText } from '../parts/inputs.tsx';
import { Line } from '../parts/line.tsx';
import { Loaded, Section } from '../parts/section.tsx';
import { useData, useRead, useReadAll } from '../parts/use-data.ts';

interface Member {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly role: string;
  readonly twoFactorEnabled: boolean;
  readonly createdAt: string;
}

interface Invitation {
  readonly id: string;
  readonly email: string;
  readonly role: string;
  readonly expiresAt: string;
}

const ROLE_CHOICES = ROLES.map(({ id, name, meaning }) => ({ id, name: `${name}: ${meaning}` }));
const ROLE_INPUT = <SelectInput source="role" label="Role" choices={ROLE_CHOICES} validate={requiredText} fullWidth />;

export function TeamPage() {
  return (
    <Box sx={{ display: 'grid', gap: 2, mt: 2, gridTemplateColumns: 'minmax(0, 1fr)' }}>
      <Title title="Team" />
      <Members />
      <Invitations />
      <Demands />
      <Section title="Roles">
        <ul style={{ margin: 0, paddingLeft: '1.2rem' }}>
          {ROLES.map(({ id, name, meaning }) => (
            <li key={id}>
              <strong>{name}</strong>: {meaning}
            </li>
          ))}
        </ul>
      </Section>
    </Box>
  );
}

function useReadAgain() {
  const queries = useQueryClient();
  return () => void queries.invalidateQueries({ queryKey: ['read'] });
}

function Members() {
  const data = useData();
  const may = useMay('team:write');
  const readAgain = useReadAgain();
  const query = useReadAll<Member>('team-members');
  return (
    <Section title="Members">
      <Loaded query={query} empty="Nobody yet.">
        {(members) =>
          members.map(({ id, name, email, role, twoFactorEnabled, createdAt }) => (
            <Line
              key={id}
              name={name === '' ? email : name}
              text={
                <>
                  {email} · {roleName(role)} · {twoFactorEnabled ? 'with a second factor' : 'no second factor'} · since{' '}
                  <Time at={createdAt} />
                </>
              }
            >
              {may ? (
                <>
                  <ActionButton
                    label="Change role"
                    title={`Change the role of ${email}`}
                    explanation="It counts from the next request on."
                    defaultValues={{ role }}
                    act={(values) =>
                      data.update('team-members', { id, data: { role: values['role'] }, previousData: { id } })
                    }
                    done="The role is changed."
                    onDone={readAgain}
                  >
                    {ROLE_INPUT}
                  </ActionButton>
                  <RemoveMember id={id} email={email} onDone={readAgain} />
                </>
              ) : null}
            </Line>
          ))
        }
      </Loaded>
    </Section>
  );
}

interface RemoveMemberProps extends Pick<Member, 'id' | 'email'> {
  readonly onDone: () => void;
}

function RemoveMember({ id, email, onDone }: RemoveMemberProps) {
  const data = useData();
  const { person } = usePlace();
  const created = { path: `team-members/${id}/created-resources`, without: ['api_key'] } as const;
  const disable = useDisableCreated(created);
  return (
    <ActionButton
      label="Remove"
      title={`Remove ${email} from the team?`}
      explanation={
        email === person.email ? 'This is you: you lose access at once.' : 'The person loses access at once.'
      }
      isDangerous
      act={async ({ revokeApiKeys = false, disableCreated }) => {
        // First, because the list is of a member.
        if (disableCreated === true) await disable();
        return await data.delete('team-members', { id, previousData: { id }, meta: { body: { revokeApiKeys } } });
      }}
      done="The person is no longer in the team."
      onDone={onDone}
    >
      <KeysOfMember id={id} />
      <CreatedResources {...created} />
    </ActionButton>
  );
}

/** The keys whose secrets a member may know, and whether they end too. */
function KeysOfMember({ id }: { readonly id: string }) {
  const query = useReadAll<ApiKey>(`team-members/${id}/api-keys`);
  return (
    <Loaded query={query} empty="The person has made no API keys that still work.">
      {(keys) => (
        <>
          <p style={{ marginTop: 0 }}>API keys that the person made, and that still work:</p>
          <ul style={{ marginTop: 0, paddingLeft: '1.2rem' }}>
            {keys.map(({ id: keyId, name, environment, prefix }) => (
              <li key={keyId}>
                {name} ({environment}, {prefix}…)
              </li>
            ))}
          </ul>
          <BooleanInput
            source="revokeApiKeys"
            label="Revoke these keys too"
            helperText="Whoever uses one of them is refused at once. Replace them in your own programs first."
          />
        </>
      )}
    </Loaded>
  );
}

interface Team {
  readonly requireSecondFactor: boolean;
}

/** What the team demands of its people. */
function Demands() {
  const data = useData();
  const may = useMay('team:write');
  const readAgain = useReadAgain();
  const query = useRead<Team>('team');
  return (
    <Section title="Second factor">
      <Loaded query={query}>
        {({ requireSecondFactor }) => (
          <Line
            name={requireSecondFactor ? 'Everybody needs one' : 'Everybody may have one'}
            text="Who has none sets one up at the next visit, where the team demands it."
          >
            {may ? (
              <ActionButton
                label={requireSecondFactor ? 'Demand it no more' : 'Demand a second factor'}
                title={
                  requireSecondFactor
                    ? 'Let people in without a second factor?'
                    : 'Demand a second factor of everybody?'
                }
                explanation="It counts from the next request of each person on."
                isDangerous={requireSecondFactor}
                act={() => data.put('team', { requireSecondFactor: !requireSecondFactor })}
                done="The team's rule is changed."
                onDone={readAgain}
              />
            ) : null}
          </Line>
        )}
      </Loaded>
    </Section>
  );
}

function Invitations() {
  const data = useData();
  const may = useMay('team:write');
  const readAgain = useReadAgain();
  const query = useReadAll<Invitation>('invitations');
  return (
    <Section
      title="Invitations"
      actions={
        may ? (
          <ActionButton
            label="Invite"
            variant="contained"
            title="Invite somebody"
            explanation="A mail with a link is sent to the address. The link works for the person who owns the address."
            defaultValues={{ role: 'read_only' }}
            act={({ email, role }, key) => data.act('invitations', { email, role }, key)}
            done="The invitation is sent."
            onDone={readAgain}
          >
            <TextInput
              source="email"
              label="E-mail"
              slotProps={{ htmlInput: { inputMode: 'email' } }}
              validate={requiredText}
            />
            {ROLE_INPUT}
          </ActionButton>
        ) : null
      }
    >
      <Loaded query={query} empty="No open invitations.">
        {(invitations) =>
          invitations.map(({ id, email, role, expiresAt }) => (
            <Line
              key={id}
              name={email}
              text={
                <>
                  {roleName(role)} · until <Time at={expiresAt} />
                </>
              }
            >
              {may ? (
                <>
                  <ActionButton
                    label="Send again"
                    title={`Send the invitation to ${email} again?`}
                    explanation="The new mail has a new link; the old one stops working."
                    act={(_values, key) => data.act(`invitations/${id}/resend`, {}, key)}
                    done="The invitation is sent again."
                    onDone={readAgain}
                  />
                  <ActionButton
                    label="Withdraw"
                    title={`Withdraw the invitation of ${email}?`}
                    explanation="Its link stops working."
                    isDangerous
                    act={() => data.delete('invitations', { id, previousData: { id } })}
                    done="The invitation is withdrawn."
                    onDone={readAgain}
                  />
                </>
              ) : null}
            </Line>
          ))
        }
      </Loaded>
    </Section>
  );
}
