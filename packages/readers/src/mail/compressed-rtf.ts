/** Unpacks the text of an Outlook message in Rich Text Format ([MS-OXRTFCP]). */
const headerBytes = 16;
const compressedType = 'LZFu';
const plainType = 'MELA';
const dictionaryBytes = 4096;
const shortestReference = 2;
const initialDictionary = Buffer.from(
  '{\\rtf1\\ansi\\mac\\deff0\\deftab720{\\fonttbl;}{\\f0\\fnil \\froman \\fswiss \\fmodern \\fscript \\fdecor MS Sans SerifSymbolArialTimes New RomanCourier{\\colortbl\\red0\\green0\\blue0\r\n\\par \\pard\\plain\\f0\\fs20\\b\\i\\u\\tab\\tx',
);
/** Two bytes expand to 17 bytes at most. */
const ratioMax = 9;

/** The text, with one character for each byte, up to the first damage. Null if the data is of another format. */
export function unpackRtf(bytes: Uint8Array): string | null {
  const packed = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  if (packed.length < headerBytes) return null;
  const type = packed.toString('latin1', 8, 12);
  const content = packed.subarray(headerBytes);
  if (type === plainType) return content.toString('latin1', 0, packed.readUInt32LE(4));
  return type === compressedType ? inflate(content, packed.readUInt32LE(4)).toString('latin1') : null;
}

function inflate(packed: Buffer, statedBytes: number): Buffer {
  const unpacked = Buffer.alloc(Math.min(statedBytes, packed.length * ratioMax));
  const dictionary = Buffer.alloc(dictionaryBytes);
  initialDictionary.copy(dictionary);
  let end = initialDictionary.length;
  let length = 0;
  const put = (byte: number): void => {
    dictionary[end] = byte;
    end = (end + 1) % dictionaryBytes;
    if (length < unpacked.length) unpacked[length++] = byte;
  };
  for (let at = 0; at < packed.length && length < unpacked.length;) {
    const control = packed[at++] ?? 0;
    for (let bit = 0; bit < 8 && at < packed.length; bit++) {
      if ((control & (1 << bit)) === 0) {
        put(packed[at++] ?? 0);
        continue;
      }
      if (at + 1 >= packed.length) return unpacked.subarray(0, length);
      const reference = packed.readUInt16BE(at);
      at += 2;
      const from = reference >> 4;
      if (from === end) return unpacked.subarray(0, length);
      for (let index = 0; index < (reference & 0xf) + shortestReference; index++)
        put(dictionary[(from + index) % dictionaryBytes] ?? 0);
    }
  }
  return unpacked.subarray(0, length);
}
