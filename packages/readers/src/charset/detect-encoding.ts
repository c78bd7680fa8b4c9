/** Detects the character set of text that is neither Unicode nor declared. jschardet compares it with the statistics of languages. */
import { createRequire } from 'node:module';
import type { detectAll } from 'jschardet';

const sampleBytes = 32_768;
/** Bytes of a line before the first one that is not ASCII. They help to recognize the language. */
const contextBytes = 1024;
const lineEnd = 0x0a;
const require = createRequire(import.meta.url);
/** Character sets that the library names differently than the WHATWG Encoding Standard. */
const standardNames: Readonly<Record<string, string>> = {
  cp874: 'windows-874',
  cp932: 'shift_jis',
  cp949: 'euc-kr',
  'iso8859-15': 'iso-8859-15',
  'iso8859-10': 'iso-8859-10',
  'iso8859-16': 'iso-8859-16',
};
/** Character sets that no file is in, and those in which plain ASCII would mean something else. */
const unlikely = new Set(['utf-8', 'ascii', 'utf-7', 'macintosh', 'x-mac-cyrillic', 'iso-2022-kr', 'hz-gb-2312']);

let library: { detectAll: typeof detectAll } | null = null;

/** Labels of the WHATWG Encoding Standard, the most probable first. */
export function probableEncodings(bytes: Uint8Array): string[] {
  // Loaded on first use: its statistics take 100 ms and some megabytes, and most text is UTF-8.
  library ??= require('jschardet') as { detectAll: typeof detectAll };
  const found = new Set<string>();
  for (const { encoding } of library.detectAll(sampleOf(bytes))) {
    const label = labelOf(encoding);
    if (label !== null && !unlikely.has(label)) found.add(label);
  }
  return [...found];
}

function labelOf(name: string | null): string | null {
  const lower = (name ?? '').toLowerCase();
  try {
    return new TextDecoder(standardNames[lower] ?? lower).encoding;
  } catch {
    return null;
  }
}

/**
 * The lines that are not all ASCII, because other lines only blur the statistics. A line is whole: a cut character would look like another
 * character set, and no character of these sets contains a line end.
 */
function sampleOf(bytes: Uint8Array): Uint8Array {
  const lines: Uint8Array[] = [];
  let sampled = 0;
  for (let start = 0; start < bytes.length && sampled < sampleBytes;) {
    const telling = beyondAscii(bytes, start);
    if (telling === -1) break;
    const from = Math.max(start, bytes.lastIndexOf(lineEnd, telling) + 1, telling - contextBytes);
    const found = bytes.indexOf(lineEnd, telling);
    const end = found === -1 ? bytes.length : found + 1;
    const line = bytes.subarray(from, Math.min(end, from + sampleBytes));
    lines.push(line);
    sampled += line.length;
    start = end;
  }
  return Buffer.concat(lines);
}

function beyondAscii(bytes: Uint8Array, from: number): number {
  for (let at = from; at < bytes.length; at++) if ((bytes[at] ?? 0) > 0x7f) return at;
  return -1;
}
