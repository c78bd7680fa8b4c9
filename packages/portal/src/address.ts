// The address of a view: the fragment of the page's address, which browsers never send. It may also bring a token and a theme, which are taken out of it.
export type Address =
  | { view: 'files' }
  | { view: 'file'; id: string; page: number }
  | { view: 'search'; q: string }
  | { view: 'ask' };

export type Theme = 'light' | 'dark';

interface Fragment {
  address: Address;
  token: string | null;
  /** Null for the theme of the system. */
  theme: Theme | null;
}

const FILE_ID = /^file_[0-7][0-9a-hjkmnp-tv-z]{25}$/;

/** Ignores what it does not know: addresses are typed and shared. */
export function readFragment(hash: string): Fragment {
  const values = new URLSearchParams(hash.replace(/^#/, ''));
  const theme = values.get('theme');
  return {
    address: addressOf(values),
    token: values.get('token'),
    theme: theme === 'light' || theme === 'dark' ? theme : null,
  };
}

function addressOf(values: URLSearchParams): Address {
  const view = values.get('view');
  const id = values.get('id') ?? '';
  if (view === 'file' && FILE_ID.test(id)) return { view, id, page: pageOf(values.get('page')) };
  if (view === 'search') return { view, q: (values.get('q') ?? '').trim() };
  return { view: view === 'ask' ? 'ask' : 'files' };
}

function pageOf(text: string | null): number {
  const page = Number(text ?? 1);
  return Number.isSafeInteger(page) && page > 0 ? page : 1;
}

/** With `#`, as the `href` of a link. */
export function hrefOf(address: Address): string {
  const values = new URLSearchParams({ view: address.view });
  if (address.view === 'file') {
    values.set('id', address.id);
    if (address.page > 1) values.set('page', String(address.page));
  }
  if (address.view === 'search' && address.q !== '') values.set('q', address.q);
  return `#${values.toString()}`;
}
