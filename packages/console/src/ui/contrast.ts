// The contrast of two colours, such as `#1a2b3c`: https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio.
export const BLACK = '#000000';
export const WHITE = '#ffffff';

export function contrast(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

/** White or black text on the colour, whichever has the higher contrast. */
export const textOn = (color: string): string => (contrast(color, WHITE) >= contrast(color, BLACK) ? WHITE : BLACK);

export const channelsOf = (color: string): number[] =>
  [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));

function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = channelsOf(color).map((value) => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
