import { useLayoutEffect, useRef } from 'react';
import { safeMarkdown } from '../../../ui/safe-markdown.js';

export function RenderedMarkdown({ markdown }: { markdown: string }) {
  const place = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => place.current?.replaceChildren(safeMarkdown(markdown)), [markdown]);
  return <div ref={place} className="markdown card" tabIndex={0} role="region" aria-label="Text" />;
}
