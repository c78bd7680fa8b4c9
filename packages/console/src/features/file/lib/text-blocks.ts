// The paragraphs of a text as they are shown, with their place in the markdown (ui/safe-markdown.ts).
import type { Span } from './spans.js';

export const blocksOf = (place: HTMLElement): HTMLElement[] => [
  ...place.querySelectorAll<HTMLElement>(':scope > [data-start]'),
];

export const spanOf = ({ dataset }: HTMLElement): Span => ({
  start: Number(dataset['start']),
  end: Number(dataset['end']),
});

/** The paragraphs that the selection touches. Null if it is empty or elsewhere. */
export function selectedSpan(place: HTMLElement, selection: Selection | null): Span | null {
  if (!selection || selection.isCollapsed || !place.contains(selection.anchorNode)) return null;
  const spans = blocksOf(place)
    .filter((block) => selection.containsNode(block, true))
    .map(spanOf);
  const [first, last] = [spans[0], spans.at(-1)];
  return first && last ? { start: first.start, end: last.end } : null;
}

/** The first paragraph that reaches below the line. Null if none does. */
export const blockAt = (place: HTMLElement, line: number): HTMLElement | null =>
  blocksOf(place).find((block) => block.getBoundingClientRect().bottom > line) ?? null;
