// The settings of the organization, in tabs. Changes that are not saved are kept while another tab is shown.
import { Link, useBlocker } from '@tanstack/react-router';
import { useState } from 'react';
import { useMode } from '../../../api/me.js';
import { ConfirmDialog } from '../../../ui/confirm-dialog.js';
import { PageHead } from '../../../ui/page-head.js';
import '../../../ui/tabs.css';
import type { Draft } from '../hooks/use-section-form.js';
import type { BrandingForm } from '../lib/branding-form.js';
import type { PortalForm } from '../lib/portal-form.js';
import type { ProcessingForm } from '../lib/processing-form.js';
import { addressOf, tabNames, tabs, type Tab } from '../lib/settings-address.js';
import '../settings.css';
import { BrandingSection } from './branding-section.js';
import { CapabilitiesSection } from './capabilities-section.js';
import { PortalSection } from './portal-section.js';
import { ProcessingSection } from './processing-section.js';
import { ProviderKeysSection } from './provider-keys-section.js';
import { RoutingSection } from './routing-section.js';

interface Drafts {
  processing: Partial<ProcessingForm>;
  branding: Partial<BrandingForm>;
  portal: Partial<PortalForm>;
}

const NO_DRAFTS: Drafts = { processing: {}, branding: {}, portal: {} };

export function SettingsView({ tab }: { tab: Tab }) {
  const isLive = useMode() === 'live';
  const [drafts, setDrafts] = useState(NO_DRAFTS);
  const draftOf = <Name extends keyof Drafts>(name: Name): Draft<Required<Drafts[Name]>> => ({
    changes: drafts[name] as Partial<Required<Drafts[Name]>>,
    set: (next) => setDrafts((all) => ({ ...all, [name]: next(all[name] as Partial<Required<Drafts[Name]>>) })),
  });
  const isDirty = (name: Tab) => name in drafts && Object.keys(drafts[name as keyof Drafts]).length > 0;
  return (
    <div className="settings">
      <PageHead title="Settings" />
      <nav className="tabs" aria-label="Parts of the settings">
        {tabs.map((one) => (
          <Link key={one} to="/settings" search={addressOf(one)} activeOptions={{ exact: true }}>
            {tabNames[one]}
            {isDirty(one) && <span className="settings-dot" role="img" aria-label="Not saved" title="Not saved" />}
          </Link>
        ))}
      </nav>
      {!isLive && <p className="settings-hint">A key for test data may read the settings, and not change them.</p>}
      {tab === 'processing' && <ProcessingSection draft={draftOf('processing')} />}
      {tab === 'routing' && <RoutingSection />}
      {tab === 'provider-keys' && <ProviderKeysSection />}
      {tab === 'branding' && <BrandingSection draft={draftOf('branding')} />}
      {tab === 'portal' && <PortalSection draft={draftOf('portal')} />}
      {tab === 'capabilities' && <CapabilitiesSection />}
      <LeaveDialog isDirty={tabs.some(isDirty)} />
    </div>
  );
}

/** Asks before changes are lost, also where the browser tab is closed. */
function LeaveDialog({ isDirty }: { isDirty: boolean }) {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) => isDirty && current.pathname !== next.pathname,
    enableBeforeUnload: () => isDirty,
    withResolver: true,
  });
  if (status !== 'blocked') return null;
  return (
    <ConfirmDialog
      title="Leave the settings?"
      confirmTitle="Discard and leave"
      action={{ mutate: proceed }}
      onClose={reset}
    >
      <p>There are changes that are not saved.</p>
    </ConfirmDialog>
  );
}
