import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { errorText } from '../../../api/error-text.js';
import { useConnection } from '../../../api/kiln-context.js';
import { onSessionEnd } from '../../../api/session.js';
import { plural } from '../../../ui/formats.js';
import { showToast } from '../../../ui/toasts.js';
import { runBulk, type BulkAction, type BulkProgress, type FileRow } from '../lib/bulk.js';
import { queryOf, type FilesSearch } from '../lib/files-search.js';
import type { Selection } from '../lib/selection.js';
import { filesKeys, PAGE_ROWS } from '../queries.js';

export interface RunningBulk extends BulkProgress {
  action: BulkAction;
  stop: () => void;
}

interface Chosen {
  selection: Selection;
  rows: readonly FileRow[];
  search: FilesSearch;
}

const past = { delete: 'deleted', reprocess: 'queued', retry: 'retried', cancel: 'cancelled' } as const;

/** Runs one action at a time for the selected files, also while other pages are shown, until the session ends. */
export function useBulk(onEnd: () => void) {
  const { kiln, session } = useConnection();
  const queryClient = useQueryClient();
  const [running, setRunning] = useState<RunningBulk | null>(null);
  const run = async (action: BulkAction, { selection, rows, search }: Chosen) => {
    const controller = new AbortController();
    const { signal } = controller;
    const stop = () => controller.abort();
    const forget = onSessionEnd(session, stop);
    const onProgress = (progress: BulkProgress) => setRunning({ ...progress, action, stop });
    onProgress({ done: 0, total: null, failed: [] });
    try {
      const chosen = selection.isAll
        ? await kiln.files.list({ ...queryOf(search), limit: PAGE_ROWS }, { signal }).all({ limit: ALL_MAX })
        : rows.filter(({ id }) => selection.ids.has(id));
      const { done, failed } = await runBulk(kiln, action, chosen, { signal, onProgress });
      showToast(`${plural(done - failed.length, 'file')} ${past[action]}.`);
      const [first] = failed;
      if (first) showToast(`${plural(failed.length, 'file')} not ${past[action]}. ${first.message}`, 'failed');
    } catch (error) {
      if (signal.aborted) showToast('Stopped. What was done stays done.');
      else showToast(errorText(error).detail, 'failed');
    }
    forget();
    setRunning(null);
    onEnd();
    // Loaded from the first page on: to load again as many pages as were open would take long.
    await queryClient.resetQueries({ queryKey: filesKeys.all });
  };
  return { running, run: (action: BulkAction, chosen: Chosen) => void run(action, chosen) };
}

const ALL_MAX = 100_000;
