// The values of the branding form, and the update request with the changed fields.
import type { Schemas } from '@kiln/sdk';

export interface BrandingForm {
  name: string;
  color: string;
  /** A `data:` URI; empty if there is none. */
  logo: string;
}

export const brandingFormOf = ({ name, color, logo }: Schemas['GetBrandingResponse']): BrandingForm => ({
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
