/**
 * Judges whether a block is a heading. Each sign is a convention of typesetting. Only the outline and the tags are
 * enough alone, because they name headings.
 */
import type { TextBlock } from '../layout/block.js';
import { headingLettersMax } from '../layout/block.js';
import type { BodyStyle } from './style-census.js';

/** A block with this score is a heading. It needs one strong sign and two weak ones, or two strong ones. */
export const headingScoreMin = 3;
const stated = 6;

const caption =
  /^(?:fig(?:ure|\.)?|table|tab\.|abb(?:ildung|\.)?|tabelle|tableau|figura|tabla|listing|algorithm|chart|exhibit|图|表|図)\s*(?:\d|[A-Z][\d.:]|[IVX]+\b)/iu;
const numbered =
  /^(?:(?:chapter|part|section|appendix|annex|article|kapitel|teil|anhang|chapitre|partie|cap[ií]tulo)\s+[\dA-Z]+\b|\d{1,2}(?:\.\d{1,3}){0,4}\.?\s+\p{L}|[A-Z]\.\d{0,3}(?:\.\d{1,3})*\.?\s+\p{Lu}|[IVX]{1,5}\.\s+\p{Lu}|第\s*[\d一二三四五六七八九十]+\s*[章节節部])/u;
const known =
  /^(?:abstract|summary|introduction|background|related work|methods?|results|discussion|conclusions?|references|bibliography|acknowledge?ments?|appendix|contents|table of contents|index|preface|foreword|glossary|zusammenfassung|einleitung|inhalt(?:sverzeichnis)?|literatur(?:verzeichnis)?|anhang|fazit|résumé|introducción|conclusi[oó]n(?:es)?|referencias|sommaire|bibliographie)$/iu;
const sectionNumber = /^\d{1,2}(?:\.\d{1,3})*\.?\s+/;
const unfinished = /^\p{Ll}/u;

export interface Surroundings {
  body: BodyStyle;
  /** Whether the outline or the tags call it a heading. */
  isStated: boolean;
  /** Whether blocks beside it have the same kind of number: then they are items of a list. */
  isInList: boolean;
  /** Whether the document names its headings by tags. Then blocks without such a tag are no headings. */
  isTagged: boolean;
}

export function headingScore(block: TextBlock, surroundings: Surroundings): number {
  const { plain, letters } = block;
  if (letters === 0 || letters > headingLettersMax || plain === '' || !/\p{L}/u.test(plain)) return 0;
  if (surroundings.isStated) return stated;
  if (block.isEntry || block.lines > 4 || !/\p{L}{2}|[\p{Lo}]/u.test(plain)) return 0;
  return (
    faceScore(block, surroundings.body) +
    wordScore(block, surroundings) +
    placeScore(block) -
    (surroundings.isTagged ? 1.5 : 0)
  );
}

/**
 * A face that is larger and heavier than the text is a sign. Scales of type grow in steps of an eighth (1.125) to a
 * half (1.5). Two faces that look alike differ by less than a twelfth. Notes and captions are smaller than the text. In
 * the same size, another face shows little, because it may be emphasis. It shows more on top of a paragraph in the
 * usual face.
 */
function faceScore({ size, isBold, isItalic, code, headsText }: TextBlock, body: BodyStyle): number {
  const ratio = size / body.size;
  let score = 0;
  if (ratio >= 1.4) score += 3;
  else if (ratio >= 1.17) score += 2.5;
  else if (ratio >= 1.08) score += 1.5;
  else if (ratio < 0.93) score -= 2;
  if (isBold && !body.isBold) score += 1.5;
  else if (headsText) score += 1.25;
  else if (isItalic) score += 0.5;
  if (code !== null) score -= 2;
  return score;
}

function wordScore({ plain, letters }: TextBlock, { isInList }: Surroundings): number {
  let score = 0;
  if (caption.test(plain)) score -= 4;
  if (isInList) score -= 2;
  else if (numbered.test(plain)) score += 1.5;
  if (known.test(plain.replace(/^[\dA-Z.]+\s+/, '').replace(/[:.]$/, ''))) score += 2;
  if (/\p{Lu}{2}/u.test(plain) && plain === plain.toUpperCase() && letters >= 4) score += 0.75;
  if (unfinished.test(plain)) score -= 1.5;
  if (/[.,;…]$|\.{3}/u.test(plain)) score -= 2;
  else if (/[:]$/u.test(plain)) score -= 0.5;
  if (/^[•‣◦▪●○■□–—*·-]\s/u.test(plain)) score -= 2.5;
  const words = plain.replace(sectionNumber, '');
  const symbols = words.match(/[\d$€£%/@|=_]/g)?.length ?? 0;
  if (symbols > words.length / 2 || (symbols > words.length / 3 && words === plain)) score -= 2;
  if (letters > 140) score -= 2;
  else if (letters > 90) score -= 1;
  return score;
}

/** Headings stand apart from the text above, are closer to the text below, and do not fill the line. */
function placeScore({ gapAbove, gapBelow, lines, widthShare }: TextBlock): number {
  let score = 0;
  if (gapAbove >= 1.6) score += 0.75;
  if (gapAbove > gapBelow * 1.15) score += 0.5;
  if (lines === 1 && widthShare < 0.8) score += 0.5;
  if (lines > 2) score -= 0.75;
  // A heading is not the last block of a page or column.
  if (gapBelow === Infinity) score -= 0.75;
  return score;
}
