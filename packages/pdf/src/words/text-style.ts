import type { TextStyle } from '../page-model.js';

/** Flags of a font descriptor (ISO 32000-1, table 123). */
const fixedPitch = 1;
const italic = 1 << 6;
const forceBold = 1 << 18;
/** Names of weights, and the bold faces of TeX (`CMBX10`, `SFBX1000`, `NimbusRomNo9L-Medi`). */
const boldName = /bold|black|heavy|semib|demi|BX\d|CMBX|-Medi\b/i;
const italicName = /ital|obli|CMTI|SFTI|CMSL/i;
const monoName = /mono|courier|consol|menlo|typewriter|CMTT|SFTT|NimbusMon/i;

export function styleOf(font: string, flags: number, isStroked: boolean): TextStyle {
  // The tag of an embedded subset, as in `ABCDEF+Name` (ISO 32000-1, 9.6.4).
  const name = font.replace(/^[A-Z]{6}\+/, '');
  return {
    font: name,
    isBold: isStroked || (flags & forceBold) !== 0 || boldName.test(name),
    isItalic: (flags & italic) !== 0 || italicName.test(name),
    isMono: (flags & fixedPitch) !== 0 || monoName.test(name),
  };
}

/** Broken fonts state higher numbers. */
const codePointMax = 0x10ffff;
const symbolFont = /wingdings|webdings|dingbats/i;

/** The character that a glyph shows. Fonts of symbols seldom state their characters, and a symbol before a text is a bullet. */
export function shownText(codePoint: number, { font }: TextStyle): string {
  const isStated = codePoint >= 0x2000 && !(codePoint >= 0xe000 && codePoint <= 0xf8ff);
  if (symbolFont.test(font) && !isStated) return '•';
  return codePoint <= codePointMax ? String.fromCodePoint(codePoint) : '\uFFFD';
}
