import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import NativeSelect from '@mui/material/NativeSelect';
import Typography from '@mui/material/Typography';
import { useEffect, useRef, useState } from 'react';
import { useFormState } from 'react-hook-form';
import { Form, SaveButton, TextInput, useNotify } from 'react-admin';
import type { Dispute } from '../../../sdk/server/generated/schemas.ts';
import { dataUrlOf } from '../core/data-url.ts';
import { createIdempotencyKeys } from '../core/idempotency.ts';
import { messageOf } from '../core/message-of.ts';
import { decimalOf, formatMoney, parseMoney } from '../core/money.ts';
import { RequestError } from '../core/request.ts';
import { useMay } from '../core/session.ts';
import { ActionButton } from './action-dialog.tsx';
import {
  EVIDENCE_FILES,
  EVIDENCE_TEXT_NAMES,
  EVIDENCE_TEXTS,
  type EvidenceFileKind,
  type EvidenceText,
  fileKindsFor,
  isInTime,
  textsFor,
} from './dispute-words.ts';
import { Facts, Time } from './fields.tsx';
import { requiredText } from './inputs.tsx';
import { Line } from './line.tsx';
import { Section } from './section.tsx';
import { useData } from './use-data.ts';

interface DisputeProps {
  readonly dispute: Dispute;
}

/** The merchant's answer to a dispute: a form while it is a draft, and afterwards what was sent. */
export function DisputeAnswer({ dispute }: DisputeProps) {
  const may = useMay('disputes:write');
  if (may && isOpen(dispute)) return <Draft dispute={dispute} />;
  if (isEmpty(dispute)) return null;
  return (
    <Section title="Your answer">
      <Answer dispute={dispute} />
    </Section>
  );
}

/** Whether the engine takes an answer, or the acceptance. */
function isOpen(dispute: Dispute): boolean {
  return dispute.status === 'needs_response' && dispute.answeredIn === 'api' && isInTime(dispute);
}

function textsIn({ evidence }: Dispute): readonly EvidenceText[] {
  return EVIDENCE_TEXT_NAMES.filter((name) => evidence?.[name] != null);
}

function filesIn({ evidence }: Dispute) {
  return evidence?.files ?? [];
}

function isEmpty(dispute: Dispute): boolean {
  return textsIn(dispute).length + filesIn(dispute).length === 0;
}

function Answer({ dispute }: DisputeProps) {
  const { evidence, evidenceSubmittedAt } = dispute;
  return (
    <>
      <Typography color="textSecondary" sx={{ mb: 2 }}>
        {evidenceSubmittedAt === null ? (
          'A draft, which was not sent.'
        ) : (
          <>
            The provider took it on <Time at={evidenceSubmittedAt} precise />.
          </>
        )}
      </Typography>
      <Facts
        rows={[
          ...textsIn(dispute).map((name) => [EVIDENCE_TEXTS[name].label, evidence?.[name]] as const),
          ...filesIn(dispute).map(({ kind, contentType, sizeBytes }) => {
            return [EVIDENCE_FILES[kind], `${typeName(contentType)}, ${kilobytes(sizeBytes)}`] as const;
          }),
        ]}
      />
    </>
  );
}

function Draft({ dispute }: DisputeProps) {
  const [isChanged, setChanged] = useState(false);
  return (
    <Section title="Your answer">
      {dispute.isDefendable === false ? (
        <Typography sx={{ mb: 2 }}>The provider says that nothing can be said against this dispute.</Typography>
      ) : (
        <>
          <Typography color="textSecondary" sx={{ mb: 2 }}>
            Nothing leaves before you send it. What matters most for this reason comes first; the bank reads little, so
            leave out what does not help.
          </Typography>
          <Texts dispute={dispute} onChange={setChanged} />
          <Files dispute={dispute} />
        </>
      )}
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, mt: 3 }}>
        {dispute.isDefendable === false ? null : <Submit dispute={dispute} isChanged={isChanged} />}
        <Accept dispute={dispute} />
      </Box>
    </Section>
  );
}

/** The API's limit of a text. */
const MAXIMUM_CHARACTERS = 20_000;

type Texts = Readonly<Record<EvidenceText, string>>;

function draftOf({ evidence }: Dispute): Texts {
  return Object.fromEntries(EVIDENCE_TEXT_NAMES.map((name) => [name, evidence?.[name] ?? ''])) as Texts;
}

/** What differs from what is saved; an empty text removes it. So two people can fill in different fields. */
function changesOf(saved: Texts, entered: Partial<Record<EvidenceText, string | null>>): Record<string, string | null> {
  const changed = EVIDENCE_TEXT_NAMES.filter((name) => (entered[name] ?? '') !== saved[name]);
  return Object.fromEntries(
    changed.map((name) => [name, entered[name]?.trim() === '' ? null : (entered[name] ?? null)]),
  );
}

