import { useMutation } from '@tanstack/react-query';
import { errorText } from '../../../api/error-text.js';
import { watchedFetch } from '../../../api/connectivity.js';
import { Icon } from '../../../ui/icon.js';
import { showToast } from '../../../ui/toasts.js';
import { useUploads } from './uploads-provider.js';

/** Made for this button by scripts/make-samples.mjs. */
const names = ['firing-guide.md', 'supply-contract.pdf', 'glaze-stock.csv', 'safety-notice.html', 'firing-curve.png'];
export const SAMPLES_SPACE = 'samples';

async function loadSample(name: string) {
  const response = await watchedFetch(`/console/samples/${name}`);
  if (!response.ok) throw new Error(`The sample ${name} is missing from the console.`);
  return { blob: await response.blob(), name, path: name };
}

export function SamplesButton() {
  const queue = useUploads();
  const loading = useMutation({
    mutationFn: () => Promise.all(names.map(loadSample)),
    onSuccess: (files) => queue.add(files, SAMPLES_SPACE),
    onError: (error) => showToast(errorText(error).detail, 'failed'),
  });
  return (
    <button type="button" className="button" disabled={loading.isPending} onClick={() => loading.mutate()}>
      <Icon name="files" /> Load samples
    </button>
  );
}
