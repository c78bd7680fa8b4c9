// Rows of which only the visible ones exist, so that ten thousand scroll like ten. Arrow keys move between them.
import { useVirtualizer } from '@tanstack/react-virtual';
import { useLayoutEffect, useRef, type KeyboardEvent } from 'react';

export const ROW_HEIGHT = 36;

interface VirtualRowsOptions {
  count: number;
  keyOf: (index: number) => string | undefined;
  /** Of a head that scrolls with the rows, and stays on top. */
  headHeight: number;
}

export function useVirtualRows({ count, keyOf, headHeight }: VirtualRowsOptions) {
  const scroll = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count,
    getScrollElement: () => scroll.current,
    estimateSize: () => ROW_HEIGHT,
    getItemKey: (index) => keyOf(index) ?? index,
    overscan: 16,
    scrollMargin: headHeight,
    scrollPaddingStart: headHeight,
  });
  const wanted = useRef<{ index: number; at: number } | null>(null);
  const focusWanted = () => {
    const row = wanted.current && scroll.current?.querySelector(`[data-index="${wanted.current.index}"]`);
    if (!row) return;
    controlsOf(row)[wanted.current?.at ?? 0]?.focus();
    wanted.current = null;
  };
  // A row exists only after it was rendered, which may take several frames.
  useLayoutEffect(focusWanted);
  /** `at` is the place of the control in its row. */
  const focusRow = (index: number, at: number) => {
    wanted.current = { index, at };
    virtual.scrollToIndex(index);
    focusWanted();
  };
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 15, PageUp: -15 }[event.key];
    const row = event.target instanceof HTMLElement ? event.target.closest<HTMLElement>('[data-index]') : null;
    if (step === undefined || !row) return;
    event.preventDefault();
    const next = Math.min(count - 1, Math.max(0, Number(row.dataset['index']) + step));
    focusRow(next, controlsOf(row).indexOf(event.target as HTMLElement));
  };
  return { scroll, virtual, items: virtual.getVirtualItems(), onKeyDown };
}

const controlsOf = (row: Element | null | undefined): HTMLElement[] =>
  row ? [...row.querySelectorAll<HTMLElement>('a, button, input')] : [];
