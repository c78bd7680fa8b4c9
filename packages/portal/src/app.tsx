// The frame of all views: the look of the organization, the navigation, and the view of the address.
import type { Schemas } from '@kiln/sdk';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { hrefOf, type Address } from './address.js';
import { usePortal, useSessionState } from './api/portal-context.js';
import { useLoaded } from './api/use-loaded.js';
import { useServerIsAway } from './api/use-server-is-away.js';
import { AskView } from './features/ask/ask-view.js';
import { FileView } from './features/file/file-view.js';
import { FilesView } from './features/files/files-view.js';
import { SearchView } from './features/search/search-view.js';
import { SessionScreen } from './features/session/session-screens.js';
import { applyColor } from './ui/apply-look.js';
import { Icon, type IconName } from './ui/icon.js';

type Branding = Schemas['GetBrandingResponse'];

interface AppProps {
  address: Address;
  isFramed: boolean;
}

export function App({ address, isFramed }: AppProps) {
  const state = useSessionState();
  // Where the session ends, the look stays.
  const [branding, setBranding] = useState<Branding | null>(null);
  return (
    <div class="portal">
      <Head branding={branding} address={state.kind === 'open' ? address : null} />
      <main>
        {state.kind === 'open' ? (
          <Views key={state.space} address={address} onBranding={setBranding} />
        ) : (
          <SessionScreen state={state} isFramed={isFramed} />
        )}
      </main>
    </div>
  );
}

const pages: readonly { view: 'files' | 'search' | 'ask'; title: string; icon: IconName }[] = [
  { view: 'files', title: 'Documents', icon: 'file' },
  { view: 'search', title: 'Search', icon: 'search' },
  { view: 'ask', title: 'Ask', icon: 'chat' },
];

function Head({ branding, address }: { branding: Branding | null; address: Address | null }) {
  const name = branding?.name ?? 'Documents';
  const view = address?.view === 'file' ? 'files' : address?.view;
  useEffect(() => {
    document.title = name;
  }, [name]);
  return (
    <header class="head">
      <p class="brand">
        {branding?.logo != null && <img src={branding.logo} alt="" />}
        <span>{name}</span>
      </p>
      {address && (
        <nav aria-label="Views">
          {pages.map((page) => (
            <a
              key={page.view}
              href={hrefOf(page.view === 'search' ? { view: 'search', q: '' } : { view: page.view })}
              aria-current={page.view === view ? 'page' : undefined}
            >
              <Icon name={page.icon} /> {page.title}
            </a>
          ))}
        </nav>
      )}
    </header>
  );
}

function Views({ address, onBranding }: { address: Address; onBranding: (branding: Branding) => void }) {
  const portal = usePortal();
  const { value: branding } = useLoaded((signal) => portal.getBranding({ signal }), [portal]);
  useEffect(() => {
    if (!branding) return;
    applyColor(branding.color);
    onBranding(branding);
  }, [branding, onBranding]);
  return (
    <>
      <AwayBanner />
      <CurrentView address={address} />
    </>
  );
}

function CurrentView({ address }: { address: Address }) {
  const place = useRef<HTMLDivElement>(null);
  const shown = address.view === 'file' ? address.id : address.view;
  const before = useRef(shown);
  // A screen reader speaks the title of the view that a link has opened, and a frame scrolls to it. Before the user does anything else.
  useLayoutEffect(() => {
    if (before.current === shown) return;
    before.current = shown;
    place.current?.querySelector<HTMLElement>('.view:not([hidden]) h1')?.focus();
  }, [shown]);
  return (
    <div ref={place}>
      {/* It stays, so that an answer is still there after its sources were read. */}
      <div class="view" hidden={address.view !== 'ask'}>
        <AskView />
      </div>
      {address.view !== 'ask' && (
        <div class="view">
          {address.view === 'files' && <FilesView />}
          {address.view === 'file' && <FileView key={address.id} id={address.id} page={address.page} />}
          {address.view === 'search' && <SearchView key={address.q} q={address.q} />}
        </div>
      )}
    </div>
  );
}

function AwayBanner() {
  const isAway = useServerIsAway();
  return (
    <div role="status" class="away" data-shown={isAway}>
      {isAway && (
        <>
          <Icon name="alert" /> No connection. The page continues when it is back.
        </>
      )}
    </div>
  );
}
