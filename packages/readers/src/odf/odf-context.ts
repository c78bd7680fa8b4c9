import { element, onOneLine } from '../html/build-html.js';
import type { HtmlElement } from '../html/html-node.js';
import type { ListCounters } from '../numbering/list-counters.js';
import { childOf, textOf, type XmlElement } from '../xml/xml-tree.js';
import type { OdfStyles } from './odf-styles.js';

/** The style of the list around the paragraphs, its level, and the numbers of the item and of those around it. */
export interface OdfListPlace {
  style: string | undefined;
  level: number;
  numbers: readonly number[];
}

export const outsideOfLists: OdfListPlace = { style: undefined, level: 0, numbers: [] };

/** The state that the readers of paragraphs, lists, tables and shapes share. */
export interface OdfContext {
  styles: OdfStyles;
  notes: OdfNotes;
  isInCell: boolean;
  list: OdfListPlace;
  /** The last number of each list style, for lists that continue. */
  numbers: Map<string, number>;
  /** These counters number the headings. */
  headings: ListCounters;
  blocks: (parent: XmlElement, context: OdfContext) => HtmlElement[];
  shapeBlocks: (shape: XmlElement, context: OdfContext) => HtmlElement[];
  /** Counts elements that are read again because a cell or a row repeats. @throws ExtractionError file_too_large */
  addRepeated: (elements: number) => void;
  /** Takes the content of an embedded object: a chart, a formula, a spreadsheet. Null the second time. */
  takeObject: (address: string) => XmlElement | null;
}

/** Collects footnotes, endnotes and comments, which follow the text. */
export class OdfNotes {
  private readonly notes: HtmlElement[] = [];
  private readonly comments: HtmlElement[] = [];

  /** Returns the mark that refers to the note in the text. */
  add(body: XmlElement | null, citation: string, context: OdfContext): string {
    const mark = citation.trim() === '' ? String(this.notes.length + 1) : citation.trim();
    // The place is taken before the note is read, because its text may refer to further notes.
    const at = this.notes.push(element('li')) - 1;
    const blocks = body === null ? [] : context.blocks(body, { ...context, isInCell: false, list: outsideOfLists });
    this.notes[at] = element('li', [`[${mark}] `, ...onOneLine(blocks)]);
    return mark;
  }

  addComment(annotation: XmlElement, context: OdfContext): void {
    const author = textOf(childOf(annotation, 'creator')).trim();
    const blocks = context.blocks(annotation, { ...context, isInCell: false, list: outsideOfLists });
    if (blocks.length > 0)
      this.comments.push(element('li', [author === '' ? '' : `${author}: `, ...onOneLine(blocks)]));
  }

  /** Returns the collected notes, under a line that names their kind, and begins anew. */
  take(): HtmlElement[] {
    const notes = this.notes.splice(0);
    const comments = this.comments.splice(0);
    return [
      ...(notes.length === 0 ? [] : [titled('Notes'), element('ul', notes)]),
      ...(comments.length === 0 ? [] : [titled('Comments'), element('ul', comments)]),
    ];
  }
}

function titled(text: string): HtmlElement {
  return element('p', [element('strong', [text])]);
}
