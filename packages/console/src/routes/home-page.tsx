import { useMay } from '../api/me.js';
import { Capabilities } from '../features/home/components/capabilities.js';
import { LiveList } from '../features/home/components/live-list.js';
import { Tiles } from '../features/home/components/tiles.js';
import '../features/home/home.css';
import { DropZone } from '../features/uploads/components/drop-zone.js';
import { CommandHint, type Commands } from '../ui/command-hint.js';
import { PageHead } from '../ui/page-head.js';

export function HomePage() {
  const mayReadFiles = useMay('files:read');
  const mayUpload = useMay('files:write');
  return (
    <div className="home">
      <PageHead title="Home" />
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

const uploadCommands = (origin: string): Commands => ({
  curl: `curl ${origin}/v1/upload \\
  -H "Authorization: ApiKey $KILN_API_KEY" \\
  -F filename=contract.pdf -F file=@contract.pdf`,
  sdk: `import { Kiln } from '@kiln/sdk';
import { fromPath } from '@kiln/sdk/node';

const kiln = new Kiln({ baseUrl: '${origin}', apiKey: process.env.KILN_API_KEY });
await kiln.files.upload(await fromPath('contract.pdf'));`,
  cli: `kiln up contract.pdf`,
});
