// Uploads a file and prints its text: node upload.mjs contract.pdf
import { Kiln } from '@kiln/sdk';
import { fromPath } from '@kiln/sdk/node';

const kiln = new Kiln({ baseUrl: process.env.KILN_URL, apiKey: process.env.KILN_API_KEY });
const [path] = process.argv.slice(2);

const fields = { space: 'contracts', metadata: { year: '2026' } };
const onProgress = ({ sentBytes, totalBytes }) => console.error(`${sentBytes} of ${totalBytes} bytes`);
const file = await kiln.files.upload(await fromPath(path), fields, { onProgress });

const job = await kiln.jobs.waitFor(file.job_id, { deadlineMs: 300_000 });
if (job.status === 'completed') console.log(await kiln.variants.read(file.id, 'markdown'));
else console.error(`${job.status}: ${job.error?.message}`);
