import { franc } from 'franc-min';

/** The size of the sample. A larger one rarely changes the result, and takes noticeable time. */
const sampleCharacters = 750;
/** Detection is unreliable for texts with fewer letters. */
const lettersMin = 40;

/** The language of most of the text. ISO 639-1 if the language has such a code. Null if the text is too short. */
export function detectLanguage(markdown: string): string | null {
  const sample = sampleOf(markdown)
    .replace(/https?:\/\/\S+/g, ' ')
    .replace(/[^\p{L}\p{M}\s'’-]+/gu, ' ')
    .replace(/\s+/g, ' ');
  if ((sample.match(/\p{L}/gu)?.length ?? 0) < lettersMin) return null;
  const code = franc(sample, { minLength: lettersMin });
  if (code === 'und') return null;
  return new Intl.Locale(code).language;
}

/** Samples a long text at three positions, because the beginning is often a table of contents. */
function sampleOf(text: string): string {
  if (text.length <= sampleCharacters) return text;
  const part = sampleCharacters / 3;
  const middle = Math.floor(text.length / 2);
  return `${text.slice(0, part)} ${text.slice(middle, middle + part)} ${text.slice(-part)}`;
}
