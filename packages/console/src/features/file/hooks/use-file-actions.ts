import { useMutation, useQueryClient } from '@tanstack/react-query';
import { errorText } from '../../../api/error-text.js';
import { useKiln } from '../../../api/kiln-context.js';
import { showToast } from '../../../ui/toasts.js';
import type { VariantType } from '../lib/variant-names.js';
import { fileKeys, type FileDetail } from '../queries.js';

/** The actions on a file. Each action shows its outcome in a toast. */
export function useFileActions(file: Pick<FileDetail, 'id' | 'job_id' | 'filename'>, onDeleted: () => void) {
  const kiln = useKiln();
  const queryClient = useQueryClient();
  const { id, job_id: jobId } = file;
  const onError = (error: unknown) => showToast(errorText(error).detail, 'failed');
  const done = async (text: string) => {
    showToast(text);
    await queryClient.invalidateQueries({ queryKey: fileKeys.one(id) });
  };
  const reprocess = useMutation({
    mutationFn: (variants: VariantType[]) => kiln.files.process(id, variants.length > 0 ? { variants } : {}),
    onSuccess: () => done('The file is queued.'),
    onError,
  });
  const retry = useMutation({
    mutationFn: async () => (jobId === null ? null : kiln.jobs.retry(jobId)),
    onSuccess: () => done('The job is queued again.'),
    onError,
  });
  const cancel = useMutation({
    mutationFn: async () => (jobId === null ? null : kiln.jobs.cancel(jobId)),
    onSuccess: () => done('The job is cancelled.'),
    onError,
  });
  const download = useMutation({
    mutationFn: () => kiln.files.download(id),
    // The response is an attachment, so this page stays.
    onSuccess: ({ url }) => location.assign(url),
    onError,
  });
  const remove = useMutation({
    mutationFn: () => kiln.files.delete(id),
    onSuccess: () => {
      showToast(`${file.filename} is deleted.`);
      onDeleted();
    },
    onError,
  });
  return { reprocess, retry, cancel, download, remove };
}
