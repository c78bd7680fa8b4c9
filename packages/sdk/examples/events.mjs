// Prints events until a file is processed: node events.mjs contracts
import { Kiln } from '@kiln/sdk';

const kiln = new Kiln({ baseUrl: process.env.KILN_URL, apiKey: process.env.KILN_API_KEY });
const [space] = process.argv.slice(2);

const stream = kiln.events.stream({ types: ['job.progress', 'file.processing.completed'], space });
for await (const event of stream) {
  if (event.type === 'job.progress') console.error(`${event.data.step}: ${Math.round(event.data.progress * 100)} %`);
  if (event.type === 'file.processing.completed') {
    console.log(`${event.data.filename} is processed`);
    break;
  }
}
console.error(`Continue later with { lastEventId: '${stream.lastEventId}' }.`);
