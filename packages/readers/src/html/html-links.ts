import { cleanText } from '@kiln/pdf/clean-text';
import { escapeInline } from '@kiln/pdf/markdown/escape-markdown';
import { linkTarget } from '@kiln/pdf/markdown/link-target';
import { attribute, type HtmlElement } from './html-node.js';
import type { RenderContext } from './render-context.js';

/** A link that contains blocks, stays within the page, or has a forbidden scheme becomes its text. */
export function renderLink(element: HtmlElement, context: RenderContext): void {
  const address = attribute(element, 'href') ?? '';
  const target = address.trim().startsWith('#') || element.holdsBlock ? null : linkTarget(address);
  if (target === null || context.isInLink) return context.renderChildren(element, context);
  context.writer.open('[');
  context.renderChildren(element, { ...context, isInLink: true });
  context.writer.close('[', `](${target})`);
}

/** An image that is inlined as data becomes its description, because the data can be larger than the text. */
export function renderImage(element: HtmlElement, { writer, isInCell }: RenderContext): void {
  const description = attribute(element, 'alt') ?? '';
  const source = linkTarget(attribute(element, 'src') ?? '');
  // Without the spaces, the description would join the text beside it.
  if (source === null) return writer.text(description.trim() === '' ? '' : ` ${description} `);
  const text = escapeInline(cleanText(description).replace(/\s+/g, ' ').trim());
  writer.markup(`![${isInCell ? text.replaceAll('|', '\\|') : text}](${source})`);
}
