import { useCallback, useEffect, useRef, type RefObject } from 'react';

interface Goal {
  page: number;
  /** The share of the page that is above. */
  y?: number;
}

/** Where in the box the page counts that is read: a share of the height. */
const READ_AT = 0.4;
const GOAL_AT = 0.25;

/** Keeps the page of the address and the scrolled box together. What was scrolled to stays in place until the user scrolls. */
export function usePageScroll(box: RefObject<HTMLElement | null>, page: number, onPage: (page: number) => void) {
  const goal = useRef<Goal | null>(null);
  const shown = useRef(1);
  /** Pages that the user scrolled past. The address follows later, and may name them while another is read. */
  const reported = useRef(new Set<number>());
  const toGoal = useCallback(() => {
    const place = goal.current && box.current?.querySelector(`[data-page="${goal.current.page}"]`);
    if (!place || !box.current || !goal.current) return;
    const { top, height } = place.getBoundingClientRect();
    const { y } = goal.current;
    const offset = y === undefined ? 0 : y * height - GOAL_AT * box.current.clientHeight;
    box.current.scrollTop += top + offset - box.current.getBoundingClientRect().top;
  }, [box]);
  const scrollTo = useCallback(
    (next: Goal) => {
      goal.current = next;
      shown.current = next.page;
      toGoal();
    },
    [toGoal],
  );
  useEffect(() => {
    if (page === shown.current) reported.current.clear();
    else if (!reported.current.has(page)) scrollTo({ page });
  }, [page, scrollTo]);
  const onScroll = () => {
    const read = box.current && readPage(box.current);
    if (goal.current || read === null || read === shown.current) return;
    shown.current = read;
    reported.current.add(read);
    onPage(read);
  };
  const onUser = () => {
    goal.current = null;
  };
  return { scrollTo, onScroll, onUser, onShown: toGoal };
}

function readPage(box: HTMLElement): number | null {
  const line = box.getBoundingClientRect().top + READ_AT * box.clientHeight;
  const pages = [...box.querySelectorAll<HTMLElement>('[data-page]')];
  const read = pages.find((place) => place.getBoundingClientRect().bottom >= line);
  return read ? Number(read.dataset['page']) : null;
}
