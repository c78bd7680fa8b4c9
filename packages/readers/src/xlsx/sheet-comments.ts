/** Comments on the cells of a sheet: notes, and the threads of newer programs. */
import { element } from '../html/build-html.js';
import type { HtmlElement } from '../html/html-node.js';
import { attributeOf, childOf, childrenNamed, descendants, textOf, type XmlElement } from '../xml/xml-tree.js';

const nameCharactersMax = 200;
/** Older programs show a thread as a note of this author. */
const threadAuthor = /^tc=\{/;

/** The names of people, by their ids. `persons` is the part with the people. */
export function namesOf(persons: XmlElement | null): Map<string, string> {
  return new Map(
    childrenNamed(persons, 'person').map((person) => [
      attributeOf(person, 'id') ?? '',
      attributeOf(person, 'displayName') ?? '',
    ]),
  );
}

export function noteItems(notes: XmlElement | null): HtmlElement[] {
  const authors = childrenNamed(childOf(notes, 'authors'), 'author').map(textOf);
  return (notes === null ? [] : [...descendants(notes, 'comment')]).flatMap((note) => {
    const author = authors[Number(attributeOf(note, 'authorId') ?? Number.NaN)] ?? '';
    return threadAuthor.test(author) ? [] : item(note, author);
  });
}

export function threadItems(threads: XmlElement | null, names: ReadonlyMap<string, string>): HtmlElement[] {
  return childrenNamed(threads, 'threadedComment').flatMap((comment) =>
    item(comment, names.get(attributeOf(comment, 'personId') ?? '') ?? ''),
  );
}

export function commentList(items: readonly HtmlElement[]): HtmlElement[] {
  return items.length === 0 ? [] : [element('p', [element('strong', ['Comments'])]), element('ul', items)];
}

function item(comment: XmlElement, author: string): HtmlElement[] {
  const text = oneLine(textOf(childOf(comment, 'text')));
  const place = [attributeOf(comment, 'ref') ?? '', oneLine(author).slice(0, nameCharactersMax)];
  return text === '' ? [] : [element('li', [`${place.filter((part) => part !== '').join(', ')}: ${text}`])];
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
