// The pages of the navigation, each with its shortcut. A new page is one line here and a route in router.tsx.
import type { Scope } from '../../../api/me.js';
import type { IconName } from '../../../ui/icon.js';

interface NavPage {
  to: '/' | '/files' | '/search' | '/connections' | '/webhooks' | '/analytics' | '/logs' | '/keys' | '/settings';
  title: string;
  icon: IconName;
  keys: string;
  /** Without this scope the page has nothing to show. */
  scope?: Scope;
}

export const pages: readonly NavPage[] = [
  { to: '/', title: 'Home', icon: 'home', keys: 'g h' },
  { to: '/files', title: 'Files', icon: 'files', keys: 'g f', scope: 'files:read' },
  { to: '/search', title: 'Search', icon: 'search', keys: 'g s', scope: 'search:read' },
  { to: '/connections', title: 'Connections', icon: 'bucket', keys: 'g c', scope: 'connections:read' },
  { to: '/webhooks', title: 'Webhooks', icon: 'webhook', keys: 'g w', scope: 'webhooks:read' },
  { to: '/analytics', title: 'Analytics', icon: 'chart', keys: 'g a', scope: 'analytics:read' },
  { to: '/logs', title: 'Request log', icon: 'list', keys: 'g l', scope: 'logs:read' },
  { to: '/keys', title: 'API keys', icon: 'key', keys: 'g k', scope: 'keys:read' },
  { to: '/settings', title: 'Settings', icon: 'settings', keys: 'g t', scope: 'org:read' },
];

/** The page of an address, also of the addresses below it. */
export const pageOf = (path: string): NavPage | undefined =>
  pages.find(({ to }) => path === to || (to !== '/' && path.startsWith(`${to}/`)));
