/**
 * A DOM to GitHub-flavoured markdown. Tables and description lists are rewritten in the DOM first; turndown does the
 * rest. The document is changed on the way: pass one that nobody else needs.
 */
import { highlightedCodeBlock, strikethrough, taskListItems } from '@joplin/turndown-plugin-gfm';
import TurndownService from 'turndown';
import { cleanText } from '../../text/decode-text.js';
import { rewriteDescriptionLists } from './description-lists.js';
import { finishedMarkdownAttribute, renderTables } from './html-tables.js';

export function toMarkdown(document: Document): string {
  const body = document.body;
  if (body === null) return '';
  const service = createService();
  rewriteDescriptionLists(document);
  renderTables(document, (element) => service.turndown(element));
  return cleanText(tidy(service.turndown(body)));
}

function createService(): TurndownService {
  const service = new TurndownService({
    headingStyle: 'atx',
    codeBlockStyle: 'fenced',
    bulletListMarker: '-',
    emDelimiter: '*',
    hr: '---',
  });
  service.use([highlightedCodeBlock, strikethrough, taskListItems]);
  service.addRule('finishedMarkdown', {
    filter: (node) => node.hasAttribute(finishedMarkdownAttribute),
    replacement: (_content, node) => `\n\n${node.textContent ?? ''}\n\n`,
  });
  service.addRule('image', {
    filter: 'img',
    replacement: (_content, node) => renderImage(node),
  });
  service.addRule('link', {
    filter: (node) => node.nodeName === 'A',
    replacement: (content, node) => renderLink(content, node),
  });
  service.addRule('listItem', {
    filter: 'li',
    replacement: (content, node) => renderListItem(content, node),
  });
  return service;
}

/** Pictures inlined as data would bury the text; what they show is kept. */
function renderImage(node: Element): string {
  const description = (node.getAttribute('alt') ?? '').replace(/\s+/g, ' ').replace(/[[\]]/g, '').trim();
  const source = (node.getAttribute('src') ?? '').trim();
  if (source === '' || /^(data|blob):/i.test(source)) return description;
  return `![${description}](${linkTarget(source)})`;
}

function renderLink(content: string, node: Element): string {
  const target = (node.getAttribute('href') ?? '').trim();
  const text = content.trim();
  if (text === '') return '';
  if (target === '' || target.startsWith('#') || /^(javascript|data|vbscript):/i.test(target) || text.includes('\n\n'))
    return content;
  const [before, after] = [/^\s*/.exec(content)?.[0] ?? '', /\s*$/.exec(content)?.[0] ?? ''];
  return `${before}[${text.replace(/\n+/g, ' ')}](${linkTarget(target)})${after}`;
}

function linkTarget(target: string): string {
  return target.replace(/\s/g, '%20').replace(/[()]/g, (character) => (character === '(' ? '%28' : '%29'));
}

/** One space after the marker, children indented by four: what every markdown reader nests in the same way. */
function renderListItem(content: string, node: Element): string {
  const parent = node.parentNode as Element | null;
  let marker = '- ';
  if (parent?.nodeName === 'OL') {
    const start = Number.parseInt(parent.getAttribute('start') ?? '1', 10) || 1;
    marker = `${start + Array.prototype.indexOf.call(parent.children, node)}. `;
  }
  const body = content
    .trim()
    .replace(/\n{2,}(?=\s*(?:[-*]|\d+\.) )/g, '\n')
    .replace(/\n(?!\n)/g, '\n    ');
  return body === '' ? '' : `${marker}${body}${node.nextElementSibling === null ? '' : '\n'}`;
}

function tidy(markdown: string): string {
  const text = markdown
    .replace(/\u00a0/g, ' ')
    .replace(/[ \t]+$/gm, '')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
  return text === '' ? '' : `${text}\n`;
}
