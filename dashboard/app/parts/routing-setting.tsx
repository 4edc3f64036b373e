import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useQueryClient } from '@tanstack/react-query';
import { NumberInput, SelectInput } from 'react-admin';
import type { RoutingSetting } from '../../../sdk/server/generated/schemas.ts';
import { useMay } from '../core/session.ts';
import { ActionButton } from './action-dialog.tsx';
import { Id } from './fields.tsx';
import { requiredText } from './inputs.tsx';
import { useData, useRead } from './use-data.ts';

const ORDERINGS = [
  { id: 'weighted', name: 'By weight' },
  { id: 'approval_rate', name: 'By approval rate' },
];

interface RoutingSettingProps {
  /** Of the payment method, as the API writes it. */
  readonly method: string;
  readonly name: string;
}

/** How routes of equal numbers of a method are ordered, the rates of their providers, and the button that changes it. */
export function RoutingSettingLine({ method, name }: RoutingSettingProps) {
  const path = `routing-settings/${method}`;
  const { data: setting } = useRead<RoutingSetting>(path);
  const may = useMay('routing-settings:write');
  if (setting === undefined) return null;
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, alignItems: 'center', pb: 1 }}>
      <Typography variant="body2" color="textSecondary" sx={{ flex: '1 1 12rem' }}>
        Equal numbers: {setting.ordering === 'weighted' ? 'by weight' : 'by approval rate'}
        {setting.rates.map(({ provider, approvalRate, attempts }) => (
          <span key={provider}>
            {' · '}
            <Id id={provider} link={false} /> {(approvalRate * 100).toFixed(1)} % of {attempts}
          </span>
        ))}
      </Typography>
      {may ? <ChangeOrdering setting={setting} path={path} name={name} /> : null}
    </Box>
  );
}

interface ChangeProps {
  readonly setting: RoutingSetting;
  readonly path: string;
  readonly name: string;
}

function ChangeOrdering({ setting, path, name }: ChangeProps) {
  const data = useData();
  const queries = useQueryClient();
  const { ordering, explorationShare, minimumAttempts, windowHours } = setting;
  const put = (values: Record<string, unknown>) =>
    data.put<RoutingSetting>(path, {
      ordering: values['ordering'],
      explorationShare: Number(values['explorationPercent']) / 100,
      minimumAttempts: values['minimumAttempts'],
      windowHours: values['windowHours'],
    });
  return (
    <ActionButton
      label="Change order"
      title={`Order of ${name} routes with equal numbers`}
      explanation="By approval rate, most payments go to the provider that approves most; some go to the others, so that their rates stay known."
      defaultValues={{ ordering, explorationPercent: Math.round(explorationShare * 100), minimumAttempts, windowHours }}
      act={put}
      done="The order is changed."
      onDone={() => void queries.invalidateQueries({ queryKey: ['read', path] })}
    >
      <SelectInput source="ordering" label="Order" choices={ORDERINGS} validate={requiredText} fullWidth />
      <NumberInput source="explorationPercent" label="Explored payments (%)" min={5} max={50} />
      <NumberInput source="minimumAttempts" label="Attempts before a rate counts" min={10} max={1_000} />
      <NumberInput source="windowHours" label="Hours without an attempt after which it does not" min={1} max={168} />
    </ActionButton>
  );
}
