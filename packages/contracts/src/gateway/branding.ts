// How the portal of an organization looks: its name, its colour and its logo.
import { z } from 'zod';
import { storableText } from '../files/schemas.js';

const NAME_CHARACTERS_MAX = 80;
/** About 48 KB of an image. */
const LOGO_CHARACTERS_MAX = 65_536;

/** Only images, so that the URL can do nothing but be shown. */
const LOGO = /^data:image\/(?:png|jpeg|webp|svg\+xml);base64,[A-Za-z0-9+/]+={0,2}$/;

const nameSchema = storableText(NAME_CHARACTERS_MAX)
  .refine((name) => name.trim() !== '', { error: 'must not be empty; use null to remove it' })
  .nullable()
  .meta({ description: 'The name that the portal shows.', examples: ['Acme'] });
const colorSchema = z
  .string()
  .toLowerCase()
  .regex(/^#[0-9a-f]{6}$/, { error: 'must be a colour such as #1a2b3c' })
  .nullable()
  .meta({ description: 'The colour of buttons and links.', examples: ['#1a2b3c'] });
const logoSchema = z
  .string()
  .max(LOGO_CHARACTERS_MAX, { error: 'must be at most 65,536 characters, which is an image of about 48 KB' })
  .regex(LOGO, { error: 'must be a data: URI in base64 of a PNG, JPEG, WebP or SVG image' })
  .nullable()
  .meta({ description: 'The logo as a data: URI. Show it as an image, never as markup.' });

export const brandingSchema = z.object({ name: nameSchema, color: colorSchema, logo: logoSchema });

export type Branding = z.output<typeof brandingSchema>;

/** Omitted fields keep their values, and null removes a value. */
export const brandingChangesSchema = brandingSchema.partial();
