// The values of the branding form, and the update request with the changed fields.
import type { Schemas } from '@kiln/sdk';

export type Branding = Schemas['GetBrandingResponse'];

export interface BrandingForm {
  name: string;
  color: string;
  /** A `data:` URI; empty if there is none. */
  logo: string;
}

export const brandingFormOf = ({ name, color, logo }: Branding): BrandingForm => ({
  name: name ?? '',
  color: color ?? '',
  logo: logo ?? '',
});

export function brandingRequestOf(form: BrandingForm, changed: ReadonlySet<string>): Schemas['UpdateBrandingRequest'] {
  const names = (['name', 'color', 'logo'] as const).filter((name) => changed.has(name));
  return Object.fromEntries(names.map((name) => [name, form[name].trim() === '' ? null : form[name].trim()]));
}

/** The types that the API accepts. */
export const LOGO_TYPES = ['image/png', 'image/jpeg', 'image/webp', 'image/svg+xml'] as const;

/** As a `data:` URI, it has as many characters as the API accepts. */
export const LOGO_BYTES_MAX = 49_000;

export const isColor = (text: string): boolean => /^#[0-9a-f]{6}$/i.test(text);

/** The color of Kiln, which the portal has without branding. */
export const DEFAULT_COLOR = '#b43d0c';

/** White or black text on the color, whichever has the higher contrast (https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio). */
export function textOn(color: string): '#ffffff' | '#000000' {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  const luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  return 1.05 / (luminance + 0.05) >= (luminance + 0.05) / 0.05 ? '#ffffff' : '#000000';
}
