// The values of the processing form, and the update request with the changed fields.
import type { Schemas } from '@kiln/sdk';
import { variantTypes, type VariantType } from '../../../ui/variants.js';

export type Settings = Schemas['GetSettingsResponse'];
type Language = Settings['search_language'];
type Strategy = Settings['default_chunking']['strategy'];

/** Numbers are kept as they are typed. */
export interface ProcessingForm {
  model: string;
  strategy: Strategy;
  chunkSize: string;
  chunkOverlap: string;
  variants: readonly VariantType[];
  language: Language;
  instructions: string;
}

export const processingFormOf = (settings: Settings): ProcessingForm => ({
  model: settings.default_embedding_model,
  strategy: settings.default_chunking.strategy,
  chunkSize: String(settings.default_chunking.chunk_size),
  chunkOverlap: String(settings.default_chunking.chunk_overlap),
  variants: settings.default_variants,
  language: settings.search_language,
  instructions: settings.answer_instructions ?? '',
});

/** The request for the changes. The API replaces the chunking as a whole. */
export function processingRequestOf(
  form: ProcessingForm,
  changed: ReadonlySet<string>,
): Schemas['UpdateSettingsRequest'] {
  const isChunking = ['strategy', 'chunkSize', 'chunkOverlap'].some((name) => changed.has(name));
  return {
    ...(changed.has('model') && { default_embedding_model: form.model.trim() }),
    ...(isChunking && {
      default_chunking: {
        strategy: form.strategy,
        chunk_size: numberOf(form.chunkSize),
        chunk_overlap: numberOf(form.chunkOverlap),
      },
    }),
    ...(changed.has('variants') && { default_variants: [...form.variants] }),
    ...(changed.has('language') && { search_language: form.language }),
    ...(changed.has('instructions') && {
      answer_instructions: form.instructions.trim() === '' ? null : form.instructions,
    }),
  };
}

/** NaN becomes null in JSON, which the API refuses at this field. */
const numberOf = (text: string): number => (text.trim() === '' ? Number.NaN : Number(text));

export const toggledVariant = (chosen: readonly VariantType[], variant: VariantType): VariantType[] =>
  variantTypes.filter((one) => (one === variant ? !chosen.includes(one) : chosen.includes(one)));

export const strategies = [
  ['recursive', 'At paragraphs, then sentences, then words'],
  ['markdown', 'At headings'],
  ['sentence', 'At sentences'],
  ['fixed', 'At a fixed size'],
] as const satisfies readonly (readonly [Strategy, string])[];

/** `none` and `auto` last. */
export const languages = [
  'danish',
  'dutch',
  'english',
  'finnish',
  'french',
  'german',
  'hungarian',
  'italian',
  'norwegian',
  'portuguese',
  'romanian',
  'russian',
  'spanish',
  'swedish',
  'auto',
  'none',
] as const satisfies readonly Language[];

export function languageTitle(language: Language): string {
  if (language === 'auto') return 'The language of each file';
  if (language === 'none') return 'None: words as they are written';
  return language.charAt(0).toUpperCase() + language.slice(1);
}
