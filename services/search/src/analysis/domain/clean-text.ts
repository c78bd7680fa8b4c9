// Removes what PostgreSQL's `text` cannot store: NUL characters and unpaired surrogates.

export function cleanText(text: string): string {
  return text.replaceAll('\0', '').toWellFormed();
}

export function cleanRecord(record: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [cleanText(key), cleanText(value)]));
}

/** `Text/HTML; charset=utf-8` becomes `text/html`, so that a filter matches a media type with any parameters. */
export function mediaType(contentType: string): string {
  return cleanText(contentType.split(';', 1)[0] ?? '')
    .trim()
    .toLowerCase();
}
