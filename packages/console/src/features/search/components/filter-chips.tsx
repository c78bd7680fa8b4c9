import { Icon } from '../../../ui/icon.js';
import type { SearchAddress } from '../lib/search-address.js';

interface FilterChipsProps {
  address: SearchAddress;
  onRemove: (name: 'space' | 'type' | 'meta') => void;
}

/** The filters that apply. Answers are filtered by space only. */
export function FilterChips({ address, onRemove }: FilterChipsProps) {
  const names = address.view === 'ask' ? (['space'] as const) : (['space', 'type', 'meta'] as const);
  return names
    .filter((name) => address[name] !== undefined)
    .map((name) => (
      <button
        key={name}
        type="button"
        className="tag tag-set"
        aria-label={`Remove the filter ${address[name] ?? ''}`}
        onClick={() => onRemove(name)}
      >
        {address[name]} <Icon name="close" />
      </button>
    ));
}
