// The colour of an organization as the colours of links and buttons: changed as far as reading needs it.
import { BLACK, channelsOf, contrast, textOn, WHITE } from '@kiln/console/ui/contrast.js';

/** Of WCAG 2.2. */
const TEXT_CONTRAST_MIN = 4.5;
/** The surfaces that texts in the colour stand on, of each theme: the darkest of the light one, the lightest of the dark one. */
const SURFACES = { light: '#f1f1ef', dark: '#202024' } as const;
const STEP = 0.05;

interface Accent {
  /** Links, and the borders of buttons. */
  light: string;
  dark: string;
  /** The background of buttons. */
  fill: string;
  /** The text on it. */
  onFill: string;
}

/** `color` is written as `#1a2b3c`. */
export function accentOf(color: string): Accent {
  return {
    light: readable(color, SURFACES.light, BLACK),
    dark: readable(color, SURFACES.dark, WHITE),
    fill: color,
    onFill: textOn(color),
  };
}

/** The colour, with as much of `end` as it needs to be read on the surface. */
function readable(color: string, surface: string, end: string): string {
  for (let share = 0; share < 1; share += STEP) {
    const mixed = mix(color, end, share);
    if (contrast(mixed, surface) >= TEXT_CONTRAST_MIN) return mixed;
  }
  return end;
}

function mix(color: string, end: string, share: number): string {
  const ends = channelsOf(end);
  const mixed = channelsOf(color).map((value, at) => Math.round(value + ((ends[at] ?? 0) - value) * share));
  return `#${mixed.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
}
