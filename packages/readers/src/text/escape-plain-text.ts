/**
 * Makes plain text safe to render as markdown. Escapes HTML tags, character references, and links with a scheme that is not
 * allowed. Code in fences is not escaped, if every markdown parser sees the same fence.
 */
import { isSafeScheme } from '@kiln/pdf/markdown/link-target';

const fence = /^(`{3,}(?=[^`]*$)|~{3,})/;
/** A fence that is indented, or in a list or quote. Its end depends on its surroundings. */
const uncertainFence = /^[\s>*+\-\d.)]+(?:`{3}|~{3})/;
const opening = /<(?=[a-z/!?])|&(?=#?[0-9a-z]{1,40};)/gi;

/** The beginning of a link's target, with its scheme. A backslash in it is an escape. */
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
