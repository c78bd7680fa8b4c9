/** Recognizes clauses and references that follow each other without a distance: `1.2`, `(a)`, `b)`, `(iv)`, `[7]`, `§ 3`. */
import type { TextLine } from './text-lines.js';

const mark = /^(?:\(?(?:\d{1,3}|\p{Ll}{1,2}|[ivxl]{1,5})\)|\d{1,2}(?:\.\d{1,3})+\.?|\[\d{1,3}\]|§)$/u;
/** A line that ends otherwise may continue with a reference to another clause. */
const clauseEnd = /(?:[.;:,]|^(?:and|or|und|oder|et|ou|y|o|e))["'”’)\]]*$/u;

/** Whether a line begins the clause after the one that `first` begins and `before` ends. */
export function startsClause(first: TextLine, before: TextLine, line: TextLine): boolean {
  const form = formOf(line);
  return form !== null && form === formOf(first) && clauseEnd.test(before.words.at(-1)?.text ?? '');
}

/** A mark with its numbers and letters replaced. Letters may be Roman numbers. */
function formOf({ words: [word] }: TextLine): string | null {
  const text = word?.text ?? '';
  return mark.test(text) ? text.replace(/\d+/g, '1').replace(/\p{Ll}+/u, 'a') : null;
}
