// Every page: its address, its loader, and its permission. A page's code is loaded when it is first opened.
import type { ComponentType } from 'preact';
import type { PageProps } from './page-props.ts';
import type { IconName } from './ui/icon.tsx';
import { words } from './words/words.ts';

export interface PageEntry {
  pattern: string;
  load: () => Promise<{ default: ComponentType<PageProps> }>;
  /** Shown without a session, without the sidebar. */
  isPublic?: boolean;
}

export const PAGES: readonly PageEntry[] = [
  { pattern: '/', load: () => import('./pages/overview/overview-page.tsx') },
  { pattern: '/start', load: () => import('./pages/start/start-page.tsx') },
  { pattern: '/live', load: () => import('./pages/live/live-page.tsx') },
  { pattern: '/calls', load: () => import('./pages/calls/calls-page.tsx') },
  { pattern: '/calls/new', load: () => import('./pages/calls/place-call-page.tsx') },
  { pattern: '/calls/:id', load: () => import('./pages/calls/call-page.tsx') },
  { pattern: '/messages', load: () => import('./pages/messages/messages-page.tsx') },
  { pattern: '/messages/:id', load: () => import('./pages/messages/conversation-page.tsx') },
  { pattern: '/people/:number', load: () => import('./pages/people/person-page.tsx') },
  { pattern: '/agents', load: () => import('./pages/agents/agents-page.tsx') },
  { pattern: '/agents/new', load: () => import('./pages/agents/agent-page.tsx') },
  { pattern: '/agents/:id', load: () => import('./pages/agents/agent-page.tsx') },
  { pattern: '/talk', load: () => import('./pages/talk/talk-page.tsx') },
  { pattern: '/businesses', load: () => import('./pages/businesses/businesses-page.tsx') },
  { pattern: '/businesses/new', load: () => import('./pages/businesses/new-business-page.tsx') },
  { pattern: '/businesses/:id', load: () => import('./pages/businesses/business-page.tsx') },
  { pattern: '/campaigns', load: () => import('./pages/campaigns/campaigns-page.tsx') },
  { pattern: '/campaigns/new', load: () => import('./pages/campaigns/new-campaign-page.tsx') },
  { pattern: '/campaigns/:id', load: () => import('./pages/campaigns/campaign-page.tsx') },
  { pattern: '/appointments', load: () => import('./pages/appointments/appointments-page.tsx') },
  { pattern: '/do-not-call', load: () => import('./pages/do-not-call/do-not-call-page.tsx') },
  { pattern: '/components', load: () => import('./pages/components/components-page.tsx') },
  { pattern: '/phone-numbers', load: () => import('./pages/phone-numbers/phone-numbers-page.tsx') },
  { pattern: '/phone-numbers/buy', load: () => import('./pages/phone-numbers/buy-page.tsx') },
  { pattern: '/phone-numbers/port-in/new', load: () => import('./pages/phone-numbers/port-order-new-page.tsx') },
  { pattern: '/phone-numbers/port-in/:id', load: () => import('./pages/phone-numbers/port-order-page.tsx') },
  { pattern: '/phone-numbers/:id', load: () => import('./pages/phone-numbers/phone-number-page.tsx') },
  { pattern: '/tools', load: () => import('./pages/tools/tools-page.tsx') },
  { pattern: '/tools/new', load: () => import('./pages/tools/tool-new-page.tsx') },
  { pattern: '/tools/:id', load: () => import('./pages/tools/tool-page.tsx') },
  { pattern: '/tests', load: () => import('./pages/tests/suites-page.tsx') },
  { pattern: '/tests/new', load: () => import('./pages/tests/suite-new-page.tsx') },
  { pattern: '/tests/runs/:id', load: () => import('./pages/tests/run-page.tsx') },
  { pattern: '/tests/:id', load: () => import('./pages/tests/suite-page.tsx') },
  { pattern: '/webhooks', load: () => import('./pages/webhooks/webhooks-page.tsx') },
  { pattern: '/webhooks/new', load: () => import('./pages/webhooks/webhook-new-page.tsx') },
  { pattern: '/webhooks/:id', load: () => import('./pages/webhooks/webhook-page.tsx') },
  { pattern: '/api-keys', load: () => import('./pages/api-keys/api-keys-page.tsx') },
  { pattern: '/audit-log', load: () => import('./pages/audit-log/audit-log-page.tsx') },
  { pattern: '/settings', load: () => import('./pages/settings/settings-page.tsx') },
  { pattern: '/billing', load: () => import('./pages/billing/billing-page.tsx') },
  { pattern: '/costs', load: () => import('./pages/costs/costs-page.tsx') },
  { pattern: '/alerts', load: () => import('./pages/alerts/alerts-page.tsx') },
  { pattern: '/alerts/new', load: () => import('./pages/alerts/alert-new-page.tsx') },
  { pattern: '/alerts/:id', load: () => import('./pages/alerts/alert-page.tsx') },
  { pattern: '/admin/status', load: () => import('./pages/administration/status-page.tsx') },
  { pattern: '/admin/carriers', load: () => import('./pages/carriers/carriers-page.tsx') },
  { pattern: '/admin/carriers/new', load: () => import('./pages/carriers/carrier-new-page.tsx') },
  { pattern: '/admin/carriers/:id', load: () => import('./pages/carriers/carrier-page.tsx') },
  { pattern: '/admin/trunks', load: () => import('./pages/administration/trunks-page.tsx') },
  { pattern: '/admin/trunks/new', load: () => import('./pages/administration/trunk-new-page.tsx') },
  { pattern: '/admin/trunks/:id', load: () => import('./pages/administration/trunk-page.tsx') },
  { pattern: '/admin/softphones', load: () => import('./pages/administration/softphones-page.tsx') },
  { pattern: '/admin/softphones/new', load: () => import('./pages/administration/softphone-new-page.tsx') },
  { pattern: '/admin/softphones/:id', load: () => import('./pages/administration/softphone-page.tsx') },
  { pattern: '/admin/models', load: () => import('./pages/administration/models-page.tsx') },
  { pattern: '/admin/inventory', load: () => import('./pages/administration/inventory-page.tsx') },
  { pattern: '/admin/port-orders', load: () => import('./pages/administration/port-orders-page.tsx') },
  { pattern: '/admin/accounts', load: () => import('./pages/administration/accounts-page.tsx') },
  { pattern: '/admin/limits', load: () => import('./pages/administration/limits-page.tsx') },
  { pattern: '/admin/costs', load: () => import('./pages/costs/installation-costs-page.tsx') },
  { pattern: '/admin/refused-calls', load: () => import('./pages/administration/refused-calls-page.tsx') },
  { pattern: '/admin/audit-log', load: () => import('./pages/audit-log/installation-audit-log-page.tsx') },
  { pattern: '/sign-in', load: () => import('./pages/access/sign-in-page.tsx'), isPublic: true },
  { pattern: '/register', load: () => import('./pages/access/register-page.tsx'), isPublic: true },
  { pattern: '/forgot-password', load: () => import('./pages/access/forgot-password-page.tsx'), isPublic: true },
];

