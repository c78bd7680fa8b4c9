// Snippets of the API are HTML: escaped text, with matches in `<mark>`.

const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
};

const unescaped = (html: string) =>
  html.replaceAll(/&(?:amp|lt|gt|quot|#39);/g, (entity) => ENTITIES[entity] ?? entity);

/** The text without marks. */
export const plainSnippet = (snippet: string): string => unescaped(snippet.replaceAll(/<\/?mark>/g, ''));

// Private characters of Unicode, so that lines can be broken between words of a match.
const START = '\uE000';
const END = '\uE001';

/** The text, with a character before and after each match. */
export const markedSnippet = (snippet: string): string =>
  unescaped(snippet.replaceAll('<mark>', START).replaceAll('</mark>', END));

/** The line with its matches in a style. A match that goes over two lines has none. */
export const highlighted = (line: string, style: (text: string) => string): string =>
  line
    .replaceAll(new RegExp(`${START}([^${END}]*)${END}`, 'g'), (_whole, text: string) => style(text))
    .replaceAll(new RegExp(`[${START}${END}]`, 'g'), '');
