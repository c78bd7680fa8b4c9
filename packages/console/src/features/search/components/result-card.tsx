import type { Schemas } from '@kiln/sdk';
import { Link } from '@tanstack/react-router';
import { Icon } from '../../../ui/icon.js';
import type { Passage } from '../../../ui/passage.js';
import type { SearchAddress } from '../lib/search-address.js';
import { MarkedText } from './marked-text.js';

type Result = Schemas['SearchResponse']['results'][number];

interface ResultCardProps {
  result: Result;
  onOpen: (passage: Passage) => void;
  onFilter: (part: Partial<SearchAddress>) => void;
}

/** A passage with its place. Its space, type and metadata are filters. */
export function ResultCard({ result, onOpen, onFilter }: ResultCardProps) {
  const { file_id, filename = file_id, page = null, headings = [], score, space, content_type, metadata } = result;
  const { text, highlights = [], regions = [] } = result;
  return (
    <li className="result">
      <header>
        <Icon name="file" />
        <Link
          className="file-link"
          to="/files/$fileId"
          params={{ fileId: file_id }}
          search={page === null ? {} : { page }}
        >
          {filename}
        </Link>
        {page !== null && (
          <button
            type="button"
            className="text-button"
            onClick={() => onOpen({ fileId: file_id, filename, page, regions })}
          >
            Show page {page}
          </button>
        )}
        <span className="result-score muted" title="Comparable within these results">
          {score.toFixed(2)}
        </span>
      </header>
      {headings.length > 0 && <p className="result-headings muted">{headings.join(' › ')}</p>}
      <p className="result-text">
        <MarkedText text={text} ranges={highlights} />
      </p>
      <p className="result-tags">
        {space !== undefined && <Tag name="space" value={space} onClick={() => onFilter({ space })} />}
        {content_type != null && (
          <Tag name="type" value={content_type} onClick={() => onFilter({ type: content_type })} />
        )}
        {Object.entries(metadata ?? {}).map(([key, value]) => (
          <Tag key={key} name={key} value={value} onClick={() => onFilter({ meta: `${key}=${value}` })} />
        ))}
      </p>
    </li>
  );
}

function Tag({ name, value, onClick }: { name: string; value: string; onClick: () => void }) {
  return (
    <button type="button" className="tag" title={`Only results with ${name} ${value}`} onClick={onClick}>
      <span className="muted">{name}</span> {value}
    </button>
  );
}
