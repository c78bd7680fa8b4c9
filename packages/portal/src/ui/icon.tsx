// Icons of 16 by 16, with lines of 1.5.
const paths = {
  alert: 'M8 2 1.8 13.2h12.4L8 2ZM8 6.5v3.2M8 11.4v.1',
  arrowDown: 'M8 2.5v8M4.5 7 8 10.5 11.5 7M2.5 10.5v3.3h11v-3.3',
  back: 'M10 4 6 8l4 4',
  chat: 'M2 3h12v8H8l-3.5 3v-3H2z',
  clock: 'M8 1.8a6.2 6.2 0 1 1 0 12.4A6.2 6.2 0 0 1 8 1.8ZM8 4.5V8l2.5 1.8',
  close: 'm4 4 8 8M12 4l-8 8',
  file: 'M4 1.8h5L12.5 5.3v8.9H4zM9 1.8v3.6h3.5',
  lock: 'M3.5 7h9v6.5h-9zM5.5 7V5a2.5 2.5 0 0 1 5 0v2',
  next: 'm6 4 4 4-4 4',
  refresh: 'M13.2 6.5A5.5 5.5 0 1 0 13.5 9M13.5 2.8v3.7H9.8',
  search: 'M7 2.5a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9ZM10.3 10.3 14 14',
} as const;

export type IconName = keyof typeof paths;

/** Always beside a text, or in a button with a name. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
      <path d={paths[name]} />
    </svg>
  );
}
