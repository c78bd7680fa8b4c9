import type { Commands } from '../ui/command-hint.js';

export const uploadCommands = (origin: string): Commands => ({
  curl: `curl ${origin}/v1/upload \\
  -H "Authorization: ApiKey $KILN_API_KEY" \\
  -F filename=contract.pdf -F file=@contract.pdf`,
  sdk: `import { Kiln } from '@kiln/sdk';
import { fromPath } from '@kiln/sdk/node';

const kiln = new Kiln({ baseUrl: '${origin}', apiKey: process.env.KILN_API_KEY });
await kiln.files.upload(await fromPath('contract.pdf'));`,
  cli: `kiln up contract.pdf`,
});
