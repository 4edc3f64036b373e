import AccountBalance from '@mui/icons-material/AccountBalance';
import AccountBalanceWallet from '@mui/icons-material/AccountBalanceWallet';
import AltRoute from '@mui/icons-material/AltRoute';
import Bolt from '@mui/icons-material/Bolt';
import FactCheck from '@mui/icons-material/FactCheck';
import Gavel from '@mui/icons-material/Gavel';
import CreditCard from '@mui/icons-material/CreditCard';
import Group from '@mui/icons-material/Group';
import Key from '@mui/icons-material/Key';
import LinkIcon from '@mui/icons-material/Link';
import MonitorHeart from '@mui/icons-material/MonitorHeart';
import Payments from '@mui/icons-material/Payments';
import People from '@mui/icons-material/People';
import ReceiptLong from '@mui/icons-material/ReceiptLong';
import RocketLaunch from '@mui/icons-material/RocketLaunch';
import Security from '@mui/icons-material/Security';
import SettingsInputComponent from '@mui/icons-material/SettingsInputComponent';
import Shield from '@mui/icons-material/Shield';
import Speed from '@mui/icons-material/Speed';
import Storefront from '@mui/icons-material/Storefront';
import SwapHoriz from '@mui/icons-material/SwapHoriz';
import Undo from '@mui/icons-material/Undo';
import Webhook from '@mui/icons-material/Webhook';
import { type ComponentType, lazy, type LazyExoticComponent, type ReactElement } from 'react';
import { connectsServers, FIRST_STEPS_PATH } from '../core/landing.ts';
import { loadScript } from '../core/load-script.ts';
import { SECURITY_SCOPE } from '../core/scopes.ts';
import { PAGES } from './pages.ts';

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
  return lazy(async () => ({ default: (await loadScript(load()))[name] }));
}

/** The page at the beginning of an account's addresses. */
export const HomePage = page(PAGES.home, 'Home');

/** Every resource with pages, in the order of the menu. */
export const RESOURCES: readonly ResourcePages[] = [
  {
    name: 'payment-intents',
    label: 'Payments',
    group: 'Payments',
    icon: <Payments />,
    list: page(PAGES.payments, 'PaymentList'),
    show: page(PAGES.payment, 'PaymentPage'),
  },
  {
    name: 'payment-links',
    label: 'Payment links',
    group: 'Payments',
    icon: <LinkIcon />,
    list: page(PAGES.links, 'PaymentLinkList'),
    show: page(PAGES.links, 'PaymentLinkPage'),
  },
  {
    name: 'refunds',
    label: 'Refunds',
    group: 'Payments',
    icon: <Undo />,
    list: page(PAGES.refunds, 'RefundList'),
    show: page(PAGES.refunds, 'RefundPage'),
  },
  {
    name: 'disputes',
    label: 'Disputes',
    group: 'Payments',
    icon: <Gavel />,
    list: page(PAGES.disputes, 'DisputeList'),
    show: page(PAGES.disputes, 'DisputePage'),
  },
  {
    name: 'transactions',
    label: 'Transactions',
    group: 'Payments',
    icon: <SwapHoriz />,
    list: page(PAGES.transactions, 'TransactionList'),
    show: page(PAGES.transactions, 'TransactionPage'),
  },
  {
    name: 'settlements',
    label: 'Settlements',
    group: 'Payments',
    icon: <AccountBalanceWallet />,
    list: page(PAGES.settlements, 'SettlementList'),
    show: page(PAGES.settlements, 'SettlementPage'),
  },
  {
    name: 'settlement-entries',
    label: 'Settlement entries',
    group: 'Payments',
    icon: <ReceiptLong />,
    list: page(PAGES.settlementEntries, 'SettlementEntryList'),
    show: page(PAGES.settlementEntries, 'SettlementEntryPage'),
  },
  {
    name: 'customers',
    label: 'Customers',
    group: 'Payments',
    icon: <People />,
    list: page(PAGES.customers, 'CustomerList'),
    show: page(PAGES.customers, 'CustomerPage'),
    edit: page(PAGES.customers, 'CustomerEdit'),
    create: page(PAGES.customers, 'CustomerCreate'),
  },
  {
    name: 'reconciliation-runs',
    label: 'Reconciliation',
    group: 'Payments',
    icon: <AccountBalance />,
    list: page(PAGES.reconciliation, 'ReconciliationList'),
    show: page(PAGES.reconciliation, 'ReconciliationPage'),
  },
  {
    name: 'api-keys',
    label: 'API keys',
    group: 'Developers',
    icon: <Key />,
    list: page(PAGES.apiKeys, 'ApiKeyList'),
    show: page(PAGES.apiKeys, 'ApiKeyPage'),
    edit: page(PAGES.apiKeys, 'ApiKeyEdit'),
  },
  {
    name: 'webhook-endpoints',
    label: 'Webhook endpoints',
    group: 'Developers',
    icon: <Webhook />,
    list: page(PAGES.endpoints, 'EndpointList'),
    show: page(PAGES.endpoints, 'EndpointPage'),
    edit: page(PAGES.endpoints, 'EndpointEdit'),
  },
  {
    name: 'events',
    label: 'Events',
    group: 'Developers',
    icon: <Bolt />,
    list: page(PAGES.events, 'EventList'),
    show: page(PAGES.events, 'EventPage'),
  },
  {
    name: 'payment-routes',
    label: 'Routes',
    group: 'Settings',
    icon: <AltRoute />,
    list: page(PAGES.routes, 'RouteList'),
    edit: page(PAGES.routes, 'RouteEdit'),
    create: page(PAGES.routes, 'RouteCreate'),
  },
  {
    name: 'card-groups',
    label: 'Groups of cards',
    group: 'Settings',
    icon: <CreditCard />,
    list: page(PAGES.cardGroups, 'CardGroupList'),
  },
  {
    name: 'channel-limits',
    label: 'Channel limits',
    group: 'Settings',
    icon: <Speed />,
    list: page(PAGES.limits, 'LimitList'),
  },
  {
    name: 'provider-accounts',
    label: 'Provider accounts',
    group: 'Settings',
    icon: <SettingsInputComponent />,
    list: page(PAGES.providers, 'ProviderAccountList'),
    show: page(PAGES.providers, 'ProviderAccountPage'),
  },
  {
    name: 'provider-health',
    label: 'Provider health',
    group: 'Settings',
    icon: <MonitorHeart />,
    list: page(PAGES.health, 'ProviderHealthPage'),
  },
  {
    name: 'team-members',
    label: 'Team',
    group: 'Settings',
    icon: <Group />,
    list: page(PAGES.team, 'TeamPage'),
  },
  {
    name: 'audit-events',
    label: 'Audit log',
    group: 'Settings',
    icon: <FactCheck />,
    list: page(PAGES.audit, 'AuditList'),
    show: page(PAGES.audit, 'AuditPage'),
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
    Page: page(PAGES.firstSteps, 'FirstStepsPage'),
    group: 'Developers',
    isFor: connectsServers,
  },
  {
    path: '/account',
    label: 'Account',
    icon: <Storefront />,
    Page: page(PAGES.account, 'AccountPage'),
    group: 'Settings',
  },
  {
    path: '/team-security',
    label: 'Security',
    icon: <Shield />,
    Page: page(PAGES.teamSecurity, 'TeamSecurityPage'),
    group: 'Settings',
    isFor: (scopes) => scopes.includes(SECURITY_SCOPE),
  },
  { path: '/security', label: 'My security', icon: <Security />, Page: page(PAGES.security, 'SecurityPage') },
];
