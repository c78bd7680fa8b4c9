import { createDocument } from '@mixmark-io/domino';

/** Never shown to a reader, or useless without a browser. */
const invisible =
  'script, style, template, noscript, iframe, object, embed, svg, canvas, audio, video, map, head link, dialog, [hidden], [aria-hidden="true"], select, datalist, textarea, button, input:not([type="checkbox"])';
const hiddenStyle = /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)/i;

/** Parses as a browser would (never throws on bad markup) and takes out what no reader sees. Scripts are not run. */
export function parseHtml(html: string): Document {
  const document = createDocument(html);
  removeAll(document.querySelectorAll(invisible), (element) => !holdsMath(element));
  removeAll(document.querySelectorAll('[style]'), (element) => hiddenStyle.test(element.getAttribute('style') ?? ''));
  return document;
}

function removeAll(elements: Iterable<Element>, unless: (element: Element) => boolean): void {
  for (const element of Array.from(elements)) if (unless(element)) element.parentNode?.removeChild(element);
}

/** Pages hide the text of a formula behind its picture; that text is what we want. */
function holdsMath(element: Element): boolean {
  return element.querySelectorAll('math').length > 0;
}
