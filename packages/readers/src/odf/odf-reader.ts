import { ExtractionError } from '@kiln/pdf/extraction-error';
import type { ZipArchive } from '../archive/zip-archive.js';
import type { EngineInput } from '../engine.js';
import { ListCounters } from '../numbering/list-counters.js';
import { parseXml, type XmlElement } from '../xml/xml-tree.js';
import { blocksOf } from './odf-blocks.js';
import { type OdfContext, OdfNotes, outsideOfLists } from './odf-context.js';
import { shapeBlocks } from './odf-shapes.js';
import type { OdfStyles } from './odf-styles.js';

const objectPart = /^([^/]+)\/content\.xml$/;

/** Tables in repeated cells of tables multiply, so the limit of the markdown limits them too. */
const charactersPerElement = 32;

/** Collects what the content of a file needs to be read. */
export async function readerOf(archive: ZipArchive, styles: OdfStyles, input: EngineInput): Promise<OdfContext> {
  const objects = new Map<string, XmlElement>();
  for (const name of archive.names) {
    const folder = objectPart.exec(name)?.[1];
    const xml = folder === undefined ? null : await archive.text(name);
    if (folder !== undefined && xml !== null) objects.set(folder, parseXml(xml, input.filename));
  }
  return {
    styles,
    notes: new OdfNotes(),
    isInCell: false,
    list: outsideOfLists,
    numbers: new Map(),
    headings: new ListCounters(),
    blocks: blocksOf,
    shapeBlocks,
    addRepeated: repeatedElements(input),
    takeObject: (address) => {
      const folder = address.replace(/^\.\//, '').replace(/\/$/, '');
      const found = objects.get(folder) ?? null;
      objects.delete(folder);
      return found;
    },
  };
}

function repeatedElements({ filename, limits }: EngineInput): (elements: number) => void {
  const repeatedMax = Math.floor(limits.outputBytesMax / charactersPerElement);
  let repeated = 0;
  return (elements) => {
    repeated += elements;
    if (repeated <= repeatedMax) return;
    throw new ExtractionError(
      'file_too_large',
      `"${filename}" repeats more than ${repeatedMax} elements of tables. Remove its repeated cells and rows.`,
    );
  };
}
