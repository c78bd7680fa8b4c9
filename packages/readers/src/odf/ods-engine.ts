import { ZipArchive } from '../archive/zip-archive.js';
import type { Engine, EngineInput } from '../engine.js';
import { documentOf } from '../html/html-document.js';
import { toMarkdown } from '../html/html-to-markdown.js';
import { SheetBudget, SheetGrid } from '../spreadsheet/sheet-grid.js';
import { gridMarkdown } from '../spreadsheet/sheet-markdown.js';
import { WorkbookText } from '../spreadsheet/workbook-text.js';
import { type ElementVisitor, elementsOf, type XmlElement } from '../xml/xml-tree.js';
import type { OdfContext } from './odf-context.js';
import { readMeta } from './odf-package.js';
import { openOdf } from './odf-reader.js';
import { OdsRows } from './ods-rows.js';
import { shapeBlocks } from './odf-shapes.js';

interface OdsSheet {
  table: XmlElement;
  rows: OdsRows;
}

/** Each sheet becomes a page. Hidden sheets are included and marked. */
export const extractOds: Engine = (input, signal) =>
  ZipArchive.read(input, 'ods', signal, async (archive) => {
    const sheets: OdsSheet[] = [];
    const { context } = await openOdf(archive, 'ods', input, sheetVisitor(sheets, new SheetBudget(input)));
    const { styles } = context;
    const text = new WorkbookText();
    for (const { table, rows } of sheets) {
      const isHidden = styles.property('table', table.attributes.get('table:style-name'), 'table:display') === 'false';
      const blocks = [...gridMarkdown(rows.finish()), ...besideCells(table, rows, context, input)];
      text.add(table.attributes.get('table:name') ?? '', isHidden, blocks);
    }
    return text.output(await readMeta(archive, input));
  });

/** Reads each row when it ends, because a sheet can have more of them than fit into a tree. */
function sheetVisitor(sheets: OdsSheet[], budget: SheetBudget): ElementVisitor {
  return (element, around) => {
    if (element.local !== 'table-row' || around.some(({ local }) => local === 'table-row')) return false;
    const table = around.find(({ local }) => local === 'table');
    if (table === undefined || !around.some(({ local }) => local === 'spreadsheet')) return false;
    const last = sheets.at(-1);
    const sheet = last?.table === table ? last : { table, rows: new OdsRows(new SheetGrid(budget)) };
    if (sheet !== last) sheets.push(sheet);
    sheet.rows.add(element);
    return true;
  };
}

/** Charts and pictures on the sheet, and comments. */
function besideCells(table: XmlElement, rows: OdsRows, context: OdfContext, input: EngineInput): string[] {
  const shapes = [...elementsOf(table)].filter(({ local }) => local === 'shapes');
  const blocks = [...rows.shapes, ...shapes.flatMap((group) => [...elementsOf(group)])].flatMap((shape) =>
    shapeBlocks(shape, context),
  );
  const all = [...blocks, ...rows.comments()];
  if (all.length === 0) return [];
  return [toMarkdown(documentOf(all, input.filename), input.filename, input.limits.outputBytesMax).trimEnd()];
}
