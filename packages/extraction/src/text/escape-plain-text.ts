/**
 * Text that is read as markdown, without HTML and without links that run something: what looks like a tag, a character
 * reference or such a link is escaped. Fences are left as they are, where it is certain that a reader of markdown sees
 * the same fence.
 */
import { isSafeScheme } from './link-target.js';

const fence = /^(`{3,}(?=[^`]*$)|~{3,})/;
/** A fence inside a list or a quote, or an indented one: where it ends depends on what is around it. */
const uncertainFence = /^[\s>*+\-\d.)]+(?:`{3}|~{3})/;
const opening = /<(?=[a-z/!?])|&(?=#?[0-9a-z]{1,40};)/gi;

/** Where a link would begin, with the scheme of its address; a backslash in it is an escape. */
const linkEnd = /\](?=[(:]\s*([a-z0-9+.\\-]+):)/gi;

export function escapePlainText(text: string): string {
  return escapeHtml(escapeLinks(text));
}

function escapeLinks(text: string): string {
  return text.replace(linkEnd, (bracket, scheme: string, at: number) =>
    isSafeScheme(scheme.replaceAll('\\', '')) || isEscaped(text, at) ? bracket : `\\${bracket}`,
  );
}

function escapeHtml(text: string): string {
  if (!/[<&]/.test(text)) return text;
  let open: string | null = null;
  let isCertain = true;
  const lines = text.split('\n').map((line) => {
    if (open !== null) {
      if (closes(line, open)) open = null;
      return line;
    }
    const mark = isCertain ? fence.exec(line)?.[1] : undefined;
    if (mark !== undefined) {
      open = mark;
      return line;
    }
    if (uncertainFence.test(line)) isCertain = false;
    return escapeLine(line);
  });
  return lines.join('\n');
}

function closes(line: string, open: string): boolean {
  const mark = /^ {0,3}(`{3,}|~{3,})[ \t]*$/.exec(line)?.[1];
  return mark !== undefined && mark.startsWith(open);
}

function escapeLine(line: string): string {
  return line.replace(opening, (character, at: number) => (isEscaped(line, at) ? character : `\\${character}`));
}

function isEscaped(line: string, at: number): boolean {
  let start = at;
  while (start > 0 && line[start - 1] === '\\') start--;
  return (at - start) % 2 === 1;
}
