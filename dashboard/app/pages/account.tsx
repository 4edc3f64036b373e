import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { BooleanInput, SelectInput, TextInput, Title, useNotify } from 'react-admin';
import type { MerchantAccount } from '../../../sdk/server/generated/schemas.ts';
import { IMAGE_TYPES, logoOf } from '../core/logo.ts';
import { messageOf } from '../core/message-of.ts';
import { useMay, usePlace } from '../core/session.ts';
import { ActionButton } from '../parts/action-dialog.tsx';
import { Code, Facts, Id, None } from '../parts/fields.tsx';
import { requiredText } from '../parts/inputs.tsx';
import { Loaded, Section } from '../parts/section.tsx';
import { useData, useRead } from '../parts/use-data.ts';

const RESOURCE = 'merchants';
const LONGEST_NAME = { htmlInput: { maxLength: 100 } };

/** What the account is called within the team, what customers see of it, and what its payments do after declines. */
export function AccountPage() {
  const { account } = usePlace();
  const query = useRead<MerchantAccount>(`${RESOURCE}/${account.merchantId}`);
  return (
    <Box sx={{ display: 'grid', gap: 2, mt: 2, gridTemplateColumns: 'minmax(0, 1fr)' }}>
      <Title title="Account" />
      <Loaded query={query}>
        {(shown) => (
          <>
            <PublicProfile account={shown} />
            <Logo account={shown} />
            <Declines account={shown} />
            <OwnName account={shown} />
          </>
        )}
      </Loaded>
    </Box>
  );
}

/** Changes the account, and reads everything of the page again. */
function useChange({ id }: MerchantAccount) {
  const data = useData();
  const queries = useQueryClient();
  return {
    change: (values: Record<string, unknown>) => data.update(RESOURCE, { id, data: values, previousData: { id } }),
    readAgain: () => void queries.invalidateQueries({ queryKey: ['read'] }),
  };
}

const PROFILE_INPUTS = ['name', 'supportEmail', 'supportPhone', 'supportUrl', 'termsUrl', 'returnUrl', 'color'];

function PublicProfile({ account }: { readonly account: MerchantAccount }) {
  const { merchantName } = usePlace();
  const { businessProfile } = account;
  const { name, color, supportEmail, supportPhone, supportUrl, termsUrl, returnUrl } = businessProfile;
  const { change, readAgain } = useChange(account);
  const may = useMay('merchants:write');
  return (
    <Section
      title="What customers see"
      actions={
        may ? (
          <ActionButton
            label="Change"
            title="What customers see"
            explanation="The pages of payment links show it from now on."
            confirmLabel="Save"
            defaultValues={{ businessProfile }}
            act={(values) => change({ businessProfile: profileIn(values) })}
            done="Customers see it from now on."
            onDone={readAgain}
          >
            <TextInput
              source="businessProfile.name"
              label="Public name"
              helperText={`Empty: ${merchantName}`}
              slotProps={LONGEST_NAME}
            />
            <TextInput
              source="businessProfile.supportEmail"
              label="E-mail for customers"
              slotProps={inputMode('email')}
            />
            <TextInput
              source="businessProfile.supportPhone"
              label="Telephone for customers"
              slotProps={inputMode('tel')}
              helperText="With the country, such as +49 30 901820"
            />
            <TextInput
              source="businessProfile.supportUrl"
              label="Help page"
              slotProps={inputMode('url')}
              helperText={ADDRESS_HINT}
            />
            <TextInput
              source="businessProfile.termsUrl"
              label="Terms"
              slotProps={inputMode('url')}
              helperText={ADDRESS_HINT}
            />
            <TextInput
              source="businessProfile.returnUrl"
              label="Where customers go after paying"
              slotProps={inputMode('url')}
              helperText={ADDRESS_HINT}
            />
            <TextInput
              source="businessProfile.color"
              label="Colour"
              helperText="Such as #1d4f91; empty: that of the page"
            />
          </ActionButton>
        ) : null
      }
    >
      <Facts
        rows={[
          ['Public name', name ?? merchantName],
          ['E-mail for customers', supportEmail ?? <None key="email" />],
          ['Telephone for customers', supportPhone ?? <None key="phone" />],
          ['Help page', supportUrl ?? <None key="help" />],
          ['Terms', termsUrl ?? <None key="terms" />],
          ['Where customers go after paying', returnUrl ?? <None key="return" />],
          ['Colour', color === null ? <None key="color" /> : <Color key="color" code={color} />],
        ]}
      />
    </Section>
  );
}

/** The keyboard of a phone; the API says what is wrong, as for every other field. */
function inputMode(mode: 'email' | 'tel' | 'url') {
  return { htmlInput: { inputMode: mode } };
}

const ADDRESS_HINT = 'Begins with https://';

/** The members of the dialog; what is empty is none. */
function profileIn(values: Record<string, unknown>): Record<string, unknown> {
  const given = (values['businessProfile'] ?? {}) as Record<string, unknown>;
  return Object.fromEntries(
    PROFILE_INPUTS.map((member) => {
      const value = given[member];
      const text = typeof value === 'string' ? value.trim() : '';
      return [member, text === '' ? null : text];
    }),
  );
}

