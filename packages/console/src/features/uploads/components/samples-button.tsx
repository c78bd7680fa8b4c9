import { watchedFetch } from '../../../api/connectivity.js';
import { Button } from '../../../ui/button.js';
import { useAction } from '../../../ui/use-action.js';
import { useUploads } from './uploads-provider.js';

/** Made for this button by scripts/make-samples.mjs. */
const names = ['firing-guide.md', 'supply-contract.pdf', 'glaze-stock.csv', 'safety-notice.html', 'firing-curve.png'];

async function loadSample(name: string) {
  const response = await watchedFetch(`/console/samples/${name}`);
  if (!response.ok) throw new Error(`The sample ${name} is missing from the console.`);
  return { blob: await response.blob(), name, path: name };
}

export function SamplesButton() {
  const queue = useUploads();
  const loading = useAction({
    run: () => Promise.all(names.map(loadSample)),
    onDone: (files) => queue.add(files, 'samples'),
    isFailureShown: true,
  });
  return (
    <Button icon="files" disabled={loading.isPending} onClick={() => loading.mutate()}>
      Load samples
    </Button>
  );
}