function Texts({ dispute, onChange }: DisputeProps & { readonly onChange: (isChanged: boolean) => void }) {
  const data = useData();
  const notify = useNotify();
  // What is read meanwhile must not replace what somebody types.
  const [saved, setSaved] = useState(() => draftOf(dispute));
  const { first, others } = textsFor(dispute.reason);
  const save = async (values: { readonly evidence?: Partial<Record<EvidenceText, string | null>> }) => {
    const evidence = changesOf(saved, values.evidence ?? {});
    try {
      const { data: stored } = await data.update<Dispute>('disputes', {
        id: dispute.id,
        data: { evidence },
        previousData: dispute,
      });
      setSaved(draftOf(stored));
      notify('The draft is saved.', { type: 'success' });
      return undefined;
    } catch (error) {
      notify(messageOf(error), { type: 'error' });
      return error instanceof RequestError ? error.body.errors : undefined;
    }
  };
  return (
    <Form record={{ evidence: saved }} onSubmit={save} warnWhenUnsavedChanges>
      <Changes onChange={onChange} />
      <Fields names={first} />
      <Box component="details" sx={{ mb: 2 }}>
        <summary>More fields</summary>
        <Fields names={others} />
      </Box>
      <SaveButton label="Save draft" variant="outlined" size="small" />
    </Form>
  );
}

/** Tells whether something was entered that is not saved. */
function Changes({ onChange }: { readonly onChange: (isChanged: boolean) => void }) {
  const { isDirty } = useFormState();
  useEffect(() => onChange(isDirty), [isDirty, onChange]);
  return null;
}

function Fields({ names }: { readonly names: readonly EvidenceText[] }) {
  return (
    <Box
      sx={{
        display: 'grid',
        columnGap: 2,
        gridTemplateColumns: { xs: 'minmax(0, 1fr)', md: 'repeat(2, minmax(0, 1fr))' },
      }}
    >
      {names.map((name) => {
        const { label, help, isLong = false } = EVIDENCE_TEXTS[name];
        return (
          <TextInput
            key={name}
            source={`evidence.${name}`}
            label={label}
            helperText={help}
            validate={notTooLong}
            {...(isLong ? { multiline: true, minRows: 2, maxRows: 12 } : {})}
            {...(name === 'explanation' ? { sx: { gridColumn: '1 / -1' } } : {})}
          />
        );
      })}
    </Box>
  );
}

function notTooLong(value: unknown): string | undefined {
  return typeof value === 'string' && value.length > MAXIMUM_CHARACTERS
    ? `At most ${MAXIMUM_CHARACTERS.toLocaleString()} characters; these are ${value.length.toLocaleString()}.`
    : undefined;
}

/** The API's limits of files. */
const FILE_TYPES: readonly string[] = ['application/pdf', 'image/png', 'image/jpeg'];
const MEBIBYTE = 1_024 * 1_024;
const MAXIMUM_FILE_BYTES = 2 * MEBIBYTE;
const MAXIMUM_FILES_BYTES = 4 * MEBIBYTE;

/** Why a file cannot be sent; null where it can. */
function problemOf({ type, size }: File, others: number): string | null {
  if (!FILE_TYPES.includes(type)) return 'Choose a PDF, PNG or JPEG file.';
  if (size > MAXIMUM_FILE_BYTES) return `A file has at most 2 MiB; this one has ${kilobytes(size)}. Make it smaller.`;
  if (size + others > MAXIMUM_FILES_BYTES)
    return `All files together have at most 4 MiB; the others have ${kilobytes(others)}. Remove one, or make it smaller.`;
  return null;
}

function kilobytes(bytes: number): string {
  return `${Math.ceil(bytes / 1_024).toLocaleString()} KiB`;
}

