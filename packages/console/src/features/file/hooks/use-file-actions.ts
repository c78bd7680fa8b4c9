import { useAction } from '../../../ui/use-action.js';
import type { VariantType } from '../../../ui/variants.js';
import { fileKeys, type FileDetail } from '../queries.js';

/** The actions on a file. Each action shows its outcome in a toast. */
export function useFileActions(file: Pick<FileDetail, 'id' | 'job_id' | 'filename'>, onDeleted: () => void) {
  const { id, job_id: jobId } = file;
  const shared = { refresh: fileKeys.one(id), isFailureShown: true };
  const reprocess = useAction({
    run: (kiln, variants: VariantType[]) => kiln.files.process(id, variants.length > 0 ? { variants } : {}),
    done: 'The file is queued.',
    ...shared,
  });
  const retry = useAction({
    run: async (kiln) => (jobId === null ? null : kiln.jobs.retry(jobId)),
    done: 'The job is queued again.',
    ...shared,
  });
  const cancel = useAction({
    run: async (kiln) => (jobId === null ? null : kiln.jobs.cancel(jobId)),
    done: 'The job is cancelled.',
    ...shared,
  });
  const download = useAction({
    run: (kiln) => kiln.files.download(id),
    // The response is an attachment, so this page stays.
    onDone: ({ url }) => location.assign(url),
    isFailureShown: true,
  });
  const remove = useAction({
    run: (kiln) => kiln.files.delete(id),
    done: `${file.filename} is deleted.`,
    onDone: onDeleted,
    isFailureShown: true,
  });
  return { reprocess, retry, cancel, download, remove };
}
