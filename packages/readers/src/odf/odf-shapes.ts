/** Frames and shapes of an OpenDocument file: text boxes, tables, pictures, charts, formulas. */
import { chartKind, picture } from '../drawing/chart.js';
import { mathFormula } from '../formula/mathml.js';
import { element, plainTable } from '../html/build-html.js';
import { formulaElement } from '../html/html-formula.js';
import type { HtmlElement } from '../html/html-node.js';
import { childOf, descendants, elementsOf, textOf, type XmlElement } from '../xml/xml-tree.js';
import type { OdfContext } from './odf-context.js';
import { lineOf } from './odf-package.js';
import { rowsOf } from './odf-table.js';

/** Placeholders that repeat on each slide. */
const furniture = /^(?:page-number|header|footer|date-time|page)$/;

export function shapeBlocks(shape: XmlElement, context: OdfContext): HtmlElement[] {
  if (furniture.test(shape.attributes.get('presentation:class') ?? '')) return [];
  const blocks = [...elementsOf(shape)].flatMap((child) => contentBlocks(child, context));
  return blocks.length > 0 ? blocks : description(shape);
}

function contentBlocks(child: XmlElement, context: OdfContext): HtmlElement[] {
  switch (child.local) {
    case 'object':
      return objectBlocks(context.takeObject(child.attributes.get('xlink:href') ?? ''));
    case 'title':
    case 'desc':
    case 'image':
    case 'plugin':
    case 'object-ole':
      return [];
    case 'frame':
    case 'g':
    case 'custom-shape':
    case 'rect':
    case 'ellipse':
      return shapeBlocks(child, context);
    case 'text-box':
      return context.blocks(child, context);
    default: {
      const parent: XmlElement = { name: '', local: '', attributes: new Map(), children: [child] };
      return context.blocks(parent, context);
    }
  }
}

/** The alternative text. */
function description(shape: XmlElement): HtmlElement[] {
  const text = [childOf(shape, 'title'), childOf(shape, 'desc')]
    .map((part) => textOf(part).replace(/\s+/g, ' ').trim())
    .filter((part) => part !== '')
    .join(': ');
  return text === '' ? [] : [picture(text)];
}

function objectBlocks(object: XmlElement | null): HtmlElement[] {
  if (object === null) return [];
  if (object.local === 'math') return formula(object);
  // The frame has an `office:chart` around the chart.
  const chart = [...descendants(object, 'chart')].find(({ name }) => name === 'chart:chart');
  if (chart === undefined) return [];
  const chartTitle = childOf(chart, 'title');
  const title = chartTitle === null ? '' : lineOf(chartTitle);
  const kind = chartKind((chart.attributes.get('chart:class') ?? '').replace('chart:', ''));
  const table = childOf(chart, 'table');
  return [
    ...(title === '' ? [] : [element('p', [title])]),
    element('p', [kind]),
    ...(table === null ? [] : [plainTable([...rowsOf(table)].map(cellTexts))]),
  ];
}

function cellTexts(row: XmlElement): string[] {
  return [...elementsOf(row)].filter(({ local }) => local === 'table-cell').map(lineOf);
}

function formula(math: XmlElement): HtmlElement[] {
  const latex = mathFormula(math);
  return latex === '' ? [] : [element('p', [formulaElement(latex, true)])];
}
