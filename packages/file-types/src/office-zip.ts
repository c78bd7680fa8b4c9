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
/** The fields of a local header (PKWARE APPNOTE 4.3.7), by their offsets. */
const [flagsAt, packedBytesAt, nameLengthAt, extraLengthAt, nameAt] = [6, 18, 26, 28, 30];
/** The sizes of the entry follow its content. */
const sizesFollow = 0x08;
const sizeElsewhere = 0xffff_ffff;

export function officeTypeOfZip(head: Buffer): string | null {
  for (let at = head.indexOf(localHeader); at !== -1 && at + nameAt < head.length;) {
    const name = head.toString('latin1', at + nameAt, at + nameAt + head.readUInt16LE(at + nameLengthAt));
    const found = openXml.find(([prefix]) => name.startsWith(prefix));
    if (found !== undefined) return found[1];
    at = head.indexOf(localHeader, endOfEntry(head, at));
  }
  return null;
}

/** An entry may be an archive itself, whose headers are not those of this one. */
function endOfEntry(head: Buffer, at: number): number {
  const contentAt = at + nameAt + head.readUInt16LE(at + nameLengthAt) + head.readUInt16LE(at + extraLengthAt);
  const bytes = head.readUInt32LE(at + packedBytesAt);
  const isKnown = (head.readUInt16LE(at + flagsAt) & sizesFollow) === 0 && bytes !== sizeElsewhere;
  return isKnown ? contentAt + bytes : at + nameAt;
}
