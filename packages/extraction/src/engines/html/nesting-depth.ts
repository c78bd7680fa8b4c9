import { ExtractionError } from '../../extraction-error.js';

/** Real pages stay below a hundred; from a few thousand on, parsing takes quadratic time and the stack runs out. */
const depthMax = 1000;
/** Elements that end by themselves (HTML standard, 13.1.2.4), so that a missing end tag nests nothing. */
const selfEnding = new Set(
  'area base br col embed hr img input link meta param source track wbr p li dt dd rb rt rtc rp option optgroup tr td th thead tbody tfoot colgroup html head body'.split(
    ' ',
  ),
);

/** A first look at the tags, before a tree is built. @throws ExtractionError file_too_large */
export function assertNestingDepth(html: string, filename: string): void {
  let depth = 0;
  for (const match of html.matchAll(/<(\/?)([a-zA-Z][a-zA-Z0-9-]*)/g)) {
    if (selfEnding.has((match[2] ?? '').toLowerCase())) continue;
    depth = match[1] === '/' ? Math.max(0, depth - 1) : depth + 1;
    if (depth > depthMax) {
      throw new ExtractionError(
        'file_too_large',
        `"${filename}" is nested too deeply to be read: more than ${depthMax} elements inside each other. Flatten its structure, or convert it to plain text.`,
      );
    }
  }
}
