// Icons of 16 by 16, drawn for the console with lines of 1.5.
const paths = {
  alert: 'M8 2 1.8 13.2h12.4L8 2ZM8 6.5v3.2M8 11.4v.1',
  arrowDown: 'M8 3v10M4 9l4 4 4-4',
  arrowUp: 'M8 13V3M4 7l4-4 4 4',
  bucket: 'M2 4c0-1.1 2.7-2 6-2s6 .9 6 2-2.7 2-6 2-6-.9-6-2ZM2 4l1.3 8.5c.2.9 2.2 1.6 4.7 1.6s4.5-.7 4.7-1.6L14 4',
  chart: 'M2 2v12h12M5 11V8M8.5 11V5M12 11V7',
  check: 'm3 8.5 3.2 3L13 4.5',
  chevron: 'm6 4 4 4-4 4',
  close: 'm4 4 8 8M12 4l-8 8',
  copy: 'M5.5 5.5h7v8h-7zM3.5 10.5v-8h7',
  download: 'M8 2.5v8M4.5 7 8 10.5 11.5 7M2.5 10.5v3.3h11v-3.3',
  file: 'M4 1.8h5L12.5 5.3v8.9H4zM9 1.8v3.6h3.5',
  files: 'M5.5 1.8h4.3L13 5v7.2H5.5zM3 4.5v9.7h7.3',
  folder: 'M1.8 3.5h4.4l1.5 1.8h6.5v7.9H1.8z',
  help: 'M6 6a2 2 0 1 1 2.8 1.9c-.6.3-.8.7-.8 1.4M8 11.6v.1M8 1.8a6.2 6.2 0 1 1 0 12.4A6.2 6.2 0 0 1 8 1.8Z',
  home: 'M2 7.5 8 2.2l6 5.3M3.8 6.3v7.5h8.4V6.3',
  key: 'M10 2.5a3.5 3.5 0 1 1-3.3 4.7L2.5 11.4v2.1H5l.5-1.5H7l.5-1.5 1.4-1.4',
  list: 'M5.5 4h8.5M5.5 8h8.5M5.5 12h8.5M2 4h.1M2 8h.1M2 12h.1',
  menu: 'M2 4.5h12M2 8h12M2 11.5h12',
  pause: 'M5.5 3.5v9M10.5 3.5v9',
  play: 'm5 3 7.5 5L5 13z',
  edit: 'M3 13h2.2l7.6-7.6-2.2-2.2L3 10.8zM9 4.8 11.2 7',
  refresh: 'M13.2 6.5A5.5 5.5 0 1 0 13.5 9M13.5 2.8v3.7H9.8',
  search: 'M7 2.5a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9ZM10.3 10.3 14 14',
  settings:
    'M2 5h6M11 5h3M2 11h3M8 11h6M11 5a1.5 1.5 0 1 1-3 0 1.5 1.5 0 0 1 3 0ZM8 11a1.5 1.5 0 1 1-3 0 1.5 1.5 0 0 1 3 0Z',
  signOut: 'M6.5 2.2H3v11.6h3.5M6.5 8h7M10.5 5l3 3-3 3',
  send: 'M14 2 7 9M14 2 9.5 14 7 9 2 6.5z',
  stop: 'M4 4h8v8H4z',
  terminal: 'm3 4 4 4-4 4M8.5 12.5H13',
  theme: 'M8 1.8a6.2 6.2 0 1 0 0 12.4zM8 1.8a6.2 6.2 0 0 1 0 12.4',
  trash: 'M2.5 4.2h11M6 4V2.2h4V4M4 4.2l.7 9.6h6.6l.7-9.6',
  upload: 'M8 10.5v-8M4.5 5.5 8 2l3.5 3.5M2.5 10.5v3.3h11v-3.3',
  webhook: 'M8 6.5a2.5 2.5 0 1 0-2-1l-2.2 4M5.5 12A2.5 2.5 0 1 1 3 9.5M6 12h4.5M8 4l2.4 5.2M10.5 12a2.5 2.5 0 1 0 .5-2',
} as const;

export type IconName = keyof typeof paths;

/** Always beside a text, or in a button with a name. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg className="icon" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
      <path d={paths[name]} />
    </svg>
  );
}
