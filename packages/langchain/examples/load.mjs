// Loads the files of a space, one at a time: node load.mjs contracts
import { KilnLoader } from '@kiln/langchain';
import { Kiln } from '@kiln/sdk';

const kiln = new Kiln({ baseUrl: process.env.KILN_URL, apiKey: process.env.KILN_API_KEY });
const [space] = process.argv.slice(2);

const loader = new KilnLoader({ kiln, files: { space, status: 'completed' } });
for await (const { pageContent, metadata } of loader.lazyLoad()) {
  console.log(`${metadata.filename}: ${pageContent.length} characters`);
}
