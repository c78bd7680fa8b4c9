/** Comments on slides, in the form of Office 2007 (`p:cm` with `p:text`) or of Office 365 (`p188:cm` with a text body and replies). */
import { element } from '../html/build-html.js';
import type { HtmlElement } from '../html/html-node.js';
import { plainText } from '../drawing/text-body.js';
import { attributeOf, childOf, descendants, elementsOf, textOf, type XmlElement } from '../xml/xml-tree.js';

const nameCharactersMax = 200;

/** The names of authors, by their ids. `authors` is the part with the authors, in either form. */
export function authorNames(authors: XmlElement | null): Map<string, string> {
  const names = new Map<string, string>();
  for (const author of authors === null ? [] : elementsOf(authors))
    names.set(attributeOf(author, 'id') ?? '', (attributeOf(author, 'name') ?? '').trim().slice(0, nameCharactersMax));
  return names;
}

export function commentsContent(comments: XmlElement | null, names: ReadonlyMap<string, string>): HtmlElement[] {
  const blocks: HtmlElement[] = [];
  for (const comment of comments === null ? [] : descendants(comments, 'cm')) {
    blocks.push(...block(comment, names));
    const replies = childOf(comment, 'replyLst');
    for (const reply of replies === null ? [] : elementsOf(replies)) blocks.push(...block(reply, names));
  }
  return blocks;
}

function block(comment: XmlElement, names: ReadonlyMap<string, string>): HtmlElement[] {
  const text = (textOf(childOf(comment, 'text')) || plainText(childOf(comment, 'txBody'))).trim();
  const author = names.get(attributeOf(comment, 'authorId') ?? '') ?? '';
  const said = author === '' ? text : `${author}: ${text}`;
  return text === '' ? [] : [element('blockquote', [element('p', [element('strong', ['Comment']), ` ${said}`])])];
}
