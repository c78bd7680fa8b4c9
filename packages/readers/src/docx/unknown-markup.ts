/** Replaces elements that mammoth leaves out with their text (ISO/IEC 29500-1, 17.3 and 17.16). */
import type { XmlToken } from '../xml/xml-tokens.js';
import { localName } from '../xml/xml-tree.js';
import type { XmlEdits } from './xml-edits.js';

/** Fields, text with a direction, and words with their reading above them. They are replaced by their content. */
const wrappers = new Set(['fldSimple', 'dir', 'bdo', 'ruby', 'rubyBase']);
/** Elements within a line, with those that have the same effect. */
const substitutes: ReadonlyMap<string, string> = new Map([
  ['cr', 'br'],
  ['ptab', 'tab'],
]);

export function replaceUnknown(tag: Exclude<XmlToken, { kind: 'text' }>, edits: XmlEdits): void {
  const local = localName(tag.name);
  if (wrappers.has(local)) edits.replace(tag, '');
  const substitute = substitutes.get(local);
  if (substitute !== undefined && tag.kind === 'open')
    edits.insert(tag.start, `<${tag.name.slice(0, -local.length)}${substitute}/>`);
}
