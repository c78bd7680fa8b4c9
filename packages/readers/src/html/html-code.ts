import { cleanText } from '@kiln/pdf/clean-text';
import { fencedBlock } from '@kiln/pdf/markdown/escape-markdown';
import { isInvisible } from './html-document.js';
import { attribute, childrenOf, elementsOf, type HtmlElement } from './html-node.js';
import type { RenderContext } from './render-context.js';

const languageClass = /(?:^|\s)(?:language-|lang-|highlight-source-|highlight-text-)([a-z0-9_+#.-]{1,40})(?=\s|$)/i;
const classCharacters = 1000;

/** `<pre>` becomes a fence, `<code>` a code span. */
export function renderCode(element: HtmlElement, { writer, isInCell }: RenderContext): void {
  if (element.name === 'code' && !element.holdsBlock) return writer.code(textOf(element));
  const code = cleanText(textOf(element)).replace(/^\n/, '');
  if (code.trim() === '') return writer.endBlock();
  if (!isInCell) return writer.finished(fencedBlock(code, languageOf(element)).trimEnd());
  writer.endBlock();
  for (const line of code.split('\n')) {
    writer.text(line);
    writer.endLine();
  }
}

function languageOf(element: HtmlElement): string {
  const [inner] = elementsOf(element);
  for (const candidate of [inner, element, element.parent]) {
    const name = candidate == null ? '' : (attribute(candidate, 'class') ?? '');
    const language = languageClass.exec(name.slice(0, classCharacters))?.[1];
    if (language !== undefined) return language;
  }
  return '';
}

function textOf(element: HtmlElement): string {
  let text = '';
  for (const child of childrenOf(element)) {
    if (child.kind === 'text') text += child.text;
    else if (child.name === 'br') text += '\n';
    else if (!isInvisible(child)) text += textOf(child);
  }
  return text;
}
