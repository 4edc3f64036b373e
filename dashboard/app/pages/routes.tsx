import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Chip from '@mui/material/Chip';
import IconButton from '@mui/material/IconButton';
import Switch from '@mui/material/Switch';
import Typography from '@mui/material/Typography';
import ArrowDownward from '@mui/icons-material/ArrowDownward';
import ArrowUpward from '@mui/icons-material/ArrowUpward';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type DragEvent, useState } from 'react';
import {
  BooleanInput,
  EditButton,
  NumberInput,
  ResourceContextProvider,
  SelectInput,
  TextInput,
  Title,
  TopToolbar,
  useNotify,
  useRecordContext,
} from 'react-admin';
import { useWatch } from 'react-hook-form';
import type { PaymentRoute } from '../../../sdk/server/generated/schemas.ts';
import { messageOf } from '../core/message-of.ts';
import { useMay } from '../core/session.ts';
import { PAYMENT_METHODS } from '../core/words.ts';
import { Confirmation } from '../parts/action-dialog.tsx';
import { CreateLink } from '../parts/create-link.tsx';
import { Id, Maker } from '../parts/fields.tsx';
import { CreateForm, EditForm, pick } from '../parts/forms.tsx';
import { CountriesInput, CurrenciesInput, requiredText } from '../parts/inputs.tsx';
import { ConditionInputs, conditionWords } from '../parts/route-conditions.tsx';
import { conditionsOfForm } from '../parts/route-condition-values.ts';
import { isLastActive, prioritiesAfterMove, sharePercent } from '../parts/route-order.ts';
import { RoutingSettingLine } from '../parts/routing-setting.tsx';
import { RouteSimulator } from '../parts/route-simulator.tsx';
import { Loaded, Section } from '../parts/section.tsx';
import { methodName } from '../parts/statistic-words.ts';
import { useData, useRead } from '../parts/use-data.ts';

const RESOURCE = 'payment-routes';
/** The API's largest page; an account has a handful of routes. */
const LIMIT = 100;
const FIELD_NAMES = [
  'provider',
  'paymentMethod',
  'currencies',
  'countries',
  'excludedCountries',
  'priority',
  'weight',
  'active',
];

export function RouteList() {
  const query = useRead<readonly PaymentRoute[]>(RESOURCE, { query: { limit: LIMIT } });
  return (
    <ResourceContextProvider value={RESOURCE}>
      <Title title="Routes" />
      <TopToolbar sx={{ backgroundColor: { xs: 'transparent' } }}>
        <CreateLink label="Create route" />
      </TopToolbar>
      <Box
        sx={{
          display: 'grid',
          gap: 2,
          gridTemplateColumns: { xs: 'minmax(0, 1fr)', lg: 'minmax(0, 3fr) minmax(0, 2fr)' },
        }}
      >
        <Box sx={{ display: 'grid', gap: 2, alignContent: 'start' }}>
          <Typography color="textSecondary">
            A payment tries the routes of its method from top to bottom, until one takes the money. Routes with equal
            numbers share the payments by weight. Drag a route, or use its arrows, to change the order.
          </Typography>
          <Loaded query={query} empty="No routes yet. Without a route no payment can be made.">
            {(routes) =>
              PAYMENT_METHODS.map(({ id, name }) => (
                <MethodRoutes
                  key={id}
                  method={id}
                  name={name}
                  routes={routes.filter((each) => each.paymentMethod === id)}
                />
              ))
            }
          </Loaded>
        </Box>
        <RouteSimulator />
      </Box>
    </ResourceContextProvider>
  );
}

interface MethodRoutesProps {
  /** As the API writes it. */
  readonly method: string;
  readonly name: string;
  readonly routes: readonly PaymentRoute[];
}

