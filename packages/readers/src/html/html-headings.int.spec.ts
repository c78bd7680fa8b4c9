// Real: the engine. Faked: nothing.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Scratch } from '../fixtures/scratch.js';
import { defaultLimits } from '../limits.js';
import { createLocalExtractor } from '../local-extractor.js';

let scratch: Scratch;

beforeAll(async () => {
  scratch = await Scratch.make();
});
afterAll(() => scratch.remove());

const markdownOf = async (body: string): Promise<string> =>
  (await scratch.run(createLocalExtractor(defaultLimits), 'a.html', 'text/html', Buffer.from(`<body>${body}`)))
    .markdown;

describe('a button of a page', () => {
  it('is a heading where it is all that the heading has, as in lists of questions', async () => {
    const question =
      '<h2 class="accordion-header"><span>\n<button><svg><title>+</title></svg>What is a <b>kiln</b>?</button>\n<svg></svg></span></h2><div><p>A furnace.</p></div>';
    const term = '<dl><dt><button>Firing</button></dt><dd>heating clay</dd></dl>';
    expect(await markdownOf(question + term)).toBe(
      '## What is a **kiln**?\n\nA furnace.\n\n- **Firing**\n    - heating clay\n',
    );
  });

  it('is left out beside the text of a heading, and elsewhere', async () => {
    const body = '<h2>Kilns <button>Copy link</button></h2><p>Hot.</p><p><button>Buy</button></p>';
    expect(await markdownOf(body)).toBe('## Kilns\n\nHot.\n');
  });
});

it.each([
  ['<h1><b>Kilns</b></h1>', '# Kilns\n'],
  ['<h1>\n<strong>Kilns</strong> </h1>', '# Kilns\n'],
  ['<h1><b>Hot</b> kilns</h1>', '# **Hot** kilns\n'],
])('bold is marked only where it is a part of a heading: %s', async (heading, markdown) => {
  expect(await markdownOf(heading)).toBe(markdown);
});

it('a mark that links to its heading, or from a note back to the text, is left out', async () => {
  const heading = (mark: string) => `<h2 id="a">Kilns<a class="headerlink" href="#a">${mark}</a></h2>`;
  for (const mark of ['¶', ' # ', '🔗', '\uf0c1']) expect(await markdownOf(heading(mark))).toBe('## Kilns\n');
  const note = '<p id="note">At cone 06. <a href="#text">↩</a></p>';
  const others = '<p><a href="#a">#1</a> <a href="/channel">#</a></p>';
  expect(await markdownOf(note + others)).toBe('At cone 06.\n\n#1 [#](/channel)\n');
});
