import Business from '@mui/icons-material/Business';
import FactCheck from '@mui/icons-material/FactCheck';
import Gavel from '@mui/icons-material/Gavel';
import MonitorHeart from '@mui/icons-material/MonitorHeart';
import Tune from '@mui/icons-material/Tune';
import type { ComponentType, ReactElement } from 'react';
import { EventList } from './audit-log.tsx';
import { MerchantList, MerchantPage } from './merchants.tsx';
import { HealthList, HealthPage } from './provider-health.tsx';
import { PolicyReportList } from './policy-reports.tsx';
import { SettingList } from './settings.tsx';

interface ConsolePages {
  /** As in the API's paths, below `platform`. */
  readonly name: string;
  readonly label: string;
  readonly icon: ReactElement;
  readonly list: ComponentType;
  readonly show?: ComponentType;
}

/** The pages of the console, in the order of the menu. */
export const CONSOLE_RESOURCES: readonly ConsolePages[] = [
  { name: 'merchants', label: 'Merchants', icon: <Business />, list: MerchantList, show: MerchantPage },
  { name: 'provider-health', label: 'Provider health', icon: <MonitorHeart />, list: HealthList, show: HealthPage },
  { name: 'policy-reports', label: 'Payment pages', icon: <Gavel />, list: PolicyReportList },
  { name: 'settings', label: 'Settings', icon: <Tune />, list: SettingList },
  { name: 'audit-events', label: 'Audit log', icon: <FactCheck />, list: EventList },
];
