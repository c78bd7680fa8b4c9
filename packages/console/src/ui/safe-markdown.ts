// Markdown of documents as elements that are safe to show: documents come from anyone.
import createPurifier from 'dompurify';
import { Marked } from 'marked';

/** The elements that a document needs. No element that loads something, runs, submits or styles is on the list. */
const TAGS = 'p br hr h1 h2 h3 h4 h5 h6 ul ol li blockquote pre code strong em del a table thead tbody tr th td';
const PLAIN_ATTRIBUTES = ['align', 'start'];

const purifier = createPurifier(window);
purifier.addHook('afterSanitizeAttributes', (node) => {
  if (!node.hasAttribute('href')) return;
  node.setAttribute('target', '_blank');
  node.setAttribute('rel', 'noopener noreferrer nofollow');
});

/** Shows markdown as plain text if it nests too deep for the parser. */
export function safeMarkdown(markdown: string): DocumentFragment {
  try {
    return rendered(markdown);
  } catch {
    const all = document.createDocumentFragment();
    const text = document.createElement('pre');
    text.textContent = markdown;
    all.append(placed(text, 0, markdown.length));
    return all;
  }
}

/**
 * HTML within the markdown is shown as text, except line ends, which Kiln writes in cells of tables. Images become their descriptions: the
 * server of a remote image would learn who reads the document. The attributes `data-start` and `data-end` of an outer element are the part
 * of the markdown that it shows, in UTF-16 units.
 */
function rendered(markdown: string): DocumentFragment {
  const marked = parserOf();
  const all = document.createDocumentFragment();
  let start = 0;
  for (const token of marked.lexer(markdown)) {
    const block = sanitized(marked.parser([token]));
    for (const element of block.children) {
      if (element instanceof HTMLElement) placed(element, start, start + token.raw.length);
    }
    all.append(block);
    start += token.raw.length;
  }
  return all;
}

function placed(element: HTMLElement, start: number, end: number): HTMLElement {
  element.dataset['start'] = String(start);
  element.dataset['end'] = String(end);
  return element;
}

function sanitized(html: string): DocumentFragment {
  return purifier.sanitize(html, {
    ALLOWED_TAGS: TAGS.split(' '),
    ALLOWED_ATTR: ['href', 'title', ...PLAIN_ATTRIBUTES],
    ADD_URI_SAFE_ATTR: PLAIN_ATTRIBUTES,
    ALLOWED_URI_REGEXP: /^(?:https?|mailto):/i,
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
    RETURN_DOM_FRAGMENT: true,
  });
}

/** Headings are below the heading of the page, without a gap between levels. */
function parserOf(): Marked {
  let level = 1;
  return new Marked({
    renderer: {
      heading({ tokens, depth }) {
        level = Math.min(depth + 1, level + 1, 6);
        return `<h${level}>${this.parser.parseInline(tokens)}</h${level}>`;
      },
      html({ text }) {
        return /^<br\s*\/?>$/i.test(text.trim()) ? '<br>' : escaped(text);
      },
      image({ text }) {
        return escaped(text);
      },
      checkbox({ checked }) {
        return checked ? '☑ ' : '☐ ';
      },
    },
  });
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
