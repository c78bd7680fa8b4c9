// PostgreSQL's text holds no NUL, and no half of a surrogate pair.

export function cleanText(text: string): string {
  return text.replaceAll('\0', '').toWellFormed();
}

export function cleanRecord(record: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [cleanText(key), cleanText(value)]));
}

/** `Text/HTML; charset=utf-8` as `text/html`, so that a filter finds a type whatever its parameters. */
export function mediaType(contentType: string): string {
  return cleanText(contentType.split(';', 1)[0] ?? '')
    .trim()
    .toLowerCase();
}
