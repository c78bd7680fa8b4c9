// Uploads a folder and waits until all files are processed: node folder.mjs ./contracts
import { Kiln } from '@kiln/sdk';
import { uploadFolder } from '@kiln/sdk/node';

const kiln = new Kiln({ baseUrl: process.env.KILN_URL, apiKey: process.env.KILN_API_KEY });
const [folder] = process.argv.slice(2);

const { batchIds, files } = await uploadFolder(kiln, folder, {
  filter: (path) => !path.endsWith('.tmp'),
  fields: (path) => ({ space: 'contracts', metadata: { path } }),
  onProgress: ({ files: done, totalFiles }) => console.error(`${done} of ${totalFiles} files`),
});
for (const { path, error } of files) if (error) console.error(`${path}: ${error.message}`);

for (const id of batchIds) {
  const { completed, failed } = await kiln.batches.waitFor(id);
  console.log(`${completed} completed, ${failed} failed`);
}
