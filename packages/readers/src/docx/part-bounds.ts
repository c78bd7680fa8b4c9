/**
 * Checks one XML part before mammoth reads it. The limits keep mammoth's work linear: mammoth compares each warning with all
 * earlier ones, reads the text of a field again at each of its marks, writes a note once per reference, and walks all open
 * elements at each end tag.
 */
import { FieldCost } from './field-cost.js';
import { MalformedXmlError, type XmlAttribute, xmlTokens } from '../xml/xml-tokens.js';
import { localName } from '../xml/xml-tree.js';

const depthMax = 200;
const elementNamesMax = 1000;
/** The maximum number of different values that can each cause a warning. */
const valuesMax = 500;
const noteReferencesMax = 16;
const nameCharactersMax = 1000;
/** Elements that cause warnings if mammoth does not know them, with the attributes that the warning quotes. */
const warnedAbout: ReadonlyMap<string, readonly string[]> = new Map([
  ['pStyle', ['val']],
  ['rStyle', ['val']],
  ['tblStyle', ['val']],
  ['sym', ['font', 'char']],
  ['br', ['type']],
  ['Override', ['ContentType']],
  ['Default', ['ContentType']],
]);
const noteReferences = new Set(['footnoteReference', 'endnoteReference', 'commentReference']);

export class PartBoundError extends Error {
  override readonly name = 'PartBoundError';
}

/**
 * @throws PartBoundError. Its message continues a sentence that begins with the filename.
 * @throws MalformedXmlError
 */
export function assertPartBounds(xml: string): void {
  const open: string[] = [];
  const names = new Set<string>();
  const values = new DistinctValues();
  const fields = new FieldCost(xml.length);
  for (const token of xmlTokens(xml)) {
    if (token.kind === 'text') {
      fields.text(token.text, open.at(-1) ?? '');
    } else if (token.kind === 'close') {
      if (open.pop() !== token.name) throw new MalformedXmlError(`</${token.name}> closes another element`);
    } else {
      if (!token.isEmpty) open.push(token.name);
      if (open.length > depthMax)
        throw new PartBoundError(`is nested too deeply: more than ${depthMax} levels of elements`);
      names.add(token.name);
      if (names.size > elementNamesMax)
        throw new PartBoundError(`has more than ${elementNamesMax} different kinds of elements`);
      const local = localName(token.name);
      values.add(local, token.attributes);
      fields.element(local, valueOf(token.attributes, 'fldCharType'));
    }
    if (fields.isTooHigh) throw new PartBoundError('has fields that are nested too deeply or too long');
  }
}

class DistinctValues {
  private readonly values = new Map<string, Set<string>>();
  private readonly references = new Map<string, number>();

  add(element: string, attributes: readonly XmlAttribute[]): void {
    const warned = warnedAbout.get(element);
    if (warned !== undefined) this.addValue(element, warned.map((name) => valueOf(attributes, name)).join(' '));
    if (noteReferences.has(element)) this.addReference(`${element} ${valueOf(attributes, 'id')}`);
    const name =
      element === 'name' ? valueOf(attributes, 'val') : element === 'style' ? valueOf(attributes, 'styleId') : '';
    if (name.length > nameCharactersMax)
      throw new PartBoundError(`has a style whose name is longer than ${nameCharactersMax} characters`);
  }

  private addValue(element: string, value: string): void {
    const known = this.values.get(element) ?? new Set();
    this.values.set(element, known.add(value));
    if (value.length > nameCharactersMax)
      throw new PartBoundError(`refers to a name that is longer than ${nameCharactersMax} characters`);
    if (known.size > valuesMax)
      throw new PartBoundError(`uses more than ${valuesMax} different styles, symbols or types of content`);
  }

  private addReference(note: string): void {
    const count = (this.references.get(note) ?? 0) + 1;
    this.references.set(note, count);
    if (count > noteReferencesMax)
      throw new PartBoundError(`refers to the same note or comment more than ${noteReferencesMax} times`);
  }
}

function valueOf(attributes: readonly XmlAttribute[], local: string): string {
  return attributes.find(({ name }) => localName(name) === local)?.value ?? '';
}
