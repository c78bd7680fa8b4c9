// Finds the chunks that belong in a prompt: node retrieve.mjs contracts "How long is the warranty?"
import { KilnRetriever } from '@kiln/langchain';
import { Kiln } from '@kiln/sdk';

const kiln = new Kiln({ baseUrl: process.env.KILN_URL, apiKey: process.env.KILN_API_KEY });
const [space, question] = process.argv.slice(2);

const retriever = new KilnRetriever({ kiln, search: { space, limit: 4 } });
for (const { pageContent, metadata } of await retriever.invoke(question)) {
  console.log(`${metadata.filename}, ${metadata.headings?.join(' > ')}: ${pageContent}`);
}
