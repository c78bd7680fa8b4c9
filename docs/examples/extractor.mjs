// An extractor of your own: EXTRACTOR_SECRET=whsec_… PORT=8090 node extractor.mjs
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';

const key = Buffer.from(process.env.EXTRACTOR_SECRET.slice('whsec_'.length), 'base64');
const signatureOf = (id, timestamp, body) =>
  `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;

function isFromKiln({ headers }, body) {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': given = '' } = headers;
  const expected = Buffer.from(signatureOf(id, timestamp, body));
  const fits = (one) => one.length === expected.length && timingSafeEqual(Buffer.from(one), expected);
  return Math.abs(Date.now() / 1000 - Number(timestamp)) < 300 && given.split(' ').some(fits);
}

// Your own reading of the file comes here. This one takes every file for text.
async function extract(file) {
  const response = await fetch(file.url);
  if (!response.ok) return { error: { code: 'corrupt_file', message: `Its URL answered ${response.status}.` } };
  return { pages: (await response.text()).split('\f').map((markdown) => ({ markdown })), title: file.filename };
}

async function report({ id, file, callback_url: url }) {
  const body = JSON.stringify(await extract(file));
  for (let attempt = 0; attempt < 6; attempt++) {
    const timestamp = Math.floor(Date.now() / 1000);
    const signed = {
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': signatureOf(id, timestamp, body),
    };
    const headers = { 'content-type': 'application/json', ...signed };
    const answer = await fetch(url, { method: 'POST', headers, body }).catch(() => null);
    if (answer !== null && answer.status < 500 && answer.status !== 429) return;
    await wait(1000 * 2 ** attempt);
  }
}

const running = new Set();
const server = createServer(async (request, response) => {
  const body = await text(request);
  if (!isFromKiln(request, body)) return response.writeHead(401).end();
  const asked = JSON.parse(body);
  if (asked.callback_url === null) {
    const result = await extract(asked.file).catch(() => null); // Null: its bytes could not be fetched.
    return response.writeHead(result ? 200 : 503).end(JSON.stringify(result));
  }
  response.writeHead(202).end();
  if (running.has(asked.id)) return; // Kiln has asked again.
  running.add(asked.id);
  await report(asked).catch(console.error);
  running.delete(asked.id);
});
server.listen(Number(process.env.PORT ?? 8090), '127.0.0.1', () => console.log(`port ${server.address().port}`));
