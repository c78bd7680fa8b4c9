/** Reads rows of values between separators (RFC 4180). The work is linear in the text, whatever lengths the rows have. */

/** Thrown if the text uses quotes as plain characters. */
export class UnclosedQuoteError extends Error {}

interface Value {
  text: string;
  /** The position of the separator or line end after it, or the length of the text. */
  end: number;
}

/** Empty lines are left out. @throws UnclosedQuoteError */
export function* separatedRows(text: string, separator: string, hasQuotes: boolean): Generator<string[]> {
  for (let at = 0; at < text.length;) {
    const start = at;
    const row: string[] = [];
    for (let isLast = false; !isLast; at++) {
      const value = hasQuotes && text[at] === '"' ? quotedValue(text, at, separator) : plainValue(text, at, separator);
      row.push(value.text);
      at = value.end;
      isLast = text[at] !== separator;
    }
    const isEmpty = at === start + 1;
    if (text[at - 1] === '\r' && text[at] === '\n') at++;
    if (!isEmpty) yield row;
  }
}

function plainValue(text: string, start: number, separator: string): Value {
  const end = endOfValue(text, start, separator);
  return { text: text.slice(start, end), end };
}

function quotedValue(text: string, start: number, separator: string): Value {
  let close = text.indexOf('"', start + 1);
  while (close !== -1 && text[close + 1] === '"') close = text.indexOf('"', close + 2);
  if (close === -1) throw new UnclosedQuoteError();
  const content = text.slice(start + 1, close).replaceAll('""', '"');
  const end = endOfValue(text, close + 1, separator);
  // If the value continues after the quote, the quotes belong to it.
  return { text: end === close + 1 ? content : `"${content}${text.slice(close, end)}`, end };
}

function endOfValue(text: string, start: number, separator: string): number {
  let end = start;
  while (end < text.length && text[end] !== separator && text[end] !== '\n' && text[end] !== '\r') end++;
  return end;
}
