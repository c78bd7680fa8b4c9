import { useQueryClient } from '@tanstack/react-query';
import { errorText } from '../../../api/error-text.js';
import { useConnection } from '../../../api/kiln-context.js';
import { onSessionEnd } from '../../../api/session.js';
import { Store } from '../../../api/store.js';
import { useStore } from '../../../api/use-store.js';
import { plural } from '../../../ui/formats.js';
import { showToast } from '../../../ui/toasts.js';
import {
  ACTION_MAX,
  pastTense,
  runBulk,
  summaryOf,
  type BulkAction,
  type BulkProgress,
  type FileRow,
} from '../lib/bulk.js';
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

/** Outside of the component, so that the list shows it again when the user comes back. */
const runningBulk = new Store<RunningBulk | null>(null);

/** Runs one action at a time for the selected files, also while other pages are shown, until the session ends. */
export function useBulk() {
  const { kiln, session } = useConnection();
  const queryClient = useQueryClient();
  const running = useStore(runningBulk);
  const run = async (action: BulkAction, { selection, rows, search }: Chosen) => {
    const controller = new AbortController();
    const { signal } = controller;
    const stop = () => controller.abort();
    const forget = onSessionEnd(session, stop);
    const onProgress = (progress: BulkProgress) => runningBulk.set({ ...progress, action, stop });
    onProgress({ done: 0, total: null, failed: [] });
    try {
      const chosen = selection.isAll
        ? await kiln.files.list({ ...queryOf(search), limit: PAGE_ROWS }, { signal }).all({ limit: ACTION_MAX })
        : rows.filter(({ id }) => selection.ids.has(id));
      const { done, failed } = await runBulk(kiln, action, chosen, { signal, onProgress });
      showToast(summaryOf(action, done - failed.length, chosen.length));
      const [first] = failed;
      if (first) showToast(`${plural(failed.length, 'file')} not ${pastTense[action]}. ${first.message}`, 'failed');
    } catch (error) {
      if (signal.aborted) showToast('Stopped. What was done stays done.');
      else showToast(errorText(error).detail, 'failed');
    }
    forget();
    runningBulk.set(null);
    // Loaded from the first page on: to load again as many pages as were open would take long.
    await queryClient.resetQueries({ queryKey: filesKeys.all });
  };
  return { running, run: (action: BulkAction, chosen: Chosen) => void run(action, chosen) };
}
