import { numberText } from '../numbering/number-text.js';
import { isInvisible } from './html-document.js';
import { attribute, childrenOf, elementsOf, type HtmlElement } from './html-node.js';
import { type RenderContext, renderIndented } from './render-context.js';

/** The minimum indent of an item's children. Every markdown parser nests them at this width. */
const indentWidth = 4;

/** The formats of `numberText`, by the values of `type`. */
const statedFormats: ReadonlyMap<string | null, string> = new Map([
  ['a', 'lowerLetter'],
  ['A', 'upperLetter'],
  ['i', 'lowerRoman'],
  ['I', 'upperRoman'],
]);
const styledFormat = /(?:^|;)\s*list-style(?:-type)?\s*:[^;]*\b(lower|upper)-(?:alpha|latin|(roman))\b/i;

export function renderList(list: HtmlElement, context: RenderContext): void {
  beginList(context);
  const format = list.name === 'ol' ? formatOf(list) : null;
  let number = list.name === 'ol' ? (integer(attribute(list, 'start')) ?? 1) : null;
  let hasItem = false;
  let delimiter = '.';
  for (const child of childrenOf(list)) {
    if (child.kind === 'text') context.writer.text(child.text);
    else if (isInvisible(child)) continue;
    else if (child.name === 'li') {
      const stated = number === null ? null : integer(attribute(child, 'value'));
      // Markdown numbers items itself. Another delimiter begins a new list.
      if (hasItem && stated !== null && stated !== number) delimiter = delimiter === '.' ? ')' : '.';
      number = stated ?? number;
      hasItem = true;
      if (format !== null && number !== null) item(child, null, '', context, `${numberText(number, format)}. `);
      else item(child, number, delimiter, context);
      if (number !== null) number++;
    } else context.renderElement(child, context);
  }
  context.writer.endBlock();
}

/** Null for digits: markdown has no other numbers. */
function formatOf(list: HtmlElement): string | null {
  const [, letterCase, roman] = styledFormat.exec(attribute(list, 'style') ?? '') ?? [];
  if (letterCase === undefined) return statedFormats.get(attribute(list, 'type')) ?? null;
  return letterCase.toLowerCase() + (roman === undefined ? 'Letter' : 'Roman');
}

function integer(text: string | null): number | null {
  const number = Number.parseInt(text ?? '', 10);
  return Number.isFinite(number) ? number : null;
}

/** An item outside any list. */
export function renderItem(element: HtmlElement, context: RenderContext): void {
  item(element, null, '', context);
}

function item(
  element: HtmlElement,
  number: number | null,
  delimiter: string,
  context: RenderContext,
  label = '',
): void {
  // Markdown allows numbers of up to nine digits, without a sign.
  const isNumbered = number !== null && number >= 0 && number < 1_000_000_000;
  inItem(isNumbered ? `${number}${delimiter} ` : '- ', label, context, (inner) => {
    const checkbox = firstCheckbox(element);
    if (checkbox !== null) {
      inner.writer.markup(checkbox.attributes.has('checked') ? '[x]' : '[ ]');
      inner.writer.text(' ');
    }
    inner.renderChildren(element, inner);
  });
}

/** `label` is text that follows the marker. */
function inItem(marker: string, label: string, context: RenderContext, content: (inner: RenderContext) => void): void {
  const { writer } = context;
  renderIndented(' '.repeat(Math.max(indentWidth, marker.length)), marker + label, context, true, content);
  writer.endLine();
}

function beginList({ writer, isInList }: RenderContext): void {
  // No empty line between the text of an item and the list inside it.
  if (isInList) writer.endLine();
  else writer.endBlock();
}

function firstCheckbox(element: HtmlElement): HtmlElement | null {
  const first = elementsOf(element).next().value;
  if (first === undefined) return null;
  if (first.name === 'input' && attribute(first, 'type')?.toLowerCase() === 'checkbox') return first;
  return first.name === 'label' || first.name === 'p' ? firstCheckbox(first) : null;
}

/** Markdown has no `<dl>`. It becomes a list of bold terms, with the descriptions nested below. */
export function renderDescriptionList(list: HtmlElement, context: RenderContext): void {
  beginList(context);
  renderEntries(list, context, { hasTerm: false });
  context.writer.endBlock();
}

function renderEntries(list: HtmlElement, context: RenderContext, state: { hasTerm: boolean }): void {
  for (const entry of childrenOf(list)) {
    if (entry.kind === 'text') context.writer.text(entry.text);
    else if (isInvisible(entry)) continue;
    else if (entry.name === 'dt') {
      state.hasTerm = true;
      inItem('- ', '', context, (inner) => {
        inner.writer.open('**');
        inner.renderChildren(entry, inner);
        inner.writer.close('**');
      });
    } else if (entry.name === 'dd') {
      if (state.hasTerm)
        renderIndented(' '.repeat(indentWidth), null, context, true, (inner) => describe(entry, inner));
      else describe(entry, context);
      context.writer.endLine();
    } else if (entry.name === 'div') renderEntries(entry, context, state);
    else context.renderElement(entry, context);
  }
}

function describe(entry: HtmlElement, context: RenderContext): void {
  const only = onlyList(entry);
  if (only === null) inItem('- ', '', context, (inner) => inner.renderChildren(entry, inner));
  else context.renderElement(only, context);
}

/** The list, if the description contains nothing else. Then no item is needed around it. */
function onlyList(entry: HtmlElement): HtmlElement | null {
  const [first, second] = elementsOf(entry);
  return first !== undefined && second === undefined && /^(?:ul|ol|dl)$/.test(first.name) ? first : null;
}
