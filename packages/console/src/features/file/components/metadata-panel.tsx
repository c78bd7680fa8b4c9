import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { errorText } from '../../../api/error-text.js';
import { useMay } from '../../../api/me.js';
import { Button } from '../../../ui/button.js';
import { useAction } from '../../../ui/use-action.js';
import { changesOf, problemOf, rowsOf, type MetadataRow } from '../lib/metadata-rows.js';
import { fileKeys, type FileDetail } from '../queries.js';
import { FoundProperties } from './found-properties.js';
import { MetadataRows } from './metadata-rows.js';

/** The metadata that users set, and the properties that were found in the document. Typed text stays until it is saved. */
export function MetadataPanel({ file }: { file: FileDetail }) {
  const queryClient = useQueryClient();
  const mayWrite = useMay('files:write');
  const [draft, setDraft] = useState<readonly MetadataRow[] | null>(null);
  const rows = draft ?? rowsOf(file.metadata);
  const problem = problemOf(rows);
  const changes = changesOf(file.metadata, rows);
  const saving = useAction({
    run: (kiln, metadata: Record<string, string | null>) => kiln.files.update(file.id, { metadata }),
    done: 'The metadata is saved.',
    onDone: (saved) => {
      queryClient.setQueryData(fileKeys.summary(file.id), saved);
      setDraft(null);
    },
  });
  return (
    <div className="file-metadata">
      <form
        className="card"
        aria-label="Metadata"
        onSubmit={(event) => {
          event.preventDefault();
          if (changes && problem === null) saving.mutate(changes);
        }}
      >
        <header>
          <h2>Metadata</h2>
        </header>
        <MetadataRows rows={rows} mayWrite={mayWrite} onChange={setDraft} />
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
