import { Button } from '../../../ui/button.js';
import { useTyped } from '../../../ui/use-typed.js';
import type { SearchView } from '../lib/search-address.js';

interface SearchBarProps {
  value: string;
  view: SearchView;
  onChange: (value: string) => void;
  /** Asks again, also with the same text. */
  onAsk: () => void;
}

/** Searches when the user pauses, and asks when the user presses Enter: an answer costs more than a search. */
export function SearchBar({ value, view, onChange, onAsk }: SearchBarProps) {
  const isQuestion = view === 'ask';
  const [typed, setTyped] = useTyped(value, (text) => {
    if (!isQuestion) onChange(text);
  });
  return (
    <form
      className="search-bar"
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        onChange(typed.trim());
        if (isQuestion) onAsk();
      }}
    >
      <input
        type="search"
        data-page-search
        aria-label={isQuestion ? 'Question' : 'Search'}
        placeholder={isQuestion ? 'Ask a question, then press Enter' : 'Search the content of files  /'}
        maxLength={2_000}
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
      />
      {isQuestion && (
        <Button type="submit" kind="primary" icon="search" disabled={typed.trim() === ''}>
          Ask
        </Button>
      )}
    </form>
  );
}
