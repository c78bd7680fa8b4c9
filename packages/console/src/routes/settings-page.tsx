import { useSearch } from '@tanstack/react-router';
import { SettingsView } from '../features/settings/components/settings-view.js';

/** The tab is in the address, so that it can be shared and gone back to. */
export function SettingsPage() {
  const { tab = 'processing' } = useSearch({ from: '/settings' });
  return <SettingsView tab={tab} />;
}