function Color({ code }: { readonly code: string }) {
  return (
    <Box component="span" sx={{ display: 'inline-flex', alignItems: 'center', gap: 1 }}>
      <Box
        component="span"
        aria-hidden
        sx={{ width: 20, height: 20, border: 1, borderColor: 'divider', borderRadius: 0.5, backgroundColor: code }}
      />
      <Code>{code}</Code>
    </Box>
  );
}

function Logo({ account }: { readonly account: MerchantAccount }) {
  const { logoPath } = account.businessProfile;
  const { change, readAgain } = useChange(account);
  const may = useMay('merchants:write');
  return (
    <Section
      title="Logo"
      actions={
        may ? (
          <>
            <ChooseLogo save={(logo) => change({ businessProfile: { logo } })} onDone={readAgain} />
            {logoPath === null ? null : (
              <ActionButton
                label="Remove the logo"
                title="Remove the logo?"
                explanation="Customers see the name alone then."
                isDangerous
                act={() => change({ businessProfile: { logo: null } })}
                done="The logo is removed."
                onDone={readAgain}
              />
            )}
          </>
        ) : null
      }
    >
      {logoPath === null ? (
        <Typography color="textSecondary">No logo. Customers see the name alone.</Typography>
      ) : (
        <Box component="img" src={logoPath} alt="The logo" sx={{ maxWidth: '100%', maxHeight: 96 }} />
      )}
    </Section>
  );
}

interface ChooseLogoProps {
  /** @param logo as the API takes it */
  readonly save: (logo: string) => Promise<unknown>;
  readonly onDone: () => void;
}

function ChooseLogo({ save, onDone }: ChooseLogoProps) {
  const input = useRef<HTMLInputElement>(null);
  const [isBusy, setBusy] = useState(false);
  const notify = useNotify();
  const take = async (file: File | undefined) => {
    if (file === undefined) return;
    setBusy(true);
    try {
      await save(await logoOf(file));
      notify('Customers see the logo from now on.', { type: 'success' });
      onDone();
    } catch (error) {
      notify(messageOf(error), { type: 'error' });
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      <Button size="small" variant="outlined" loading={isBusy} onClick={() => input.current?.click()}>
        Choose a logo
      </Button>
      <input
        ref={input}
        type="file"
        aria-label="Image file of the logo"
        accept={IMAGE_TYPES}
        hidden
        onChange={({ target }) => {
          void take(target.files?.[0]);
          target.value = '';
        }}
      />
    </>
  );
}

const NUMBERS_OF_RETRIES = [1, 2, 3].map((id) => ({ id, name: String(id) }));

/** Whether confirms go on to another provider after a decline. */
function Declines({ account }: { readonly account: MerchantAccount }) {
  const { declineRetries } = account;
  const { enabled, maxRetries, issuerDeclines } = declineRetries;
  const { change, readAgain } = useChange(account);
  const may = useMay('merchants:write');
  return (
    <Section
      title="After a decline"
      actions={
        may ? (
          <ActionButton
            label="Change"
            title="After a decline"
            explanation="Payments that are confirmed from now on follow it. A card that was declined for good is never sent on."
            confirmLabel="Save"
            defaultValues={{ declineRetries: { ...declineRetries, maxRetries: Math.max(1, maxRetries) } }}
            act={(values) => change({ declineRetries: values['declineRetries'] })}
            done="Payments follow it from now on."
            onDone={readAgain}
          >
            <BooleanInput source="declineRetries.enabled" label="Ask another provider after a technical decline" />
            <SelectInput
              source="declineRetries.maxRetries"
              label="Further providers"
              choices={NUMBERS_OF_RETRIES}
              validate={requiredText}
              helperText="Within one confirm, at most"
            />
            <BooleanInput
              source="declineRetries.issuerDeclines"
              label="Also where the issuer gives no reason"
              helperText="Such as do_not_honor. Each try may cost a fee of your provider."
            />
          </ActionButton>
        ) : null
      }
    >
      <Facts
        rows={[
          ['Ask another provider', enabled && maxRetries > 0 ? 'After a technical decline' : 'No'],
          ['Further providers', enabled ? String(maxRetries) : <None key="providers" />],
          ['Where the issuer gives no reason', enabled && issuerDeclines ? 'Ask another provider, too' : 'Decline'],
        ]}
      />
    </Section>
  );
}

function OwnName({ account }: { readonly account: MerchantAccount }) {
  const { id, name, environment } = account;
  const { change, readAgain } = useChange(account);
  const may = useMay('merchants:write');
  return (
    <Section
      title="Within your team"
      actions={
        may ? (
          <ActionButton
            label="Rename"
            title="Rename this account"
            explanation="Your team reads this name; customers never do."
            defaultValues={{ name }}
            act={(values) => change({ name: values['name'] })}
            done="The account is renamed. The menu has the new name when the page is next loaded."
            onDone={readAgain}
          >
            <TextInput source="name" label="Name" validate={requiredText} />
          </ActionButton>
        ) : null
      }
    >
      <Facts
        rows={[
          ['Name', name],
          ['Environment', environment],
          ['ID', <Id key="id" id={id} link={false} whole />],
        ]}
      />
    </Section>
  );
}
