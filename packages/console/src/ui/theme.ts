// The theme that the user has chosen. `system` follows the setting of the system.
import { Store } from '../api/store.js';
import { useStore } from '../api/use-store.js';

export const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

const STORAGE_KEY = 'kiln.theme';
const chosen = new Store<Theme>(themes.find((theme) => theme === localStorage.getItem(STORAGE_KEY)) ?? 'system');

export function applyTheme(): void {
  document.documentElement.dataset['theme'] = chosen.get();
}

export function setTheme(theme: Theme): void {
  localStorage.setItem(STORAGE_KEY, theme);
  chosen.set(theme);
  applyTheme();
}

export const useTheme = (): Theme => useStore(chosen);
