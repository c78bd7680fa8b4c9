import { useState } from 'preact/hooks';
import { useConnection } from '../../api/portal-context.js';
import { loadPermitted } from '../../api/use-loaded.js';
import { Icon } from '../../ui/icon.js';

/** Downloads the file as it was added. */
export function DownloadButton({ fileId }: { fileId: string }) {
  const { portal, session } = useConnection();
  const [state, setState] = useState<'ready' | 'loading' | 'failed'>('ready');
  const download = async () => {
    setState('loading');
    try {
      const { url } = await loadPermitted(() => portal.downloadFile(fileId), session);
      // The response is an attachment, so this page stays.
      location.assign(url);
      setState('ready');
    } catch {
      setState('failed');
    }
  };
  return (
    <span class="download">
      <button
        type="button"
        class="button button-primary"
        disabled={state === 'loading'}
        onClick={() => void download()}
      >
        <Icon name="arrowDown" /> Download
      </button>
      <span role="status" class="download-failed">
        {state === 'failed' && 'The download did not start. Try again.'}
      </span>
    </span>
  );
}
