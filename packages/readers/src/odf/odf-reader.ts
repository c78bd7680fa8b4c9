import { ExtractionError } from '@kiln/pdf/extraction-error';
import type { ZipArchive } from '../archive/zip-archive.js';
import type { DocumentKind } from '@kiln/file-types/content-type';
import type { EngineInput } from '../engine.js';
import { ListCounters } from '../numbering/list-counters.js';
import { childOf, type ElementVisitor, parseXml, type XmlElement } from '../xml/xml-tree.js';
import { blocksOf } from './odf-blocks.js';
import { type OdfContext, OdfNotes, outsideOfLists } from './odf-context.js';
import { assertNotEncrypted, readContent, readStyles } from './odf-package.js';
import { shapeBlocks } from './odf-shapes.js';
import type { OdfStyles } from './odf-styles.js';

const objectPart = /^([^/]+)\/content\.xml$/;

/** Tables in repeated cells multiply, so the limit of the markdown also limits the repeated elements. */
const charactersPerElement = 32;

/** The content of a file, and the context in which it is read. @throws ExtractionError encrypted_file or corrupt_file */
export async function openOdf(
  archive: ZipArchive,
  kind: DocumentKind,
  input: EngineInput,
  visit?: ElementVisitor,
): Promise<{ content: XmlElement; context: OdfContext }> {
  await assertNotEncrypted(archive, input);
  const styles = await readStyles(archive, input);
  const { root, content } = await readContent(archive, kind, input, visit);
  styles.add(childOf(root, 'automatic-styles'));
  return { content, context: await contextOf(archive, styles, input) };
}

async function contextOf(archive: ZipArchive, styles: OdfStyles, input: EngineInput): Promise<OdfContext> {
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
