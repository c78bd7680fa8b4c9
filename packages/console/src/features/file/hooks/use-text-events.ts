import { useCallback, useEffect, useEffectEvent, useRef, type RefObject } from 'react';
import { blockAt, selectedSpan, spanOf } from '../lib/text-blocks.js';
import type { Span } from '../lib/spans.js';

/** Where in the window the text counts that is read: a share of the height. */
const READ_AT = 0.3;
const USER_EVENTS = ['wheel', 'touchmove', 'keydown'] as const;

/** Reports what is selected in the text, and what is read where the user scrolls, until `stopReading` is called. */
export function useTextEvents(
  place: RefObject<HTMLElement | null>,
  onSelect: (span: Span | null) => void,
  onRead: (offset: number) => void,
): () => void {
  const isUser = useRef(false);
  const frame = useRef(0);
  const select = useEffectEvent(() => {
    if (place.current) onSelect(selectedSpan(place.current, getSelection()));
  });
  const read = useEffectEvent(() => {
    const block = place.current && blockAt(place.current, READ_AT * innerHeight);
    if (block && isUser.current) onRead(spanOf(block).start);
  });
  useEffect(() => {
    const ended = new AbortController();
    const { signal } = ended;
    const isOutside = (target: EventTarget | null) => target instanceof Element && !target.contains(place.current);
    const inPages = (target: EventTarget | null) => target instanceof Element && target.closest('.file-pages') !== null;
    document.addEventListener('selectionchange', () => select(), { signal });
    for (const name of USER_EVENTS) {
      const onUser = ({ target }: Event) => {
        isUser.current = !inPages(target);
      };
      document.addEventListener(name, onUser, { signal, passive: true });
    }
    const onScroll = ({ target }: Event) => {
      if (isOutside(target)) return;
      cancelAnimationFrame(frame.current);
      frame.current = requestAnimationFrame(() => read());
    };
    document.addEventListener('scroll', onScroll, { signal, capture: true, passive: true });
    return () => {
      ended.abort();
      cancelAnimationFrame(frame.current);
    };
  }, [place]);
  return useCallback(() => {
    isUser.current = false;
  }, []);
}
