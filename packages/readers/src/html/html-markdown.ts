/** Markdown within the elements of a document. Markup cannot contain an element of this name, so only Kiln can have written it. */
import { attribute, type HtmlElement } from './html-node.js';
import type { RenderContext } from './render-context.js';

export const markdownName = '#markdown';

export function renderMarkdown(element: HtmlElement, { writer }: RenderContext): void {
  const text = (attribute(element, 'text') ?? '').trim();
  if (text !== '') writer.finished(text);
}
