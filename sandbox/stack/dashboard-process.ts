import { settingsOf } from '../../config/programs.ts';
import type { Settings } from '../../config/read-variables.ts';
import type { ChildSpec } from './child-spec.ts';
import { nodeSpec } from './engine-processes.ts';

/** Where the dashboard and the mailbox of a stack are. */
export interface DashboardPorts {
  readonly dashboard: number;
  /** The page with the mails. */
  readonly mailbox: number;
  /** The mail server. */
  readonly mailboxSmtp: number;
}

/** The address of the dashboard. */
export function dashboardUrlOf({ dashboard }: DashboardPorts): string {
  return `http://127.0.0.1:${dashboard}`;
}

/** The address of the page with the mails. */
export function mailboxUrlOf({ mailbox }: DashboardPorts): string {
  return `http://127.0.0.1:${mailbox}`;
}

/** The variables that people need, of the dashboard and the API: mails go into the mailbox unless another server is set. */
export function dashboardSettings(ports: DashboardPorts, settings: Settings, secret: string): Settings {
  const hasMailServer = Boolean(settings.SMTP_URL);
  return {
    DASHBOARD_URL: settings.DASHBOARD_URL || dashboardUrlOf(ports),
    DASHBOARD_SECRET: settings.DASHBOARD_SECRET || secret,
    SIGN_UP: settings.SIGN_UP || 'open',
    SMTP_URL: hasMailServer ? settings.SMTP_URL : `smtp://127.0.0.1:${ports.mailboxSmtp}`,
    MAIL_FROM: settings.MAIL_FROM || 'Payment sandbox <payments@sandbox.example>',
  };
}

/** How the dashboard is run. */
export function dashboardSpec(ports: DashboardPorts, apiUrl: string, settings: Settings, dataDir: string): ChildSpec {
  return nodeSpec({
    name: 'dashboard',
    program: 'dashboard/main.js',
    env: {
      ...settingsOf('dashboard', settings),
      DASHBOARD_PORT: String(ports.dashboard),
      DASHBOARD_API_URL: apiUrl,
      API_PUBLIC_URL: settings.API_PUBLIC_URL || apiUrl,
    },
    dataDir,
    readyLine: /^dashboard listening on /m,
  });
}

/** How the mailbox is run. */
export function mailboxSpec(ports: DashboardPorts, settings: Settings, dataDir: string): ChildSpec {
  return nodeSpec({
    name: 'mailbox',
    program: 'sandbox/mailbox/main.js',
    env: {
      ...settingsOf('mailbox', settings),
      MAILBOX_PORT: String(ports.mailbox),
      MAILBOX_SMTP_PORT: String(ports.mailboxSmtp),
    },
    dataDir,
    readyLine: /^mailbox listening on /m,
  });
}
