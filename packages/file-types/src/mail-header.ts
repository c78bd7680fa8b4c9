/** Header names of which a message has at least one beside its sender (RFC 5322, 3.6; RFC 2045, 4). */
const telling = new Set(['date', 'message-id', 'received', 'mime-version']);
/** The beginning of a line of a header, or of a line that continues one. */
const headerLine = /^(?:([!-9;-~]{1,76}):|[ \t])/;
const fieldsMin = 3;

/** Whether a text begins with the header of an e-mail. The header may be cut off. */
export function isMailHeader(beginning: string): boolean {
  const names = new Set<string>();
  for (const line of beginning.split('\n')) {
    const text = line.trimEnd();
    if (text === '') break;
    const found = headerLine.exec(line);
    if (found === null) break;
    if (found[1] !== undefined) names.add(found[1].toLowerCase());
  }
  return names.size >= fieldsMin && names.has('from') && [...names].some((name) => telling.has(name));
}
