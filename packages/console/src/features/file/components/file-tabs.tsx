import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useLitChunks } from '../hooks/use-lit-chunks.js';
import { addressOf, tabNames, tabs, type FileAddress, type Tab } from '../lib/file-address.js';
import { chunkAt, chunkOnPage, type Span } from '../lib/spans.js';
import '../../../ui/tabs.css';
import { hasPages } from '../../../ui/pages.js';
import type { Chunk, FileDetail } from '../queries.js';
import { ChunksPanel } from './chunks-panel.js';
import { FilePages } from './file-pages.js';
import { MetadataPanel } from './metadata-panel.js';
import { TextPanel } from './text-panel.js';
import { TimelinePanel } from './timeline-panel.js';
import { VariantsPanel } from './variants-panel.js';

interface FileTabsProps {
  file: FileDetail;
  address: FileAddress;
  onChange: (part: Partial<FileAddress>) => void;
}

/** One part of the file, beside its pages if it has any. The selected chunk is lit on them. */
export function FileTabs({ file, address, onChange }: FileTabsProps) {
  const { tab = 'text', page = 1 } = address;
  const isBesidePages = hasPages(file) && (tab === 'text' || tab === 'chunks');
  const { chunks, lit, span, select } = useLitChunks(file.id, {
    chosen: address.chunk,
    isText: tab === 'text',
    isBesidePages,
  });
  const choose = ({ index }: Chunk) => {
    getSelection()?.removeAllRanges();
    onChange({ chunk: index });
  };
  const [shown, show] = useState<Span | null>(null);
  const readPage = (next: number) => {
    show(chunkOnPage(chunks, next) ?? null);
    onChange({ page: next });
  };
  const read = (offset: number) => {
    const at = chunkAt(chunks, offset)?.page ?? page;
    if (isBesidePages && at !== page) onChange({ page: at });
  };
  return (
    <>
      <nav className="tabs" aria-label="Parts of the file">
        {tabs.map((one) => (
          <Link
            key={one}
            to="/files/$fileId"
            params={{ fileId: file.id }}
            search={addressOf({ tab: one, page, chunk: address.chunk })}
            replace
            activeOptions={{ exact: true }}
          >
            {tabNames[one]}
          </Link>
        ))}
      </nav>
      <div className="file-body" data-with-pages={isBesidePages}>
        {tab === 'text' ? (
          <TextPanel file={file} lit={span} shown={shown} onSelect={select} onRead={read} />
        ) : (
          <Panel tab={tab} file={file} address={address} onChange={onChange} />
        )}
        {isBesidePages && (
          <FilePages
            key={file.id}
            file={file}
            page={page}
            chunks={chunks}
            lit={lit}
            onChunk={choose}
            onPage={readPage}
          />
        )}
      </div>
    </>
  );
}

function Panel({ tab, file, address, onChange }: FileTabsProps & { tab: Exclude<Tab, 'text'> }) {
  const select = ({ index, page, regions }: Chunk) =>
    onChange({ chunk: index, page: regions[0]?.page ?? page ?? address.page ?? 1 });
  if (tab === 'chunks') return <ChunksPanel file={file} selected={address.chunk} onSelect={select} />;
  if (tab === 'variants') return <VariantsPanel file={file} />;
  if (tab === 'timeline') return <TimelinePanel file={file} />;
  return <MetadataPanel key={file.id} file={file} />;
}
