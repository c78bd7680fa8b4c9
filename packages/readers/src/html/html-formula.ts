/** Formulas in LaTeX within the elements of a document. Markup cannot contain an element of this name, so only Kiln can have written it. */
import { mathFormula, type MathNode } from '../formula/mathml.js';
import { elementWith, type HtmlContent } from './build-html.js';
import { attribute, childrenOf, type HtmlElement } from './html-node.js';
import type { RenderContext } from './render-context.js';

export const formulaName = '#formula';

/** A displayed formula is a paragraph of its own, where paragraphs are possible. */
export function formulaElement(latex: string, isDisplayed: boolean): HtmlElement {
  return elementWith(formulaName, { latex, display: isDisplayed ? 'block' : null });
}

/** Displays the formulas of a paragraph that contains nothing else. */
export function displayed(content: readonly HtmlContent[]): readonly HtmlContent[] {
  if (!content.every((one) => (typeof one === 'string' ? one.trim() === '' : isFormula(one)))) return content;
  return content.map((one) =>
    typeof one !== 'string' && isFormula(one) ? formulaElement(attribute(one, 'latex') ?? '', true) : one,
  );
}

function isFormula(one: Exclude<HtmlContent, string>): one is HtmlElement {
  return one.kind === 'text' ? false : one.name === formulaName;
}

export function renderFormula(element: HtmlElement, { writer }: RenderContext): void {
  const latex = attribute(element, 'latex') ?? '';
  if (latex !== '') writer.formula(latex, attribute(element, 'display') === 'block');
}

export function renderMath(math: HtmlElement, { writer }: RenderContext): void {
  const latex = mathFormula(mathNode(math));
  if (latex !== '') writer.formula(latex, attribute(math, 'display') === 'block');
}

function mathNode({ name, attributes, ...element }: HtmlElement): MathNode {
  const children: (MathNode | string)[] = [];
  for (let child = element.first; child !== null; child = child.next)
    children.push(child.kind === 'text' ? child.text : mathNode(child));
  return { local: name, attributes, children };
}

/** The formula, if it is the only content of the blocks. */
export function onlyFormula(blocks: readonly HtmlElement[]): HtmlElement | null {
  const [block] = blocks;
  const inner = block?.first ?? null;
  const isOnly = blocks.length === 1 && inner !== null && inner.next === null;
  return isOnly && isFormula(inner) ? formulaElement(attribute(inner, 'latex') ?? '', false) : null;
}

/** Whether a formula is among the elements below. */
export function holdsFormula(element: HtmlElement): boolean {
  const open: HtmlElement[] = [element];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (next.name === formulaName || next.name === 'math') return true;
    for (const child of childrenOf(next)) if (child.kind === 'element') open.push(child);
  }
  return false;
}
