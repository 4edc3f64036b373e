import {
  Create,
  DeleteWithConfirmButton,
  Edit,
  type RaRecord,
  SaveButton,
  SimpleForm,
  Toolbar,
  TopToolbar,
} from 'react-admin';
import { type ReactNode, useState } from 'react';
import { createIdempotencyKeys } from '../core/idempotency.ts';

type Values = Record<string, unknown>;

interface FormProps {
  readonly title: string;
  readonly defaultValues?: Values;
  /** The form's values as the API takes them. */
  readonly toBody?: (values: Values) => Values;
  readonly validate?: (values: Values) => Record<string, string>;
  readonly redirect?: 'show' | 'list';
  readonly children: ReactNode;
}

/** A form for a new resource. A retry with the same values creates nothing twice. */
export function CreateForm({ title, defaultValues, toBody, validate, redirect = 'show', children }: FormProps) {
  const [withKey] = useState(createIdempotencyKeys);
  const transform = (values: Values) => (toBody === undefined ? withoutEmpty(values) : toBody(values));
  return (
    <Create title={title} redirect={redirect} transform={transform} mutationOptions={{ meta: { withKey } }}>
      <SimpleForm
        toolbar={<FormToolbar />}
        {...(defaultValues === undefined ? {} : { defaultValues })}
        {...(validate === undefined ? {} : { validate })}
      >
        {children}
      </SimpleForm>
    </Create>
  );
}

/** A form that changes a resource; only what is in the form is sent. */
export function EditForm({
  title,
  toBody,
  validate,
  redirect = 'show',
  canDelete = false,
  deletion,
  deletionNotice = 'This cannot be taken back.',
  toolbar,
  children,
}: FormProps & {
  readonly canDelete?: boolean;
  /** The question before it is deleted. */
  readonly deletion?: string;
  /** What is said below that question. */
  readonly deletionNotice?: ReactNode;
  readonly toolbar?: ReactNode;
}) {
  return (
    <Edit
      title={title}
      redirect={redirect}
      mutationMode="pessimistic"
      {...(toBody === undefined ? {} : { transform: (record: RaRecord) => toBody(record) })}
      actions={toolbar === undefined ? false : <TopToolbar>{toolbar}</TopToolbar>}
    >
      <SimpleForm
        toolbar={<FormToolbar {...(canDelete ? { deletion: deletion ?? 'Delete this?', deletionNotice } : {})} />}
        {...(validate === undefined ? {} : { validate })}
      >
        {children}
      </SimpleForm>
    </Edit>
  );
}

interface FormToolbarProps {
  readonly deletion?: string;
  readonly deletionNotice?: ReactNode;
}

function FormToolbar({ deletion, deletionNotice }: FormToolbarProps) {
  return (
    <Toolbar sx={{ justifyContent: 'space-between' }}>
      <SaveButton alwaysEnable />
      {deletion === undefined ? null : (
        <DeleteWithConfirmButton confirmTitle={deletion} confirmContent={deletionNotice} mutationMode="pessimistic" />
      )}
    </Toolbar>
  );
}

/** The values that were given; the API takes no empty texts. */
export function withoutEmpty(values: Values): Values {
  return Object.fromEntries(
    Object.entries(values).filter(([, value]) => value !== '' && value !== null && value !== undefined),
  );
}

/** The named values; those that are empty become null. */
export function pick(values: Values, names: readonly string[]): Values {
  return Object.fromEntries(names.map((name) => [name, values[name] === '' ? null : (values[name] ?? null)]));
}
