// The page of a file: its facts, the selected tab, and the images of its pages.
import { Link } from '@tanstack/react-router';
import { NotFoundError } from '@kiln/sdk';
import { ActionCommands } from '../../../ui/action-commands.js';
import { Failed, Notice, SkeletonRows } from '../../../ui/view-states.js';
import { useFile } from '../hooks/use-file.js';
import { addressOf, type FileAddress } from '../lib/file-address.js';
import { fileCalls } from '../lib/file-calls.js';
import '../file.css';
import { FileHead } from './file-head.js';
import { FileTabs } from './file-tabs.js';

interface FileViewProps {
  fileId: string;
  address: FileAddress;
  onAddress: (address: FileAddress) => void;
  onDeleted: () => void;
}

const ID = /^file_[0-7][0-9a-hjkmnp-tv-z]{25}$/;

export function FileView(props: FileViewProps) {
  return ID.test(props.fileId) ? <KnownFile {...props} /> : <NoSuchFile />;
}

function KnownFile({ fileId, address, onAddress, onDeleted }: FileViewProps) {
  const { data: file, error, refetch } = useFile(fileId);
  if (error instanceof NotFoundError) return <NoSuchFile />;
  if (!file) {
    return (
      <>
        <Title />
        {error ? (
          <Failed error={error} onRetry={() => void refetch()} />
        ) : (
          <SkeletonRows rows={12} label="Loading the file" />
        )}
      </>
    );
  }
  const change = (part: Partial<FileAddress>) => onAddress(addressOf({ ...NO_ADDRESS, ...address, ...part }));
  return (
    <div className="file" data-stale={error !== null}>
      <title>{`${file.filename} – Kiln`}</title>
      <FileHead file={file} onDeleted={onDeleted} />
      <FileTabs file={file} address={address} onChange={change} />
      <ActionCommands calls={fileCalls(file)} />
    </div>
  );
}

const NO_ADDRESS = { tab: undefined, page: undefined, chunk: undefined };

function NoSuchFile() {
  return (
    <>
      <Title />
      <Notice
        icon="file"
        title="There is no such file"
        action={
          <Link className="button" to="/files">
            Go to the files
          </Link>
        }
      >
        It may be deleted, or belong to another organization.
      </Notice>
    </>
  );
}

/** In the place of the name while that is not known. */
function Title() {
  return (
    <div className="page-head">
      <title>File – Kiln</title>
      <h1>File</h1>
    </div>
  );
}
