import type { HtmlElement } from './html-node.js';
import type { MarkdownWriter } from './markdown-writer.js';

/** Quotes and lists deeper than this are written at this depth: each level makes every line longer. */
const indentsMax = 16;

/** Where in a page the walk is, and how it goes on. */
export interface RenderContext {
  writer: MarkdownWriter;
  renderChildren: Renderer;
  renderElement: Renderer;
  /** Indented blocks around: lists and quotes. */
  indents: number;
  /** Whether the nearest of them is a list. */
  isInList: boolean;
  isInCell: boolean;
  isInLink: boolean;
}

export type Renderer = (element: HtmlElement, context: RenderContext) => void;

/** Content as a block that is indented, or as it is where indents have become too deep. */
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
