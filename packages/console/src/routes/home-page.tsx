import { useMay } from '../api/me.js';
import { Capabilities } from '../features/home/components/capabilities.js';
import { LiveList } from '../features/home/components/live-list.js';
import { Tiles } from '../features/home/components/tiles.js';
import { DropZone } from '../features/uploads/components/drop-zone.js';
import { CommandHint } from '../ui/command-hint.js';
import { uploadCommands } from './upload-commands.js';
import '../features/home/home.css';

export function HomePage() {
  const mayReadFiles = useMay('files:read');
  const mayUpload = useMay('files:write');
  return (
    <div className="home">
      <title>Home – Kiln</title>
      <div className="page-head">
        <h1>Home</h1>
      </div>
      <Capabilities />
      <DropZone />
      <Tiles />
      {mayReadFiles && <LiveList />}
      {mayUpload && (
        <CommandHint title="Upload from a terminal or a program" commands={uploadCommands(location.origin)} />
      )}
    </div>
  );
}
