/** Reads the drawings of a sheet: charts, text boxes, descriptions of pictures. */
import { chartContent, picture } from '../drawing/chart.js';
import { textBlocks } from '../drawing/text-body.js';
import type { Relationships } from '../archive/relationships.js';
import type { HtmlElement } from '../html/html-node.js';
import { attributeOf, childOf, descend, elementsOf, prefixedAttribute, type XmlElement } from '../xml/xml-tree.js';

/** `part` returns the parsed part of a relationship of the drawing. */
export async function drawingContent(
  drawing: XmlElement,
  relationships: Relationships,
  part: (name: string | null) => Promise<XmlElement | null>,
): Promise<HtmlElement[]> {
  const blocks: HtmlElement[] = [];
  for (const anchor of elementsOf(drawing)) {
    for (const shape of descendantShapes(anchor)) {
      const [description] = [...elementsOf(shape)].flatMap((properties) =>
        /^nv\w*Pr$/.test(properties.local) ? [(attributeOf(childOf(properties, 'cNvPr'), 'descr') ?? '').trim()] : [],
      );
      if (description !== undefined && description !== '') blocks.push(picture(description));
      if (shape.local === 'sp') blocks.push(...textBlocks(childOf(shape, 'txBody'), [], relationships));
      const reference = prefixedAttribute(descend(shape, 'graphic', 'graphicData', 'chart'), 'id');
      const chart = reference === null ? null : await part(relationships.part(reference));
      if (chart !== null) blocks.push(...chartContent(chart));
    }
  }
  return blocks;
}

function* descendantShapes(element: XmlElement): Generator<XmlElement> {
  for (const child of elementsOf(element)) {
    if (/^(?:sp|pic|graphicFrame)$/.test(child.local)) yield child;
    else if (child.local === 'AlternateContent') yield* descendantShapes(childOf(child, 'Choice') ?? child);
    else if (child.local === 'grpSp') yield* descendantShapes(child);
  }
}
