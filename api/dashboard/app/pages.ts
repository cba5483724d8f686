// Every page: its address, what loads it, and who may see it. A page's code is loaded when it is first opened.
import type { ComponentType } from 'preact';

export interface PageProps {
  params: Record<string, string>;
}

export interface PageEntry {
  pattern: string;
  load: () => Promise<{ default: ComponentType<PageProps> }>;
  /** Shown without a session, without the sidebar. */
  isPublic?: boolean;
}

export const PAGES: readonly PageEntry[] = [
  { pattern: '/', load: () => import('./pages/overview/overview-page.tsx') },
  { pattern: '/agents', load: () => import('./pages/agents/agents-page.tsx') },
  { pattern: '/agents/new', load: () => import('./pages/agents/agent-page.tsx') },
  { pattern: '/agents/:id', load: () => import('./pages/agents/agent-page.tsx') },
  { pattern: '/talk', load: () => import('./pages/talk/talk-page.tsx') },
  { pattern: '/webhooks', load: () => import('./pages/webhooks/webhooks-page.tsx') },
  { pattern: '/webhooks/new', load: () => import('./pages/webhooks/webhook-new-page.tsx') },
  { pattern: '/webhooks/:id', load: () => import('./pages/webhooks/webhook-page.tsx') },
  { pattern: '/api-keys', load: () => import('./pages/api-keys/api-keys-page.tsx') },
  { pattern: '/settings', load: () => import('./pages/settings/settings-page.tsx') },
  { pattern: '/billing', load: () => import('./pages/billing/billing-page.tsx') },
  { pattern: '/components', load: () => import('./pages/components/components-page.tsx') },
  { pattern: '/sign-in', load: () => import('./pages/access/sign-in-page.tsx'), isPublic: true },
  { pattern: '/register', load: () => import('./pages/access/register-page.tsx'), isPublic: true },
  { pattern: '/forgot-password', load: () => import('./pages/access/forgot-password-page.tsx'), isPublic: true },
];

export interface NavigationGroup {
  title: string;
  isAdmin?: boolean;
  links: ReadonlyArray<[path: string, text: string]>;
}

/** The sidebar. */
export const NAVIGATION: readonly NavigationGroup[] = [
  { title: '', links: [['/', 'Overview']] },
  { title: 'Set up', links: [['/agents', 'Agents']] },
  {
    title: 'Connect',
    links: [
      ['/webhooks', 'Webhooks'],
      ['/api-keys', 'API keys'],
    ],
  },
  {
    title: 'Account',
    links: [
      ['/settings', 'Settings'],
      ['/billing', 'Billing'],
    ],
  },
];
