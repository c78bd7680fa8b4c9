/** Tables of texts and slides. Covered cells are left out, as in HTML. */
import { element, elementWith } from '../html/build-html.js';
import type { HtmlElement } from '../html/html-node.js';
import { elementsOf, type XmlElement } from '../xml/xml-tree.js';
import { type OdfContext, outsideOfLists } from './odf-context.js';

/** In real documents, cells and rows that repeat more often are empty. */
const repeatedMax = 200;
const charactersPerElement = 16;

export function tableBlock(table: XmlElement, context: OdfContext): HtmlElement {
  const rows = [...rowsOf(table)].flatMap((row) => {
    const count = repeats(row, 'table:number-rows-repeated', context);
    return Array.from({ length: count }, () => element('tr', cellsOf(row, context)));
  });
  return element('table', rows);
}

/** The rows of a table, including those in groups and headers. */
export function* rowsOf(table: XmlElement): Generator<XmlElement> {
  for (const child of elementsOf(table)) {
    if (child.local === 'table-row') yield child;
    else if (/^table-(?:rows|header-rows|row-group)$/.test(child.local)) yield* rowsOf(child);
  }
}

function cellsOf(row: XmlElement, context: OdfContext): HtmlElement[] {
  const inner = { ...context, isInCell: true, list: outsideOfLists };
  return [...elementsOf(row)].flatMap((cell) => {
    if (cell.local !== 'table-cell') return [];
    const count = repeats(cell, 'table:number-columns-repeated', context);
    const spans = {
      colspan: cell.attributes.get('table:number-columns-spanned') ?? null,
      rowspan: cell.attributes.get('table:number-rows-spanned') ?? null,
    };
    return Array.from({ length: count }, () => elementWith('td', spans, context.blocks(cell, inner)));
  });
}

function repeats(repeated: XmlElement, attribute: string, context: OdfContext): number {
  const stated = Number(repeated.attributes.get(attribute) ?? 1);
  if (!Number.isInteger(stated) || stated <= 1) return 1;
  const count = Math.min(stated, repeatedMax);
  context.addRepeated((count - 1) * weightOf(repeated));
  return count;
}

/** The cost of repeated content, in elements. Text takes time too, even if it is blank. */
function weightOf(element: XmlElement): number {
  let weight = 1;
  for (const child of element.children)
    weight += typeof child === 'string' ? child.length / charactersPerElement : weightOf(child);
  return weight;
}
