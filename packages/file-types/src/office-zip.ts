/**
 * Office files are ZIP archives. The names of the entries identify the format. The local headers at the beginning usually
 * suffice, without the central directory at the end.
 */
const openXml: readonly (readonly [prefix: string, contentType: string])[] = [
  ['word/', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
  ['xl/', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
  ['ppt/', 'application/vnd.openxmlformats-officedocument.presentationml.presentation'],
];
const localHeader = Buffer.from([0x50, 0x4b, 0x03, 0x04]);
const nameLengthOffset = 26;
const nameOffset = 30;

export function officeTypeOfZip(head: Buffer): string | null {
  for (
    let at = head.indexOf(localHeader);
    at !== -1 && at + nameOffset < head.length;
    at = head.indexOf(localHeader, at + nameOffset)
  ) {
    const name = head.toString('latin1', at + nameOffset, at + nameOffset + head.readUInt16LE(at + nameLengthOffset));
    const found = openXml.find(([prefix]) => name.startsWith(prefix));
    if (found !== undefined) return found[1];
  }
  return null;
}
