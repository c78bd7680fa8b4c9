// Lists the files of a space: node list.mjs contracts
import { Kiln } from '@kiln/sdk';

const kiln = new Kiln({ baseUrl: process.env.KILN_URL, apiKey: process.env.KILN_API_KEY });
const [space] = process.argv.slice(2);

// A list is its first page when it is awaited.
const { files, next_cursor } = await kiln.files.list({ space, limit: 2 });
console.log(`${files.length} files, ${next_cursor === null ? 'and no more' : 'and more'}`);

// It is all files when it is looped over.
for await (const file of kiln.files.list({ space, limit: 2, sort_by: 'filename', sort_order: 'asc' })) {
  console.log(`${file.filename}: ${file.status}`);
}

// Filters are JSON.
const filter = JSON.stringify({ 'metadata.path': { exists: true } });
const found = await kiln.files.list({ space, filter }).all({ limit: 1_000 });
console.log(`${found.length} files have a path`);
