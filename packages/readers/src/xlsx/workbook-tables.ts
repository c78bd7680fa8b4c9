/** The tables that the cells of a workbook refer to by number: its strings and its number formats. */
import { builtInFormat, formatOfCode, type NumberFormat } from '../spreadsheet/number-format.js';
import { unescapeXml } from '../xml/unescape-xml.js';
import { attributeOf, childOf, childrenNamed, localName, type XmlElement } from '../xml/xml-tree.js';
import { xmlTokens } from '../xml/xml-tokens.js';

/**
 * The strings of `xl/sharedStrings.xml`. Blank strings become empty, because any number of cells can refer to a long
 * one. Phonetic readings of Japanese words are left out, because they repeat the text.
 */
export function readSharedStrings(xml: string | null): string[] {
  const strings: string[] = [];
  let text: string | null = null;
  let isText = false;
  let isReading = false;
  for (const token of xml === null ? [] : xmlTokens(xml)) {
    if (token.kind === 'text') {
      if (isText && !isReading && text !== null) text += unescapeXml(token.text);
      continue;
    }
    const local = localName(token.name);
    const isOpen = token.kind === 'open' && !token.isEmpty;
    if (local === 't') isText = isOpen;
    else if (local === 'rPh') isReading = isOpen;
    else if (local === 'si') {
      if (isOpen) text = '';
      else {
        const decoded = decodeEscapes(text ?? '');
        strings.push(decoded.trim() === '' ? '' : decoded);
        text = null;
      }
    }
  }
  return strings;
}

/** A workbook writes a character that XML cannot hold as `_x000D_` (ISO/IEC 29500-1, 22.9.2.19). */
export function decodeEscapes(text: string): string {
  return text.replace(/_x([0-9A-F]{4})_/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

/** The number format of each style of a cell, by the style's number. */
export function readNumberFormats(styles: XmlElement | null): NumberFormat[] {
  const own = new Map(
    childrenNamed(childOf(styles, 'numFmts'), 'numFmt').map((format): [number, NumberFormat] => [
      Number(attributeOf(format, 'numFmtId')),
      formatOfCode(attributeOf(format, 'formatCode') ?? ''),
    ]),
  );
  return childrenNamed(childOf(styles, 'cellXfs'), 'xf').map((style) => {
    const id = Number(attributeOf(style, 'numFmtId') ?? 0);
    return own.get(id) ?? builtInFormat(id);
  });
}
