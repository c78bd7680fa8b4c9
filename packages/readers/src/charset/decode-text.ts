/**
 * Decodes text of an unknown character set. Uses the byte order mark, then UTF-8 where the bytes are valid, then a hint, then
 * statistics. The result is always well-formed, has `\n` as line end, and no control characters (databases refuse NUL).
 */
import { cleanText } from '@kiln/pdf/clean-text';
import { probableEncodings } from './detect-encoding.js';
import {
  decodeUnicode,
  encodingOfByteOrderMark,
  guessUnicode,
  type UnicodeEncoding,
} from '@kiln/file-types/unicode-encoding';

export interface DecodedText {
  text: string;
  /** A label of the WHATWG Encoding Standard, or `utf-32le`, `utf-32be`. */
  encoding: string;
}

/** The last choice, because it has a character for each byte. */
const lastResort = 'windows-1252';
/** A text with one damaged character in so many may still be in this character set. */
const damagedShareMax = 0.001;
const otherScript = /[\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Thai}]/gu;
const otherWord = /[\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Thai}\p{M}]+/gu;
const mixedWord = /[A-Za-z][\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Thai}]/gu;
/** In other character sets, the codes of these signs are letters, which stand within words. */
const signs =
  /(?<![a-z])[§£±×÷½¼¾©·¢°](?![a-z])|°(?=[CF]\b)|(?<=[a-z])[™®©º°]|(?<![a-z])µ(?=[a-z]{1,2}\b)|[„“”‘’–—…•€]/gi;
// oxlint-disable-next-line no-control-regex -- all of ASCII
const beyondAscii = /[^\u0000-\u007F]/;
// oxlint-disable-next-line no-control-regex -- all of ASCII
const besideEachOther = /[^\u0000-\u007F]{2}/;
/** Codes that are letters or signs in the character sets of Windows and nothing in those of ISO 8859. */
// oxlint-disable-next-line no-control-regex -- no text contains them
const controls = /[\u0080-\u0084\u0086-\u009F]/;
/** The characters of windows-1252 from 0x80. Some versions of Node decode those bytes as the control characters of Latin-1. */
const windows1252 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008DŽ\u008F\u0090‘’“”•–—˜™š›œ\u009DžŸ';

export function decodeText(bytes: Uint8Array, hint: string | null = null): DecodedText {
  const marked = encodingOfByteOrderMark(bytes) ?? guessUnicode(bytes);
  const decoded = marked === null ? decodeUnmarked(bytes, hint) : decodeMarked(bytes, marked);
  return { encoding: decoded.encoding, text: cleanText(decoded.text) };
}

function decodeMarked(bytes: Uint8Array, encoding: 'utf-8' | UnicodeEncoding): DecodedText {
  return encoding === 'utf-8'
    ? { text: new TextDecoder().decode(bytes), encoding }
    : { text: decodeUnicode(bytes, encoding), encoding };
}

function decodeUnmarked(bytes: Uint8Array, hint: string | null): DecodedText {
  // UTF-8 comes before the hint. Hints are often wrong (pages declare latin1 and are UTF-8), and text in other
  // character sets is rarely valid UTF-8. ISO-2022-JP comes first, because it is written in ASCII and therefore valid UTF-8.
  return (
    (isEscaped(bytes) ? decodeStrictly(bytes, 'iso-2022-jp') : null) ??
    decodeStrictly(bytes, 'utf-8') ??
    damagedUtf8(bytes) ??
    (hint === null ? null : decodeStrictly(bytes, hint)) ??
    decodeByStatistics(bytes)
  );
}

/** ISO-2022-JP switches character sets with these escape sequences (RFC 1468). */
function isEscaped(bytes: Uint8Array): boolean {
  for (let at = bytes.indexOf(0x1b); at !== -1; at = bytes.indexOf(0x1b, at + 1))
    if (bytes[at + 1] === 0x24 && (bytes[at + 2] === 0x42 || bytes[at + 2] === 0x40)) return true;
  return false;
}

/** UTF-8 with a few bytes that are wrong or cut off. In other character sets, hardly any byte above 0x7F would be valid. */
function damagedUtf8(bytes: Uint8Array): DecodedText | null {
  const { text } = decodeLoosely(bytes, 'utf-8');
  const damaged = countOf(text, '\ufffd');
  // oxlint-disable-next-line no-control-regex -- all of ASCII
  const beyondAscii = text.replace(/[\u0000-\u007F]+/g, '').length;
  return damaged * 20 <= beyondAscii ? { text, encoding: 'utf-8' } : null;
}

function decodeByStatistics(bytes: Uint8Array): DecodedText {
  const common = decodeLoosely(bytes, lastResort);
  if (hasOnlySigns(common.text)) return common;
  for (const encoding of probableEncodings(bytes)) {
    const decoded = decodeLoosely(bytes, encoding);
    const damaged = countOf(decoded.text, '\ufffd');
    if (damaged > decoded.text.length * damagedShareMax || mixesScripts(decoded.text) || controls.test(decoded.text))
      continue;
    // Western texts are often the same in several character sets.
    return decoded.text === common.text ? common : decoded;
  }
  return common;
}

/** Whether all characters beyond ASCII are signs of windows-1252 in places where texts have them. Statistics of letters say nothing then. */
function hasOnlySigns(text: string): boolean {
  return !beyondAscii.test(text.replace(signs, '')) && !besideEachOther.test(text);
}

/**
 * Whether the letters of other scripts are a sign of a wrong character set. Latin letters stand directly before them, for example in Czech text
 * that is read as Greek. Or most of their words have one letter, for example if only signs of degrees, paragraphs or money are not ASCII.
 */
function mixesScripts(text: string): boolean {
  const words = text.match(otherWord) ?? [];
  const single = words.filter((word) => word.length === 1).length;
  return (
    single * 2 > words.length || (text.match(mixedWord)?.length ?? 0) * 10 > (text.match(otherScript)?.length ?? 0)
  );
}

function countOf(text: string, character: string): number {
  let count = 0;
  for (let at = text.indexOf(character); at !== -1; at = text.indexOf(character, at + 1)) count++;
  return count;
}

/** Null for an unknown character set, and for bytes that it does not have. */
function decodeStrictly(bytes: Uint8Array, label: string): DecodedText | null {
  try {
    return decodeWith(bytes, new TextDecoder(label, { fatal: true }));
  } catch {
    return null;
  }
}

const decodeLoosely = (bytes: Uint8Array, label: string): DecodedText => decodeWith(bytes, new TextDecoder(label));

function decodeWith(bytes: Uint8Array, decoder: TextDecoder): DecodedText {
  const { encoding } = decoder;
  const text = decoder.decode(bytes);
  return { encoding, text: encoding === lastResort ? withWindowsCharacters(text) : text };
}

/** Replaces control characters by the characters of windows-1252 that have the same codes. Texts contain no such control characters. */
export function withWindowsCharacters(text: string): string {
  // oxlint-disable-next-line no-control-regex -- they are what has to be replaced
  return text.replace(/[\u0080-\u009F]/g, (control) => windows1252.charAt(control.charCodeAt(0) - 0x80));
}
