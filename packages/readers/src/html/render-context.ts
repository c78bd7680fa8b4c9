import type { HtmlElement } from './html-node.js';
import type { MarkdownWriter } from './markdown-writer.js';

/** Deeper quotes and lists are written at this depth, because each level makes every line longer. */
const indentsMax = 16;

/** The state of the walk through a page. */
export interface RenderContext {
  writer: MarkdownWriter;
  renderChildren: Renderer;
  renderElement: Renderer;
  /** The number of lists and quotes around the element. */
  indents: number;
  /** Whether the innermost of these lists and quotes is a list. */
  isInList: boolean;
  isInCell: boolean;
  isInLink: boolean;
}

export type Renderer = (element: HtmlElement, context: RenderContext) => void;

/** Writes content as an indented block, or without an indent below the maximum depth. */
export function renderIndented(
  text: string,
  marker: string | null,
  context: RenderContext,
  isInList: boolean,
  content: (inner: RenderContext) => void,
): void {
  const inner = { ...context, isInList, indents: context.indents + 1 };
  const isTooDeep = context.indents >= indentsMax;
  context.writer.indented(isTooDeep ? '' : text, isTooDeep ? null : marker, () => content(inner));
}
