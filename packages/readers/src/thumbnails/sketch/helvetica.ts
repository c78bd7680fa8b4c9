/** The widths and codes of Helvetica, one of the fonts that every PDF reader has (ISO 32000-1, 9.6.2.2 and annex D.2). */

/** Thousandths of the size, for the characters from space to tilde (Adobe Core 14 AFM). */
const widths =
  '278 278 355 556 556 889 667 191 333 333 389 584 278 333 278 278 556 556 556 556 556 556 556 556 556 556 278 278 584 584 584 556 1015 667 667 722 722 667 611 778 722 278 500 667 556 833 722 778 667 778 722 667 611 722 667 944 667 667 611 278 278 278 469 556 333 556 556 500 556 556 278 556 556 222 222 500 222 833 556 556 556 556 333 500 278 556 500 722 500 500 500 334 260 334 584'
    .split(' ')
    .map(Number);
const otherWidth = 556;
/** A character that the font lacks takes the room of a Chinese one, or of a letter. */
const wideWidth = 1000;
const firstWide = 0x1100;
/** Those of Windows-1252 that Latin-1 lacks, and texts have often. */
const codes: Readonly<Record<string, number>> = {
  '€': 0x80,
  '…': 0x85,
  '‘': 0x91,
  '’': 0x92,
  '“': 0x93,
  '”': 0x94,
  '•': 0x95,
  '–': 0x96,
  '—': 0x97,
};

/** The code of a character. Null when the font has no such character. */
export function codeOf(character: string): number | null {
  const point = character.codePointAt(0) ?? 0;
  if ((point >= 0x20 && point <= 0x7e) || (point >= 0xa0 && point <= 0xff)) return point;
  return codes[character] ?? null;
}

/** The width of a text, in the unit of `size`. Bold letters are a little wider. */
export function widthOf(text: string, size: number, isBold = false): number {
  let thousandths = 0;
  for (const character of text) thousandths += widthOfCharacter(character);
  return (thousandths / 1000) * size * (isBold ? 1.06 : 1);
}

function widthOfCharacter(character: string): number {
  const point = character.codePointAt(0) ?? 0;
  return widths[point - 0x20] ?? (codeOf(character) === null && point >= firstWide ? wideWidth : otherWidth);
}
