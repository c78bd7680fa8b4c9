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
