import { element, elementWith } from '../html/build-html.js';
import type { HtmlElement } from '../html/html-node.js';
import type { Relationships } from '../archive/relationships.js';
import { attributeOf, childOf, childrenNamed, type XmlElement } from '../xml/xml-tree.js';
import { textBlocks } from '../drawing/text-body.js';

/** A table of a slide (`a:tbl`). Covered cells are left out, as in HTML. */
export function slideTable(table: XmlElement, relationships: Relationships): HtmlElement {
  const rows = childrenNamed(table, 'tr').map((row) =>
    element(
      'tr',
      childrenNamed(row, 'tc')
        .filter((cell) => !isCovered(cell))
        .map((cell) =>
          elementWith(
            'td',
            { colspan: attributeOf(cell, 'gridSpan'), rowspan: attributeOf(cell, 'rowSpan') },
            textBlocks(childOf(cell, 'txBody'), [], relationships),
          ),
        ),
    ),
  );
  return element('table', rows);
}

function isCovered(cell: XmlElement): boolean {
  return ['hMerge', 'vMerge'].some((name) => /^(?:1|true)$/.test(attributeOf(cell, name) ?? ''));
}
