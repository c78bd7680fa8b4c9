// The page of a file: its facts, the selected tab, and the images of its pages.
import { NotFoundError } from '@kiln/sdk';
import { Link } from '@tanstack/react-router';
import { ActionCommands } from '../../../ui/action-commands.js';
import { NotLoaded } from '../../../ui/not-loaded.js';
import { PageHead } from '../../../ui/page-head.js';
import { Notice } from '../../../ui/view-states.js';
import '../file.css';
import { useFile } from '../hooks/use-file.js';
import { addressOf, type FileAddress } from '../lib/file-address.js';
import { fileCalls } from '../lib/file-calls.js';
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
        <PageHead title="File" />
        <NotLoaded error={error} refetch={refetch} rows={12} label="Loading the file" />
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
      <PageHead title="File" />
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
