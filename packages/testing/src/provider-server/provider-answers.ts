// The responses of a provider that works.
import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { SeenRequest } from './seen-request.js';

const DIMENSIONS = 8;

async function formOf({ headers, body }: SeenRequest): Promise<FormData> {
  const type = headers['content-type'] ?? '';
  return new Response(new Uint8Array(body), { headers: { 'content-type': type } }).formData();
}

/** Returns the uploaded text as the text of the document. A form feed ends a page. */
export async function convertedDocument(request: SeenRequest) {
  const form = await formOf(request);
  const file = form.get('files') as File;
  const placeholder = form.get('md_page_break_placeholder') as string;
  const markdown = (await file.text()).split('\f').join(`\n\n${placeholder}\n\n`);
  return {
    document: { filename: file.name, md_content: markdown },
    status: 'success',
    errors: [],
    processing_time: 0.1,
    timings: {},
  };
}

/** Returns the uploaded text as elements of Unstructured. A form feed ends a page, `# ` begins a title, `- ` an item. */
export async function partitioned(request: SeenRequest) {
  const form = await formOf(request);
  const pages = (await (form.get('files') as File).text()).split('\f');
  return pages.flatMap((page, index) =>
    page
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => {
        const metadata = { page_number: index + 1, category_depth: 0, languages: ['eng'] };
        if (line.startsWith('# ')) return { type: 'Title', text: line.slice(2), metadata };
        if (line.startsWith('- ')) return { type: 'ListItem', text: line.slice(2), metadata };
        return { type: 'NarrativeText', text: line, metadata };
      }),
  );
}

/** Transcribes each line of the upload as ten seconds of speech, and an empty line as a pause of five seconds. */
export async function transcription(request: SeenRequest) {
  const form = await formOf(request);
  const lines = (await (form.get('file') as File).text()).split('\n');
  let at = 0;
  const segments = lines.flatMap((text, id) => {
    const start = at;
    at += text === '' ? 5 : 10;
    return text === '' ? [] : [{ id, start, end: at, text: ` ${text}` }];
  });
  const text = segments.map((segment) => segment.text).join('');
  if (form.get('response_format') === 'json') return { text, usage: { type: 'duration', seconds: at } };
  return { task: 'transcribe', language: 'english', duration: at, text, segments };
}

/** Embeds texts: texts with common words have similar vectors, equal texts have equal vectors. */
export function embeddingOf(text: string, dimensions: number = DIMENSIONS): number[] {
  const vector = Array.from<number>({ length: dimensions }).fill(0.001);
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []) {
    const [at = 0] = createHash('sha256').update(word).digest();
    vector[at % dimensions] = (vector[at % dimensions] ?? 0) + 1;
  }
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}

export function embeddings({ input, model, dimensions }: Record<string, unknown>) {
  const texts = typeof input === 'string' ? [input] : (input as string[]);
  const data = texts.map((text, index) => ({
    object: 'embedding',
    index,
    embedding: embeddingOf(text, dimensions as number | undefined),
  }));
  const tokens = texts.reduce((sum, text) => sum + text.split(/\s+/).length, 0);
  // The order is not guaranteed: https://platform.openai.com/docs/api-reference/embeddings/object
  return { object: 'list', data: data.toReversed(), model, usage: { prompt_tokens: tokens, total_tokens: tokens } };
}

interface Message {
  role: string;
  content: string | Part[];
}

interface Part {
  image_url?: { url: string };
}

function pictured(parts: readonly Part[]): string {
  const url = parts.find(({ image_url: image }) => image !== undefined)?.image_url?.url ?? '';
  return Buffer.from(url.slice(url.indexOf(',') + 1), 'base64').toString();
}

/** Repeats the last message, word by word if streamed. Of a picture it reads the bytes as text. */
export function chatAnswer({ messages, model, stream }: Record<string, unknown>, response: ServerResponse): void {
  const said = (messages as Message[]).at(-1)?.content ?? '';
  const content = typeof said === 'string' ? `You said: ${said}` : pictured(said);
  const words = content.split(/(?<= )/);
  const usage = { prompt_tokens: 5, completion_tokens: words.length, total_tokens: 5 + words.length };
  if (stream !== true) {
    const choices = [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }];
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ id: 'chat-1', object: 'chat.completion', model, choices, usage }));
    return;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const send = (delta: object, finish: string | null, more: object = {}) =>
    response.write(
      `data: ${JSON.stringify({ model, choices: [{ index: 0, delta, finish_reason: finish }], ...more })}\n\n`,
    );
  send({ role: 'assistant', content: '' }, null);
  for (const word of words) send({ content: word }, null);
  send({}, 'stop');
  response.write(`data: ${JSON.stringify({ model, choices: [], usage })}\n\n`);
  response.end('data: [DONE]\n\n');
}
