// Receives one event of a webhook, and ends: PORT=8090 node webhook.mjs
import { Kiln } from '@kiln/sdk';
import { verifyWebhook, WebhookVerificationError } from '@kiln/sdk/webhooks';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';

const kiln = new Kiln({ baseUrl: process.env.KILN_URL, apiKey: process.env.KILN_API_KEY });
const port = Number(process.env.PORT ?? 8090);

async function receive(request, response) {
  try {
    const event = verifyWebhook({ body: await text(request), headers: request.headers, secret });
    response.writeHead(204).end();
    if (event.type === 'file.processing.completed') console.log(`${event.data.filename} is processed`);
    if (event.type === 'webhook.test') console.log(`a test of ${event.data.webhook_id}`);
    await kiln.webhooks.delete(id);
    server.close();
  } catch (error) {
    response.writeHead(error instanceof WebhookVerificationError ? 401 : 500).end();
  }
}

const server = createServer(receive).listen(port);
const url = `http://127.0.0.1:${port}/`;
const { id, secret } = await kiln.webhooks.create({ url, events: ['file.processing.completed'] });
await kiln.webhooks.test(id);
