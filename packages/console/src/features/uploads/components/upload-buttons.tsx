import { useRef, type ChangeEvent } from 'react';
import { Button } from '../../../ui/button.js';
import { chosenFiles } from '../lib/dropped-files.js';
import { useUploads } from './uploads-provider.js';

/** Chooses files, or a folder with everything in it. */
export function UploadButtons({ space = null }: { space?: string | null }) {
  const queue = useUploads();
  const files = useRef<HTMLInputElement>(null);
  const folder = useRef<HTMLInputElement>(null);
  const choose = ({ target }: ChangeEvent<HTMLInputElement>) => {
    queue.add(chosenFiles(target.files ?? []), space);
    // The same files can be chosen again.
    target.value = '';
  };
  return (
    <>
      <Button kind="primary" icon="upload" onClick={() => files.current?.click()}>
        Upload files
      </Button>
      <Button icon="folder" onClick={() => folder.current?.click()}>
        Upload a folder
      </Button>
      <input ref={files} type="file" multiple hidden aria-label="Files to upload" onChange={choose} />
      <input ref={folder} type="file" webkitdirectory="" hidden aria-label="Folder to upload" onChange={choose} />
    </>
  );
}
