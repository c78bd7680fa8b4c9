// What `search` and `ask` print.
import { describe, expect, it } from '@jest/globals';
import { runKiln } from '../../fixtures/run-kiln.js';

const ID = 'file_01h455vb4pex5vsknk084sn02q';

describe('kiln search', () => {
  const snippet = `The <mark>warranty</mark> of R&amp;D &lt;b&gt; ${'is long and '.repeat(8)}ends.`;
  const result = { file_id: ID, filename: 'zephyr.md', score: 0.5, page: 3, snippet, text: 'x' };
  const handlers = { 'POST /v1/search': () => ({ results: [result], total: 1, query: 'x', mode: 'text' }) };

  it('prints the place and the text on a terminal, in lines of 80 columns, with matches in color', async () => {
    const { out } = await runKiln(['search', 'the', 'warranty'], { handlers, isTerminal: true });
    expect(out.split('\n')).toStrictEqual([
      `zephyr.md, page 3  ${ID}`,
      '    The warranty of R&D <b> is long and is long and is long and is long and is',
      '    long and is long and is long and is long and ends.',
      '',
    ]);
    const colored = await runKiln(['search', 'the', 'warranty'], { handlers, isTerminal: true, hasColors: true });
    expect(colored.out).toContain('\u001B[33mwarranty\u001B[39m of R&D <b>');
  });

  it('prints score, name, page and text with tabs on a pipe', async () => {
    const { out, requests } = await runKiln(['search', 'the', 'warranty', '--chunks'], { handlers });
    expect(out).toMatch(/^0\.500\tzephyr\.md\t3\tThe warranty of R&D <b> is long .* ends\.\n$/);
    expect(requests[0]?.body).toStrictEqual({ query: 'the warranty', limit: 10, group: 'chunk' });
  });

  it('prints results as they are in JSON', async () => {
    const { out } = await runKiln(['search', 'x', '--json'], { handlers });
    expect(JSON.parse(out)).toStrictEqual(result);
  });
});

describe('kiln ask', () => {
  const source = { citation: 1, file_id: ID, filename: 'zephyr.md', page: 3 };
  const quote = { text: 'The warranty is ten years.', page: 4 };
  const parts = [
    { type: 'chunk', content: 'Ten ' },
    { type: 'chunk', content: 'years. [1]' },
    { type: 'sources', sources: [source], citations: [{ citation: 1, position: 0, quote }] },
  ];
  const stream = (...more: object[]) => {
    const text = [...parts, ...more].map((part) => `data: ${JSON.stringify(part)}\n\n`).join('');
    return new Response(`${text}data: [DONE]\n\n`, { headers: { 'content-type': 'text/event-stream' } });
  };

  it.each([false, true])('prints the answer and its sources with quotes (on a terminal: %p)', async (isTerminal) => {
    const { out, exit } = await runKiln(['ask', 'How', 'long?'], {
      handlers: { 'POST /v1/qa': () => stream({ type: 'done' }) },
      isTerminal,
    });
    expect(out).toBe(`Ten years. [1]\n\nSources\n[1] zephyr.md  ${ID}\n    “The warranty is ten years.” (page 4)\n`);
    expect(exit).toBe(0);
  });

  it('says on stderr that the end of an answer is missing', async () => {
    const ending = { type: 'sources', sources: [], citations: [], truncated: true };
    const { out, err, exit } = await runKiln(['ask', 'q'], {
      handlers: { 'POST /v1/qa': () => stream(ending, { type: 'done' }) },
    });
    expect([out, err, exit]).toStrictEqual(['Ten years. [1]\n', 'The answer was cut off: its end is missing.\n', 0]);
  });

  it('prints the whole answer at once as JSON', async () => {
    const answer = { question: 'q', answer: 'a', sources: [source], citations: [] };
    const { out, requests } = await runKiln(['ask', 'q', '--json', '--fields', 'answer,model'], {
      handlers: { 'POST /v1/qa': () => answer },
    });
    expect(out).toBe('{"answer":"a","model":null}\n');
    expect(requests[0]?.body).toStrictEqual({ question: 'q' });
  });

  it('ends with 5 if the answer breaks off, and says so in a line of its own', async () => {
    const error = { type: 'error', error: 'The model stopped.', code: 'UNAVAILABLE', requestId: 'req_1' };
    const { exit, out, err } = await runKiln(['ask', 'q'], { handlers: { 'POST /v1/qa': () => stream(error) } });
    expect([exit, err]).toStrictEqual([5, 'error: The model stopped. (UNAVAILABLE, request req_1)\n']);
    expect(out).toBe('Ten years. [1]\n');
  });

  it('writes nothing to stdout if the question is refused', async () => {
    const { exit, out } = await runKiln(['ask', 'q'], { handlers: {} });
    expect([exit, out]).toStrictEqual([1, '']);
  });
});
