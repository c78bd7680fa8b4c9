// The frame of every page: navigation, account, banners, shortcuts.
import { useNavigate, useRouterState } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { useMode } from '../../../api/me.js';
import { IconButton } from '../../../ui/button.js';
import { useShortcuts } from '../hooks/use-shortcuts.js';
import { pages } from '../lib/pages.js';
import type { Shortcut } from '../lib/shortcuts.js';
import { AwayBanner, TestModeBanner } from './banners.js';
import { Brand } from './brand.js';
import { PermittedPage } from './permitted-page.js';
import { ShortcutHelp } from './shortcut-help.js';
import { Sidebar } from './sidebar.js';

const shortcuts: readonly Shortcut[] = [
  { keys: '/', does: 'Search on this page' },
  ...pages.map(({ keys, title }) => ({ keys, does: `Go to ${title}` })),
  { keys: '?', does: 'Show this list' },
];

const focusSearch = () => document.querySelector<HTMLElement>('[data-page-search]')?.focus();

export function AppShell({ children }: { children: ReactNode }) {
  const [isHelpOpen, setHelpOpen] = useState(false);
  const navigate = useNavigate();
  const mode = useMode();
  useShortcuts(shortcuts, (keys) => {
    const page = pages.find((one) => one.keys === keys);
    if (page) void navigate({ to: page.to });
    else if (keys === '/') focusSearch();
    else setHelpOpen(true);
  });
  const path = useRouterState({ select: ({ location }) => location.pathname });
  // On a phone, the menu closes when a page is chosen.
  const [openFor, setOpenFor] = useState<string | null>(null);
  if (openFor !== null && openFor !== path) setOpenFor(null);
  const isMenuOpen = openFor === path;
  return (
    <div className="shell" data-mode={mode} data-menu={isMenuOpen}>
      <a className="skip-link" href="#page">
        Skip to content
      </a>
      <header className="phone-bar">
        <IconButton
          icon={isMenuOpen ? 'close' : 'menu'}
          label={isMenuOpen ? 'Close the menu' : 'Open the menu'}
          aria-expanded={isMenuOpen}
          onClick={() => setOpenFor(isMenuOpen ? null : path)}
        />
        <Brand size={20} />
      </header>
      <Sidebar onHelp={() => setHelpOpen(true)} />
      <div className="page-column">
        <TestModeBanner />
        <AwayBanner />
        <main id="page" tabIndex={-1}>
          <PermittedPage path={path}>{children}</PermittedPage>
        </main>
      </div>
      {isHelpOpen && <ShortcutHelp shortcuts={shortcuts} onClose={() => setHelpOpen(false)} />}
    </div>
  );
}