/** The routes of one payment method, in the order in which they are tried. */
function MethodRoutes({ method, name, routes }: MethodRoutesProps) {
  const sorted = routes.toSorted((one, other) => one.priority - other.priority);
  const [dragged, setDragged] = useState<number | null>(null);
  const { isMoving, move } = useMove(sorted);
  const may = useMay('payment-routes:write');
  if (routes.length === 0) return null;
  const drop = (event: DragEvent, to: number) => {
    event.preventDefault();
    if (dragged !== null) void move(dragged, to);
    setDragged(null);
  };
  return (
    <Section title={`${name} routes`}>
      <RoutingSettingLine method={method} name={name} />
      <Box component="ol" sx={{ listStyle: 'none', m: 0, p: 0 }}>
        {sorted.map((route, index) => (
          <Box
            component="li"
            key={route.id}
            draggable={may && !isMoving}
            onDragStart={() => setDragged(index)}
            onDragOver={(event: DragEvent) => event.preventDefault()}
            onDrop={(event: DragEvent) => drop(event, index)}
            sx={{
              display: 'flex',
              flexWrap: 'wrap',
              alignItems: 'center',
              gap: 1,
              py: 1,
              borderTop: 1,
              borderColor: 'divider',
              cursor: may ? 'grab' : 'default',
              opacity: dragged === index ? 0.5 : 1,
            }}
          >
            <Typography sx={{ minWidth: '3.5rem', fontVariantNumeric: 'tabular-nums', fontWeight: 600 }}>
              {route.priority}
            </Typography>
            <RouteText route={route} share={sharePercent(routes, route)} />
            {may ? <ActiveSwitch route={route} name={name} isLast={isLastActive(routes, route)} /> : null}
            {may ? (
              <Box sx={{ whiteSpace: 'nowrap' }}>
                <MoveButton
                  label="up"
                  route={route}
                  disabled={isMoving || index === 0}
                  onClick={() => void move(index, index - 1)}
                />
                <MoveButton
                  label="down"
                  route={route}
                  disabled={isMoving || index === sorted.length - 1}
                  onClick={() => void move(index, index + 1)}
                />
                <EditButton record={route} />
              </Box>
            ) : null}
          </Box>
        ))}
      </Box>
    </Section>
  );
}

interface ActiveSwitchProps {
  readonly route: PaymentRoute;
  /** Of the payment method. */
  readonly name: string;
  /** Whether nobody can pay by the method without it. */
  readonly isLast: boolean;
}

/** Lets payments take the route or not, at once; it asks before it turns off the last one of a method. */
function ActiveSwitch({ route: { id, provider, active }, name, isLast }: ActiveSwitchProps) {
  const data = useData();
  const queries = useQueryClient();
  const notify = useNotify();
  const [isAsking, setAsking] = useState(false);
  const [chosen, setChosen] = useState<boolean | null>(null);
  const set = async (isOn: boolean) => {
    await data.update(RESOURCE, { id, data: { active: isOn }, previousData: { id } });
    await queries.invalidateQueries({ queryKey: ['read', RESOURCE] });
  };
  const change = async (isOn: boolean) => {
    if (!isOn && isLast) return setAsking(true);
    setChosen(isOn);
    try {
      await set(isOn);
    } catch (error) {
      notify(messageOf(error), { type: 'error' });
    }
    setChosen(null);
  };
  return (
    <>
      <Switch
        checked={chosen ?? active}
        disabled={chosen !== null}
        onChange={({ target }) => void change(target.checked)}
        slotProps={{ input: { 'aria-label': `Payments may take the route to ${provider} (${name})` } }}
      />
      {isAsking ? (
        <Confirmation
          label="Turn off"
          title={`Turn off the last ${name} route?`}
          explanation={withoutRoute(name)}
          isDangerous
          act={() => set(false)}
          done={`${name}: no route is active.`}
          close={() => setAsking(false)}
        />
      ) : null}
    </>
  );
}

function withoutRoute(name: string): string {
  return `It is the only active route for ${name}. Without it every payment by ${name} is refused.`;
}

/** What an edit of the shown route would do to its method; nothing where another route is active. */
function LastRouteWarning() {
  const { data: routes = [] } = useRead<readonly PaymentRoute[]>(RESOURCE, { query: { limit: LIMIT } });
  const route = useRecordContext<PaymentRoute>();
  const active: unknown = useWatch({ name: 'active' });
  if (route === undefined || active === true || !isLastActive(routes, route)) return null;
  return <Alert severity="warning">{withoutRoute(methodName(route.paymentMethod))}</Alert>;
}

/** What is said before a route is deleted. */
function DeletionNotice() {
  const { data: routes = [] } = useRead<readonly PaymentRoute[]>(RESOURCE, { query: { limit: LIMIT } });
  const route = useRecordContext<PaymentRoute>();
  const isLast = route !== undefined && isLastActive(routes, route);
  return <>{isLast ? `${withoutRoute(methodName(route.paymentMethod))} ` : ''}This cannot be taken back.</>;
}

interface MoveButtonProps {
  readonly label: 'up' | 'down';
  readonly route: PaymentRoute;
  readonly disabled: boolean;
  readonly onClick: () => void;
}

function MoveButton({ label, route, disabled, onClick }: MoveButtonProps) {
  const Icon = label === 'up' ? ArrowUpward : ArrowDownward;
  return (
    <IconButton
      size="small"
      aria-label={`Move the route to ${route.provider} ${label}`}
      disabled={disabled}
      onClick={onClick}
    >
      <Icon fontSize="small" />
    </IconButton>
  );
}

