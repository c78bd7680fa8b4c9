import { endsWithAbbreviation } from '@kiln/chunks/sentence-end';

const segmenter = new Intl.Segmenter(undefined, { granularity: 'sentence' });

/** The longest abbreviation, with the white space after it. */
const ABBREVIATION_CHARACTERS_MAX = 20;

/** The sentences of a text (Unicode Annex 29), with the white space after them. An abbreviation ends none, except at the end of a line. */
export function segmentsOf(text: string): string[] {
  const segments: string[] = [];
  let isOpen = false;
  for (const { segment, index } of segmenter.segment(text)) {
    segments.push(isOpen ? `${segments.pop() ?? ''}${segment}` : segment);
    const end = index + segment.length;
    isOpen =
      !segment.endsWith('\n') && endsWithAbbreviation(text.slice(Math.max(end - ABBREVIATION_CHARACTERS_MAX, 0), end));
  }
  return segments;
}
