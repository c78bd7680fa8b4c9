import { useEffect, useLayoutEffect, useRef } from 'react';
import '../../../ui/markdown.css';
import { safeMarkdown } from '../../../ui/safe-markdown.js';
import { useTextEvents } from '../hooks/use-text-events.js';
import { overlap, type Span } from '../lib/spans.js';
import { blocksOf, spanOf } from '../lib/text-blocks.js';

interface RenderedMarkdownProps {
  markdown: string;
  /** The part that is lit, and scrolled to. */
  lit: Span | null;
  /** The part that is scrolled to the top. */
  shown: Span | null;
  /** With the paragraphs that the selection touches; null without a selection. */
  onSelect: (span: Span | null) => void;
  /** The user scrolls to the paragraph that begins at this offset. */
  onRead: (offset: number) => void;
}

export function RenderedMarkdown({ markdown, lit, shown, onSelect, onRead }: RenderedMarkdownProps) {
  const place = useRef<HTMLDivElement>(null);
  const stopReading = useTextEvents(place, onSelect, onRead);
  useLayoutEffect(() => place.current?.replaceChildren(safeMarkdown(markdown)), [markdown]);
  const [start, end] = [lit?.start ?? -1, lit?.end ?? -1];
  useEffect(() => {
    if (!place.current) return;
    const blocks = blocksOf(place.current).filter((block) => overlap(spanOf(block), { start, end }));
    for (const block of blocks) block.dataset['lit'] = 'true';
    stopReading();
    blocks[0]?.scrollIntoView({ block: 'nearest' });
    return () => blocks.forEach((block) => delete block.dataset['lit']);
  }, [start, end, markdown, stopReading]);
  useEffect(() => {
    if (!shown || !place.current) return;
    stopReading();
    const block = blocksOf(place.current).find((one) => spanOf(one).end > shown.start);
    block?.scrollIntoView({ block: 'start' });
  }, [shown, stopReading]);
  return <div ref={place} className="markdown card" tabIndex={0} role="region" aria-label="Text" />;
}
