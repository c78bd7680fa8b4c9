import { Link } from '@tanstack/react-router';
import { useMe, mayDo } from '../../../api/me.js';
import { Icon } from '../../../ui/icon.js';
import { pages } from '../lib/pages.js';
import { AccountMenu } from './account-menu.js';
import { Brand } from './brand.js';
import { ThemeSwitch } from './theme-switch.js';

export function Sidebar({ onHelp }: { onHelp: () => void }) {
  const { data: me } = useMe();
  const shown = pages.filter(({ scope }) => scope === undefined || (me !== undefined && mayDo(me.scopes, scope)));
  return (
    <aside className="sidebar">
      <div className="brand">
        <Brand size={22} />
      </div>
      <nav aria-label="Pages">
        <ul>
          {shown.map(({ to, title, icon, keys }) => (
            <li key={to}>
              <Link to={to} activeOptions={{ exact: to === '/', includeSearch: false }}>
                <Icon name={icon} />
                <span>{title}</span>
                <kbd aria-hidden="true">{keys}</kbd>
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <div className="sidebar-end">
        <button type="button" className="sidebar-button" onClick={onHelp}>
          <Icon name="help" />
          <span>Shortcuts</span>
          <kbd aria-hidden="true">?</kbd>
        </button>
        <a className="sidebar-button" href="/docs">
          <Icon name="terminal" />
          <span>API reference</span>
        </a>
        <ThemeSwitch />
        <AccountMenu />
      </div>
    </aside>
  );
}
