// Selects the texts that fit into one answer on the bus. In JSON a control character takes six bytes, so five texts of 64 KiB may
// exceed a message.

/** One UTF-16 unit has at most so many bytes in JSON: a control character or half of a surrogate pair, as `\u0001`. */
const JSON_BYTES_PER_UNIT_MAX = 6;

/** Texts that do not fit are null; the caller reads them one by one. */
export function contentsInAnswer(contents: readonly (string | null)[], bytesMax: number): (string | null)[] {
  const units = contents.reduce((sum, content) => sum + (content?.length ?? 0), 0);
  if (units * JSON_BYTES_PER_UNIT_MAX <= bytesMax) return [...contents];
  let left = bytesMax;
  return contents.map((content) => {
    if (content === null) return null;
    const bytes = Buffer.byteLength(JSON.stringify(content));
    if (bytes > left) return null;
    left -= bytes;
    return content;
  });
}
