// Puts the theme and the colour of the organization on the page. Only these can be chosen: never CSS.
import type { Theme } from '../address.js';
import { accentOf } from './accent.js';

const COLOR = /^#[0-9a-f]{6}$/;

/** Null for the theme of the system. */
export function applyTheme(theme: Theme | null): void {
  document.documentElement.dataset['theme'] = theme ?? 'system';
}

/** Null for the colour of Kiln. */
export function applyColor(color: string | null): void {
  const { style } = document.documentElement;
  const accent = color !== null && COLOR.test(color) ? accentOf(color) : null;
  const values = {
    '--accent': accent && `light-dark(${accent.light}, ${accent.dark})`,
    '--accent-fill': accent && accent.fill,
    '--on-accent': accent && accent.onFill,
  };
  for (const [name, value] of Object.entries(values)) {
    if (value === null) style.removeProperty(name);
    else style.setProperty(name, value);
  }
}
