// Real: HTTP on loopback. Whatever JSON a provider answers, its client ends in a result or in an error that says whose fault it
// was: never in a bug of ours.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { misbehaviour, startProviderServer, type ProviderServer } from '@kiln/testing';
import { testSeed } from '@kiln/testing/seed';
import fc from 'fast-check';
import { OpenAiChat } from '@kiln/model-clients/chat/openai-chat';
import { OpenAiEmbedder } from '@kiln/model-clients/embedding/openai-embedder';
import { ExtractionError } from '@kiln/pdf/extraction-error';
import { Scratch } from '@kiln/readers/fixtures/scratch';
import { defaultLimits } from '@kiln/readers/limits';
import { AnswerReader } from './answer-reader.js';
import { DoclingExtractor } from './docling-extractor.js';
import { providerEndpoint } from '@kiln/model-clients/http/provider-endpoint';
import { ProviderError } from '@kiln/model-clients/http/provider-error';
import { ProviderHttp } from '@kiln/model-clients/http/provider-http';
import { UnstructuredExtractor } from './unstructured-extractor.js';
import { VisionExtractor } from './vision-extractor.js';
import { TranscriptionExtractor } from './transcription-extractor.js';

const never = new AbortController().signal;
const RUNS = { numRuns: 200, seed: testSeed() };

const odd = fc.constantFrom<unknown[]>(null, true, -1, 0.5, 1e308, '', 'words', [], {}, [null], [[1]], { text: 1 });

/** A good answer with some of its parts replaced by what does not belong there. */
function damaged(answer: unknown): fc.Arbitrary<unknown> {
  const damage = fc.record({ at: fc.nat(60), value: odd });
  return fc.array(damage, { minLength: 1, maxLength: 3 }).map((damages) => {
    const holder = { answer: structuredClone(answer) };
    for (const { at, value } of damages) {
      const places = placesIn(holder);
      const place = places[at % places.length];
      if (!place) throw new Error('an answer without parts');
      const [parent, name] = place;
      parent[name] = structuredClone(value);
    }
    return holder.answer;
  });
}

type Place = [Record<string, unknown>, string];

function placesIn(value: unknown): Place[] {
  if (typeof value !== 'object' || value === null) return [];
  const parent = value as Record<string, unknown>;
  return Object.keys(parent).flatMap((name): Place[] => [[parent, name], ...placesIn(parent[name])]);
}

const usage = { total_tokens: 3, prompt_tokens: 1, completion_tokens: 2, seconds: 9 };
const choice = (part: object) => ({ choices: [{ index: 0, finish_reason: 'stop', ...part }], usage });
const good = {
  embeddings: { data: [0, 1].map((index) => ({ index, embedding: [0.1, 0.2] })), usage },
  document: { document: { md_content: '# Kilns' }, status: 'success', errors: [] },
  elements: [
    { type: 'Title', text: 'Kilns', metadata: { page_number: 1, category_depth: 0 } },
    {
      type: 'Table',
      text: 'a b',
      metadata: { page_number: 2, text_as_html: '<table><tr><td>a</td><td>b</td></tr></table>' },
    },
    { type: 'ListItem', text: 'Warm', metadata: { category_depth: 1 } },
  ],
  speech: {
    text: 'It is warm.',
    language: 'en',
    duration: 9,
    segments: [{ start: 0, end: 9, text: 'It is warm.' }],
    usage,
  },
  chat: choice({ message: { role: 'assistant', content: 'Warm.' } }),
  event: choice({ delta: { content: 'Warm.' } }),
};

describe('any response', () => {
  let server: ProviderServer;
  let scratch: Scratch;
  const http = new ProviderHttp();
  beforeAll(async () => {
    server = await startProviderServer();
    scratch = await Scratch.make();
  });
  afterAll(async () => {
    await http.close();
    await server.close();
    await scratch.remove();
  });
  const common = (provider: 'embedding' | 'chat' | 'audio_extractor' | 'image_extractor' | 'document_extractor') => ({
    endpoint: providerEndpoint(provider, { baseUrl: server.url }),
    http,
    sandbox: new AnswerReader(defaultLimits.outputBytesMax),
    model: 'small',
    deadlineMs: 60_000,
  });
  const question = { messages: [{ role: 'user' as const, content: 'How hot?' }] };

  async function endsWell(work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof ProviderError || error instanceof ExtractionError)) throw error;
    }
  }
  const clients: [string, unknown, () => Promise<unknown>][] = [
    ['about embeddings', good.embeddings, () => new OpenAiEmbedder(common('embedding')).embed(['one', 'two'], never)],
    [
      'about a document',
      good.document,
      () => scratch.run(new DoclingExtractor(common('document_extractor')), 'a.pdf', 'application/pdf', 'x'),
    ],
    [
      'with elements',
      good.elements,
      () => scratch.run(new UnstructuredExtractor(common('document_extractor')), 'a.pdf', 'application/pdf', 'x'),
    ],
    [
      'about an image',
      good.chat,
      () => scratch.run(new VisionExtractor(common('image_extractor')), 'a.png', 'image/png', 'x'),
    ],
    [
      'about speech',
      good.speech,
      () => scratch.run(new TranscriptionExtractor(common('audio_extractor')), 'a.mp3', 'audio/mpeg', 'x'),
    ],
    ['to a chat', good.chat, () => new OpenAiChat(common('chat')).complete(question, never)],
  ];
  for (const [name, answer, ask] of clients) {
    it(`${name} is understood or refused`, async () => {
      const holds = fc.asyncProperty(damaged(answer), async (json) => {
        server.reset();
        server.always(misbehaviour.json(json));
        await endsWell(ask);
      });
      await fc.assert(holds, RUNS);
    });
  }

  it('to a chat is understood or refused, also as a stream', async () => {
    const holds = fc.asyncProperty(fc.array(damaged(good.event), { maxLength: 4 }), async (events) => {
      server.reset();
      const text = events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('');
      server.always(misbehaviour.text(text, 'text/event-stream'));
      await endsWell(async () => {
        const stream = new OpenAiChat(common('chat')).stream(question, never);
        for (let next = await stream.next(); !next.done; next = await stream.next())
          expect(typeof next.value).toBe('string');
      });
    });
    await fc.assert(holds, RUNS);
  });
});