export interface NavigationGroup {
  title: string;
  /** Can be folded; at most one of these is open. */
  isFolded?: boolean;
  /** Of the installation. */
  isAdmin?: boolean;
  links: ReadonlyArray<[path: string, text: string, icon: IconName]>;
}

/** The sidebar, by who uses it: the work of each day, what is set up once, the operator of the installation. */
export const NAVIGATION: readonly NavigationGroup[] = [
  {
    title: words('Daily work'),
    links: [
      ['/', words('Overview'), 'layout-dashboard'],
      ['/live', words('Live'), 'radio'],
      ['/calls', words('Calls'), 'phone'],
      ['/messages', words('Messages'), 'message-square'],
      ['/appointments', words('Appointments'), 'calendar-days'],
      ['/campaigns', words('Campaigns'), 'megaphone'],
      ['/do-not-call', words('Do not call'), 'ban'],
    ],
  },
  {
    title: words('Set-up'),
    isFolded: true,
    links: [
      ['/agents', words('Agents'), 'bot'],
      ['/businesses', words('Businesses'), 'store'],
      ['/tools', words('Tools'), 'wrench'],
      ['/tests', words('Tests'), 'flask-conical'],
      ['/phone-numbers', words('Phone numbers'), 'hash'],
      ['/alerts', words('Alerts'), 'bell'],
      ['/webhooks', words('Webhooks'), 'webhook'],
      ['/api-keys', words('API keys'), 'key-round'],
      ['/settings', words('Settings'), 'settings'],
      ['/billing', words('Billing'), 'credit-card'],
      ['/audit-log', words('Audit log'), 'scroll-text'],
    ],
  },
  {
    title: words('Administration'),
    isFolded: true,
    isAdmin: true,
    links: [
      ['/admin/status', words('Status'), 'activity'],
      ['/admin/carriers', words('Carriers'), 'antenna'],
      ['/admin/trunks', words('Trunks'), 'network'],
      ['/admin/softphones', words('Softphones'), 'headset'],
      ['/admin/models', words('Models'), 'cpu'],
      ['/admin/inventory', words('Inventory'), 'boxes'],
      ['/admin/port-orders', words('Port orders'), 'arrow-left-right'],
      ['/admin/accounts', words('Accounts'), 'users'],
      ['/admin/costs', words('Costs'), 'banknote'],
      ['/admin/limits', words('Limits'), 'gauge'],
      ['/admin/refused-calls', words('Refused calls'), 'phone-off'],
      ['/admin/audit-log', words('Audit log'), 'scroll-text'],
    ],
  },
];
