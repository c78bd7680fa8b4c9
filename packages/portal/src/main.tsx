import '@kiln/console/ui/tokens.css';
import '@kiln/console/ui/base.css';
import '@kiln/console/ui/controls.css';
import '@kiln/console/ui/views.css';
import '@kiln/console/ui/answer.css';
import '@kiln/console/ui/markdown.css';
import '@kiln/console/ui/page-picture.css';
import { serverNow, watchedFetch } from '@kiln/console/api/connectivity.js';
import { Kiln } from '@kiln/sdk';
import { render } from 'preact';
import { readFragment, type Address } from './address.js';
import { frameAncestors, Host } from './api/host.js';
import { ConnectionProvider, type Connection } from './api/portal-context.js';
import { Session } from './api/session.js';
import { App } from './app.js';
import './portal.css';
import { applyTheme } from './ui/apply-look.js';

const found = document.getElementById('root');
if (!found) throw new Error('index.html has no element #root');
const root = found;

const host = new Host(frameAncestors());
const clientWith = (portalToken: string | (() => string)) =>
  new Kiln({ baseUrl: location.origin, portalToken, fetch: watchedFetch }).portal;
const session = new Session({
  verify: (token) => clientWith(token).verifyToken(token),
  now: serverNow,
  onExpiring: (expiresAt) => host.send({ type: 'kiln.portal.token_expiring', expires_at: expiresAt.toISOString() }),
  onEnd: () => host.send({ type: 'kiln.portal.token_expired' }),
});
const connection: Connection = { portal: clientWith(() => session.token), session };

/** Takes the token out of the address before anything else can read it. */
function takeFragment(): Address {
  const { address, token, theme } = readFragment(location.hash);
  const values = new URLSearchParams(location.hash.replace(/^#/, ''));
  if (values.has('token') || values.has('theme')) {
    values.delete('token');
    values.delete('theme');
    history.replaceState(null, '', location.pathname + (values.size === 0 ? '' : `#${values.toString()}`));
    if (theme) applyTheme(theme);
  }
  if (token !== null) void session.offer(token);
  return address;
}

function show(): void {
  render(
    <ConnectionProvider value={connection}>
      <App address={takeFragment()} isFramed={host.isPresent} />
    </ConnectionProvider>,
    root,
  );
}

applyTheme(null);
host.onToken((token) => void session.offer(token));
window.addEventListener('hashchange', show);
show();
host.send({ type: 'kiln.portal.ready', needs_token: session.state.kind === 'none' });
new ResizeObserver(() => {
  host.send({ type: 'kiln.portal.height', height: Math.ceil(root.getBoundingClientRect().height) });
}).observe(root);
