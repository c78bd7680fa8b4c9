// The theme that the user has chosen: that of the system, light or dark.
import { useSyncExternalStore } from 'react';

export const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

const STORAGE_KEY = 'kiln.theme';
const listeners = new Set<() => void>();

function storedTheme(): Theme {
  const stored = localStorage.getItem(STORAGE_KEY);
  return themes.find((theme) => theme === stored) ?? 'system';
}

export function applyTheme(theme: Theme = storedTheme()): void {
  document.documentElement.dataset['theme'] = theme;
}

export function setTheme(theme: Theme): void {
  localStorage.setItem(STORAGE_KEY, theme);
  applyTheme(theme);
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const useTheme = (): Theme => useSyncExternalStore(subscribe, storedTheme);
