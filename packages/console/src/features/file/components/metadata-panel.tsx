import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { errorText } from '../../../api/error-text.js';
import { useMay } from '../../../api/me.js';
import { Button } from '../../../ui/button.js';
import { useAction } from '../../../ui/use-action.js';
import { changesOf, metadataOf, problemOf, rowsOf, type MetadataRow } from '../lib/metadata-rows.js';
import { fileKeys, type FileDetail } from '../queries.js';
import { FoundProperties } from './found-properties.js';
import { MetadataRows } from './metadata-rows.js';

/** What is typed, and the metadata as it was before: what others change meanwhile is kept. */
interface Draft {
  before: FileDetail['metadata'];
  rows: readonly MetadataRow[];
}

/** The metadata that users set, and the properties that were found in the document. Typed text stays until it is saved. */
export function MetadataPanel({ file }: { file: FileDetail }) {
  const queryClient = useQueryClient();
  const mayWrite = useMay('files:write');
  const [draft, setDraft] = useState<Draft | null>(null);
  const { before, rows } = draft ?? { before: file.metadata, rows: rowsOf(file.metadata) };
  const problem = problemOf(rows);
  const changes = changesOf(before, rows);
  const saving = useAction({
    run: (kiln, sent: Draft) => kiln.files.update(file.id, { metadata: changesOf(sent.before, sent.rows) ?? {} }),
    done: 'The metadata is saved.',
    onDone: (saved, sent) => {
      queryClient.setQueryData(fileKeys.summary(file.id), saved);
      // More may have been typed since it was sent.
      setDraft((now) => (now && now.rows !== sent.rows ? { ...now, before: metadataOf(sent.rows) } : null));
    },
  });
  return (
    <div className="file-metadata">
      <form
        className="card"
        aria-label="Metadata"
        onSubmit={(event) => {
          event.preventDefault();
          if (changes && problem === null && !saving.isPending) saving.mutate({ before, rows });
        }}
      >
        <header>
          <h2>Metadata</h2>
        </header>
        <MetadataRows rows={rows} mayWrite={mayWrite} onChange={(next) => setDraft({ before, rows: next })} />
        {(problem ?? saving.error) && (
          <p className="form-problem" role="alert">
            {problem ?? `Not saved. ${errorText(saving.error).detail}`}
          </p>
        )}
        {mayWrite && (
          <footer>
            <Button type="submit" kind="primary" disabled={!changes || problem !== null || saving.isPending}>
              Save
            </Button>
            {draft && (
              <Button
                onClick={() => {
                  setDraft(null);
                  saving.reset();
                }}
              >
                Discard the changes
              </Button>
            )}
          </footer>
        )}
      </form>
      <FoundProperties file={file} />
    </div>
  );
}
