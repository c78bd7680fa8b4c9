// Searches and asks: node search.mjs contracts "How long is the warranty?"
import { Kiln } from '@kiln/sdk';

const kiln = new Kiln({ baseUrl: process.env.KILN_URL, apiKey: process.env.KILN_API_KEY });
const [space, question] = process.argv.slice(2);

const { results } = await kiln.search.query({ query: question, space, limit: 3 });
for (const { file_id, score } of results) console.error(`${file_id}: ${score.toFixed(3)}`);

for await (const part of kiln.search.askStream({ question, space })) {
  if (part.type === 'chunk') process.stdout.write(part.content);
  if (part.type === 'sources')
    for (const { citation, filename } of part.sources) console.log(`\n[${citation}] ${filename}`);
}
