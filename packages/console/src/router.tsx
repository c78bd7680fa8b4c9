// The pages by address. Each page is loaded when it is opened.
import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router';
import { readAnalyticsAddress } from './features/analytics/lib/analytics-address.js';
import { readConnectionAddress } from './features/connections/lib/connection-address.js';
import { readProvider } from './features/connections/lib/providers.js';
import { readFileAddress } from './features/file/lib/file-address.js';
import { readFilesSearch } from './features/files/lib/files-search.js';
import { readLogsAddress } from './features/logs/lib/logs-address.js';
import { readSearchAddress } from './features/search/lib/search-address.js';
import { readSettingsAddress } from './features/settings/lib/settings-address.js';
import { readDeliveriesAddress } from './features/webhooks/lib/deliveries-address.js';
import { FailedPage } from './routes/failed-page.js';
import { NotFoundPage } from './routes/not-found-page.js';
import { RootLayout } from './routes/root-layout.js';

const root = createRootRoute({ component: RootLayout, notFoundComponent: NotFoundPage, errorComponent: FailedPage });

const home = createRoute({
  getParentRoute: () => root,
  path: '/',
  component: lazyRouteComponent(() => import('./routes/home-page.js'), 'HomePage'),
});

const filesRoute = createRoute({
  getParentRoute: () => root,
  path: '/files',
  validateSearch: readFilesSearch,
  component: lazyRouteComponent(() => import('./routes/files-page.js'), 'FilesPage'),
});

const fileRoute = createRoute({
  getParentRoute: () => root,
  path: '/files/$fileId',
  validateSearch: readFileAddress,
  component: lazyRouteComponent(() => import('./routes/file-page.js'), 'FilePage'),
});

const searchRoute = createRoute({
  getParentRoute: () => root,
  path: '/search',
  validateSearch: readSearchAddress,
  component: lazyRouteComponent(() => import('./routes/search-page.js'), 'SearchPage'),
});

const analyticsRoute = createRoute({
  getParentRoute: () => root,
  path: '/analytics',
  validateSearch: readAnalyticsAddress,
  component: lazyRouteComponent(() => import('./routes/analytics-page.js'), 'AnalyticsPage'),
});

const logsRoute = createRoute({
  getParentRoute: () => root,
  path: '/logs',
  validateSearch: readLogsAddress,
  component: lazyRouteComponent(() => import('./routes/logs-page.js'), 'LogsPage'),
});

const keysRoute = createRoute({
  getParentRoute: () => root,
  path: '/keys',
  component: lazyRouteComponent(() => import('./features/keys/components/keys-view.js'), 'KeysView'),
});

const webhooksRoute = createRoute({
  getParentRoute: () => root,
  path: '/webhooks',
  component: lazyRouteComponent(() => import('./features/webhooks/components/webhooks-view.js'), 'WebhooksView'),
});

const webhookRoute = createRoute({
  getParentRoute: () => root,
  path: '/webhooks/$webhookId',
  validateSearch: readDeliveriesAddress,
  component: lazyRouteComponent(() => import('./routes/webhook-page.js'), 'WebhookPage'),
});

const connectionsRoute = createRoute({
  getParentRoute: () => root,
  path: '/connections',
  component: lazyRouteComponent(
    () => import('./features/connections/components/connections-view.js'),
    'ConnectionsView',
  ),
});

const connectionSetupRoute = createRoute({
  getParentRoute: () => root,
  path: '/connections/new',
  validateSearch: readProvider,
  component: lazyRouteComponent(() => import('./routes/connection-setup-page.js'), 'ConnectionSetupPage'),
});

const connectionRoute = createRoute({
  getParentRoute: () => root,
  path: '/connections/$connectionId',
  validateSearch: readConnectionAddress,
  component: lazyRouteComponent(() => import('./routes/connection-page.js'), 'ConnectionPage'),
});

const settingsRoute = createRoute({
  getParentRoute: () => root,
  path: '/settings',
  validateSearch: readSettingsAddress,
  component: lazyRouteComponent(() => import('./routes/settings-page.js'), 'SettingsPage'),
});

export const router = createRouter({
  routeTree: root.addChildren([
    home,
    filesRoute,
    fileRoute,
    searchRoute,
    connectionsRoute,
    connectionSetupRoute,
    connectionRoute,
    webhooksRoute,
    webhookRoute,
    analyticsRoute,
    logsRoute,
    keysRoute,
    settingsRoute,
  ]),
  basepath: '/console',
  defaultPreload: 'intent',
  scrollRestoration: true,
  // Another filter or order is another list, which is shown from its first row on. Otherwise its place would be that of the last one.
  scrollToTopSelectors: ['.files-rows', '.virtual-table'],
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