function typeName(contentType: string): string {
  return contentType.replace(/^\w+\//, '').toUpperCase();
}

function Files({ dispute }: DisputeProps) {
  const files = filesIn(dispute);
  return (
    <Box sx={{ mt: 3 }}>
      <Typography component="h3" variant="subtitle1">
        Files
      </Typography>
      <Typography variant="body2" color="textSecondary" sx={{ mb: 1 }}>
        PDF, PNG or JPEG, one of each kind: at most 2 MiB each, and 4 MiB together. They are stored encrypted.
      </Typography>
      {files.map(({ kind, contentType, sizeBytes, createdAt }) => (
        <Line
          key={kind}
          name={EVIDENCE_FILES[kind]}
          text={
            <>
              {typeName(contentType)}, {kilobytes(sizeBytes)}, <Time at={createdAt} />
            </>
          }
        >
          <RemoveFile dispute={dispute} kind={kind} />
        </Line>
      ))}
      <ChooseFile dispute={dispute} />
    </Box>
  );
}

function RemoveFile({ dispute, kind }: DisputeProps & { readonly kind: EvidenceFileKind }) {
  const data = useData();
  return (
    <ActionButton
      label="Remove"
      title={`Remove this file: ${EVIDENCE_FILES[kind]}`}
      explanation="It is deleted here, and is not sent."
      act={() => data.delete(`disputes/${dispute.id}/files`, { id: kind })}
      done="The file is removed."
    />
  );
}

function ChooseFile({ dispute }: DisputeProps) {
  const kinds = fileKindsFor(dispute.reason);
  const [chosen, choose] = useState<EvidenceFileKind | null>(null);
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const [withKey] = useState(createIdempotencyKeys);
  const input = useRef<HTMLInputElement>(null);
  const { act } = useData();
  const notify = useNotify();
  const stored = filesIn(dispute);
  const kind = chosen ?? kinds.find((each) => !stored.some((file) => file.kind === each)) ?? 'other';
  const others = stored.reduce((bytes, file) => bytes + (file.kind === kind ? 0 : file.sizeBytes), 0);
  const upload = async (file: File) => {
    const content = (await dataUrlOf(file)).replace(/^[^,]*,/, '');
    const { name, size, lastModified, type: contentType } = file;
    await withKey({ kind, name, size, lastModified }, (key) =>
      act(`disputes/${dispute.id}/files`, { kind, contentType, content }, key),
    );
    choose(null);
    notify('The file is added.', { type: 'success' });
  };
  const take = async (file: File | undefined) => {
    if (file === undefined) return;
    setBusy(true);
    try {
      const problem = problemOf(file, others);
      setFailure(problem);
      if (problem === null) await upload(file);
    } catch (error) {
      setFailure(messageOf(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 2, alignItems: 'center', mt: 1 }}>
        <NativeSelect
          value={kind}
          inputProps={{ 'aria-label': 'What the file shows' }}
          onChange={({ target }) => choose(target.value as EvidenceFileKind)}
          sx={{ maxWidth: '100%' }}
        >
          {kinds.map((each) => (
            <option key={each} value={each}>
              {EVIDENCE_FILES[each]}
            </option>
          ))}
        </NativeSelect>
        <Button size="small" variant="outlined" loading={isBusy} onClick={() => input.current?.click()}>
          {stored.some((file) => file.kind === kind) ? 'Replace the file' : 'Add a file'}
        </Button>
      </Box>
      <input
        ref={input}
        type="file"
        aria-label="File for the answer"
        accept={FILE_TYPES.join(',')}
        hidden
        onChange={({ target }) => {
          void take(target.files?.[0]);
          target.value = '';
        }}
      />
      {failure === null ? null : (
        <Alert severity="error" sx={{ mt: 1 }}>
          {failure}
        </Alert>
      )}
    </>
  );
}

function Submit({ dispute, isChanged }: DisputeProps & { readonly isChanged: boolean }) {
  const { act } = useData();
  const texts = textsIn(dispute).map((name) => EVIDENCE_TEXTS[name].label);
  const files = filesIn(dispute).map(({ kind }) => EVIDENCE_FILES[kind]);
  return (
    <ActionButton
      label="Send the answer"
      title="Send the answer to the provider"
      variant="contained"
      explanation={
        <>
          The provider passes it on to the customer&apos;s bank. <strong>It can be sent once</strong>: afterwards it can
          be neither changed nor taken back.
          <Facts
            rows={[
              ['Texts', texts.join(', ')],
              ['Files', files.length === 0 ? 'None' : files.join(', ')],
            ]}
          />
        </>
      }
      confirmLabel="Send for good"
      disabledReason={reasonNotToSend(dispute, isChanged)}
      act={(_values, key) => act(`disputes/${dispute.id}/submit`, {}, key)}
      done="The answer is on its way to the provider."
    />
  );
}

function reasonNotToSend(dispute: Dispute, isChanged: boolean): string | null {
  if (isChanged) return 'Save the draft first.';
  return isEmpty(dispute) ? 'Write a text or add a file first.' : null;
}

/** What is typed to accept a dispute whose amount is not known. */
const WORD = 'ACCEPT';

function Accept({ dispute }: DisputeProps) {
  const { amount, currency, stage } = dispute;
  const { act } = useData();
  const isMoney = amount !== null && currency !== null;
  const typed = isMoney ? decimalOf(amount, currency) : WORD;
  const isSame = (value: unknown) => {
    const text = typeof value === 'string' ? value.trim() : '';
    const is = isMoney ? parseMoney(text, currency) === amount : text.toUpperCase() === WORD;
    return is ? undefined : `Write ${typed}.`;
  };
  return (
    <ActionButton
      label="Accept the dispute"
      title="Accept the dispute"
      explanation={
        <>
          {stage === 'inquiry'
            ? 'You tell the bank that the customer is right. The money may be taken.'
            : `You give up ${isMoney ? formatMoney(amount, currency) : 'the disputed money'}: it stays with the customer, and the provider keeps its fee.`}{' '}
          <strong>This cannot be taken back</strong>, and nothing can be said against the dispute afterwards.
        </>
      }
      confirmLabel="Accept for good"
      isDangerous
      act={(_values, key) => act(`disputes/${dispute.id}/accept`, {}, key)}
      done="The provider is told that you accept the dispute."
    >
      <TextInput
        source="typed"
        label={isMoney ? `The disputed amount (${currency})` : 'Confirmation'}
        helperText={`Write ${typed} to confirm`}
        validate={[requiredText, isSame]}
        fullWidth
      />
    </ActionButton>
  );
}