interface RouteTextProps {
  readonly route: PaymentRoute;
  /** In percent; null where it shares its payments with no other route. */
  readonly share: number | null;
}

function RouteText({ route, share }: RouteTextProps) {
  const { id, provider, currencies, countries, excludedCountries, weight, active } = route;
  const limits = [
    currencies.length === 0 ? 'every currency' : shortList(currencies, 'currencies'),
    countries.length === 0 ? 'every country' : shortList(countries, 'countries'),
    ...(excludedCountries.length === 0 ? [] : [`not ${shortList(excludedCountries, 'countries')}`]),
    ...conditionWords(route),
  ];
  return (
    <Box sx={{ flex: '1 1 12rem', minWidth: '12rem' }}>
      <Typography sx={{ fontWeight: 600 }}>
        <Id id={provider} link={false} /> {active ? null : <Chip size="small" label="Not active" />}
      </Typography>
      <Typography variant="body2" color="textSecondary">
        {limits.join(' · ')} · weight {weight}
        {share === null ? '' : ` (${share} % of the payments)`} · <Id id={id} link={false} />
      </Typography>
    </Box>
  );
}

/** A long list as its number. */
function shortList(codes: readonly string[], name: string): string {
  return codes.length > 10 ? `${codes.length} ${name}` : codes.join(', ');
}

/** Moves a route within its list: one request for each priority that changes. */
function useMove(routes: readonly PaymentRoute[]) {
  const data = useData();
  const queries = useQueryClient();
  const notify = useNotify();
  const [isMoving, setMoving] = useState(false);
  const move = async (from: number, to: number) => {
    setMoving(true);
    try {
      for (const { id, priority } of prioritiesAfterMove(routes, from, to).toReversed())
        await data.update(RESOURCE, { id, data: { priority }, previousData: { id } });
    } catch (error) {
      notify(messageOf(error), { type: 'error' });
    }
    await queries.invalidateQueries({ queryKey: ['read', RESOURCE] });
    setMoving(false);
  };
  return { isMoving, move };
}

/** Providers that routes lead to already, and the account's own; any other can be typed by its route's API. */
function ProviderInput() {
  const data = useData();
  const { data: names = [] } = useQuery({
    queryKey: ['read', 'providers-of-routes'],
    queryFn: async () => {
      const [routes, accounts] = await Promise.all([
        data.read<readonly PaymentRoute[]>(RESOURCE, { limit: LIMIT }),
        data.read<readonly { id: string; name: string }[]>('provider-accounts', { limit: LIMIT }).catch(() => []),
      ]);
      const known = new Map(routes.map(({ provider }) => [provider, provider]));
      for (const { id, name } of accounts) known.set(id, name);
      return [...known].map(([id, name]) => ({ id, name }));
    },
  });
  if (names.length === 0) return <TextInput source="provider" label="Provider" validate={requiredText} />;
  return <SelectInput source="provider" label="Provider" choices={names} validate={requiredText} fullWidth />;
}

const INPUTS = (
  <>
    <ProviderInput />
    <SelectInput
      source="paymentMethod"
      label="Payment method"
      choices={PAYMENT_METHODS}
      validate={requiredText}
      fullWidth
    />
    <NumberInput source="priority" label="Number" min={0} helperText="Lower numbers are tried first" />
    <NumberInput
      source="weight"
      label="Weight"
      min={1}
      helperText="Share of the payments among routes with equal numbers"
    />
    <CurrenciesInput source="currencies" />
    <CountriesInput source="countries" label="Countries (none: every country)" />
    <CountriesInput source="excludedCountries" label="Countries that are left out" />
    <ConditionInputs />
    <BooleanInput source="active" label="Payments may take it" />
  </>
);

function toBody(values: Record<string, unknown>) {
  return { ...pick(values, FIELD_NAMES), ...conditionsOfForm(values) };
}

export function RouteCreate() {
  return (
    <CreateForm
      title="New route"
      redirect="list"
      defaultValues={{ priority: 100, weight: 1, active: true, currencies: [], countries: [], excludedCountries: [] }}
      toBody={toBody}
    >
      {INPUTS}
    </CreateForm>
  );
}

export function RouteEdit() {
  return (
    <EditForm
      title="Edit route"
      redirect="list"
      canDelete
      deletion="Delete this route?"
      deletionNotice={<DeletionNotice />}
      toBody={toBody}
    >
      {INPUTS}
      <LastRouteWarning />
      <MadeBy />
    </EditForm>
  );
}

function MadeBy() {
  const route = useRecordContext<PaymentRoute>();
  if (route === undefined) return null;
  return (
    <Typography variant="body2" color="textSecondary">
      Made by: <Maker of={route.createdBy} />
    </Typography>
  );
}
