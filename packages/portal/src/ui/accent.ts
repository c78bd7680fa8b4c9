// The colour of an organization as the colours of links and buttons: changed as far as reading needs it. Contrast is that of WCAG 2.2
// (https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio).
const TEXT_CONTRAST_MIN = 4.5;
/** The surfaces that texts in the colour stand on, of each theme: the darkest of the light one, the lightest of the dark one. */
const SURFACES = { light: '#f1f1ef', dark: '#202024' } as const;
const BLACK = '#000000';
const WHITE = '#ffffff';
const STEP = 0.05;

export interface Accent {
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
    onFill: contrast(color, WHITE) >= contrast(color, BLACK) ? WHITE : BLACK,
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

export function contrast(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = channelsOf(color).map((value) => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function mix(color: string, end: string, share: number): string {
  const ends = channelsOf(end);
  const mixed = channelsOf(color).map((value, at) => Math.round(value + ((ends[at] ?? 0) - value) * share));
  return `#${mixed.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
}

const channelsOf = (color: string): number[] => [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
