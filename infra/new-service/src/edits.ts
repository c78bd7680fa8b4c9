/** Changes of a text at a place that is recognized by its words. If the place is not found exactly once, nothing is changed. */
import { NewServiceError } from './new-service-error.js';

export type Edit = (text: string) => string;

/** Adds at the end of the file. */
export const append =
  (added: string): Edit =>
  (text) =>
    text + added;

/** Adds before the only occurrence of `anchor`. */
export const insertBefore =
  (anchor: string, added: string): Edit =>
  (text) => {
    const at = onlyIndexOf(text, anchor);
    return text.slice(0, at) + added + text.slice(at);
  };

/** Adds before the first `end` after the only occurrence of `start`. */
export const insertAtEndOf =
  (start: string, end: string, added: string): Edit =>
  (text) => {
    const at = text.indexOf(end, onlyIndexOf(text, start) + start.length);
    if (at === -1) throw missing(`${JSON.stringify(end)} after ${JSON.stringify(start)}`, 0);
    return text.slice(0, at) + added + text.slice(at);
  };

/** Adds a line to the only block of lines that match. A sorted block stays sorted; in an unsorted block it is the last line. */
export const addLine =
  (pattern: RegExp, added: string): Edit =>
  (text) => {
    const lines = text.split('\n');
    const matching = lines.flatMap((line, index) => (pattern.test(line) ? [index] : []));
    const [first, last] = [matching[0], matching.at(-1)];
    if (first === undefined || last === undefined) throw missing(`lines that match ${pattern}`, 0);
    const block = lines.slice(first, last + 1);
    if (block.length !== matching.length) throw missing(`lines that match ${pattern}, one below the other`, 2);
    const isSorted = block.every((line, index) => index === 0 || (block[index - 1] ?? '') <= line);
    const before = isSorted ? block.findIndex((line) => line > added) : -1;
    return lines.toSpliced(before === -1 ? last + 1 : first + before, 0, added).join('\n');
  };

/** Raises the number in the only group of each of the `count` matches. */
export const raiseNumbers =
  (pattern: RegExp, count: number, by: number): Edit =>
  (text) => {
    const found = [...text.matchAll(pattern)].length;
    if (found !== count) throw missing(`${count} matches of ${pattern}`, found);
    return text.replaceAll(pattern, (match, number: string) => match.replace(number, String(Number(number) + by)));
  };

function onlyIndexOf(text: string, anchor: string): number {
  const found = text.split(anchor).length - 1;
  if (found !== 1) throw missing(JSON.stringify(anchor), found);
  return text.indexOf(anchor);
}

const missing = (what: string, found: number) =>
  new NewServiceError('place_missing', `expected ${what} in one place, found ${found === 0 ? 'none' : 'more'}`);
