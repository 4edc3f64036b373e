import AccountBalance from '@mui/icons-material/AccountBalance';
import AltRoute from '@mui/icons-material/AltRoute';
import Bolt from '@mui/icons-material/Bolt';
import FactCheck from '@mui/icons-material/FactCheck';
import Group from '@mui/icons-material/Group';
import Key from '@mui/icons-material/Key';
import LinkIcon from '@mui/icons-material/Link';
import MonitorHeart from '@mui/icons-material/MonitorHeart';
import Payments from '@mui/icons-material/Payments';
import People from '@mui/icons-material/People';
import RocketLaunch from '@mui/icons-material/RocketLaunch';
import Security from '@mui/icons-material/Security';
import SettingsInputComponent from '@mui/icons-material/SettingsInputComponent';
import Speed from '@mui/icons-material/Speed';
import SwapHoriz from '@mui/icons-material/SwapHoriz';
import Undo from '@mui/icons-material/Undo';
import Webhook from '@mui/icons-material/Webhook';
import { type ComponentType, lazy, type LazyExoticComponent, type ReactElement } from 'react';
import { connectsServers, FIRST_STEPS_PATH } from '../core/landing.ts';

type Page = LazyExoticComponent<ComponentType>;

interface ResourcePages {
  /** As in the API's paths. */
  readonly name: string;
  readonly label: string;
  readonly group: 'Payments' | 'Developers' | 'Settings';
  readonly icon: ReactElement;
  readonly list?: Page;
  readonly show?: Page;
  readonly edit?: Page;
  readonly create?: Page;
}

/** A page that is loaded when it is first opened. */
function page<Name extends string>(load: () => Promise<Readonly<Record<Name, ComponentType>>>, name: Name): Page {
  return lazy(async () => ({ default: (await load())[name] }));
}

const home = () => import('../pages/home.tsx');
const payments = () => import('../pages/payments.tsx');
const payment = () => import('../pages/payment.tsx');
const links = () => import('../pages/payment-links.tsx');
const refunds = () => import('../pages/refunds.tsx');
const transactions = () => import('../pages/transactions.tsx');
const customers = () => import('../pages/customers.tsx');
const apiKeys = () => import('../pages/api-keys.tsx');
const endpoints = () => import('../pages/webhook-endpoints.tsx');
const events = () => import('../pages/events.tsx');
const routes = () => import('../pages/routes.tsx');
const limits = () => import('../pages/channel-limits.tsx');
const providers = () => import('../pages/provider-accounts.tsx');
const health = () => import('../pages/provider-health.tsx');
const team = () => import('../pages/team.tsx');
const audit = () => import('../pages/audit-log.tsx');
const reconciliation = () => import('../pages/reconciliation.tsx');
const firstSteps = () => import('../pages/first-steps.tsx');
const security = () => import('../pages/security.tsx');

/** The page at the beginning of an account's addresses. */
export const HomePage = page(home, 'Home');

/** Every resource with pages, in the order of the menu. */
export const RESOURCES: readonly ResourcePages[] = [
  {
    name: 'payment-intents',
    label: 'Payments',
    group: 'Payments',
    icon: <Payments />,
    list: page(payments, 'PaymentList'),
    show: page(payment, 'PaymentPage'),
  },
  {
    name: 'payment-links',
    label: 'Payment links',
    group: 'Payments',
    icon: <LinkIcon />,
    list: page(links, 'PaymentLinkList'),
    show: page(links, 'PaymentLinkPage'),
  },
  {
    name: 'refunds',
    label: 'Refunds',
    group: 'Payments',
    icon: <Undo />,
    list: page(refunds, 'RefundList'),
    show: page(refunds, 'RefundPage'),
  },
  {
    name: 'transactions',
    label: 'Transactions',
    group: 'Payments',
    icon: <SwapHoriz />,
    list: page(transactions, 'TransactionList'),
    show: page(transactions, 'TransactionPage'),
  },
  {
    name: 'customers',
    label: 'Customers',
    group: 'Payments',
    icon: <People />,
    list: page(customers, 'CustomerList'),
    show: page(customers, 'CustomerPage'),
    edit: page(customers, 'CustomerEdit'),
    create: page(customers, 'CustomerCreate'),
  },
  {
    name: 'reconciliation-runs',
    label: 'Reconciliation',
    group: 'Payments',
    icon: <AccountBalance />,
    list: page(reconciliation, 'ReconciliationList'),
    show: page(reconciliation, 'ReconciliationPage'),
  },
  {
    name: 'api-keys',
    label: 'API keys',
    group: 'Developers',
    icon: <Key />,
    list: page(apiKeys, 'ApiKeyList'),
    show: page(apiKeys, 'ApiKeyPage'),
    edit: page(apiKeys, 'ApiKeyEdit'),
  },
  {
    name: 'webhook-endpoints',
    label: 'Webhook endpoints',
    group: 'Developers',
    icon: <Webhook />,
    list: page(endpoints, 'EndpointList'),
    show: page(endpoints, 'EndpointPage'),
    edit: page(endpoints, 'EndpointEdit'),
  },
  {
    name: 'events',
    label: 'Events',
    group: 'Developers',
    icon: <Bolt />,
    list: page(events, 'EventList'),
    show: page(events, 'EventPage'),
  },
  {
    name: 'payment-routes',
    label: 'Routes',
    group: 'Settings',
    icon: <AltRoute />,
    list: page(routes, 'RouteList'),
    edit: page(routes, 'RouteEdit'),
    create: page(routes, 'RouteCreate'),
  },
  {
    name: 'channel-limits',
    label: 'Channel limits',
    group: 'Settings',
    icon: <Speed />,
    list: page(limits, 'LimitList'),
  },
  {
    name: 'provider-accounts',
    label: 'Provider accounts',
    group: 'Settings',
    icon: <SettingsInputComponent />,
    list: page(providers, 'ProviderAccountList'),
    show: page(providers, 'ProviderAccountPage'),
  },
  {
    name: 'provider-health',
    label: 'Provider health',
    group: 'Settings',
    icon: <MonitorHeart />,
    list: page(health, 'ProviderHealthPage'),
  },
  {
    name: 'team-members',
    label: 'Team',
    group: 'Settings',
    icon: <Group />,
    list: page(team, 'TeamPage'),
  },
  {
    name: 'audit-events',
    label: 'Audit log',
    group: 'Settings',
    icon: <FactCheck />,
    list: page(audit, 'AuditList'),
    show: page(audit, 'AuditPage'),
  },
];

interface OwnPage {
  readonly path: string;
  readonly label: string;
  readonly icon: ReactElement;
  readonly Page: Page;
  /** Where it is in the menu of pages; otherwise it is in that of the person. */
  readonly group?: ResourcePages['group'];
  /** Who sees it in the menu; every person where absent. */
  readonly isFor?: (scopes: readonly string[]) => boolean;
}

/** Pages that are about no resource. */
export const OWN_PAGES: readonly OwnPage[] = [
  {
    path: FIRST_STEPS_PATH,
    label: 'First steps',
    icon: <RocketLaunch />,
    Page: page(firstSteps, 'FirstStepsPage'),
    group: 'Developers',
    isFor: connectsServers,
  },
  { path: '/security', label: 'My security', icon: <Security />, Page: page(security, 'SecurityPage') },
];
