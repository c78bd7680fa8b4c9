/** Reads a formula in MathML (presentation) as LaTeX. An unknown element becomes its content. */
import { formulaText, plainStyle, type TextStyle } from './formula-text.js';
import {
  accent,
  binomial,
  delimited,
  finished,
  fraction,
  functionName,
  limit,
  matrix,
  prescripts,
  radical,
  scriptBase,
  scripts,
  sequence,
} from './latex.js';
import { accentCommand, symbol } from './symbols.js';

export interface MathNode {
  /** Without a prefix. */
  local: string;
  attributes: ReadonlyMap<string, string>;
  children: readonly (MathNode | string)[];
}

type Reader = (parts: readonly MathNode[], node: MathNode) => string;

/** Operators whose limits are written as scripts. */
const withLimits = /^\\(?:sum|prod|coprod|o?i+nt|big\w+) (?:_\{|$)/;
const styles: ReadonlyMap<string, Partial<TextStyle>> = new Map([
  ['normal', { isUpright: true }],
  ['bold', { alphabet: '\\mathbf' }],
  ['bold-italic', { alphabet: '\\boldsymbol' }],
  ['double-struck', { alphabet: '\\mathbb' }],
  ['script', { alphabet: '\\mathcal' }],
  ['fraktur', { alphabet: '\\mathfrak' }],
  ['sans-serif', { alphabet: '\\mathsf' }],
  ['monospace', { alphabet: '\\mathtt' }],
]);

export function mathFormula(math: MathNode): string {
  return finished(read(math));
}

const at = (parts: readonly MathNode[], index: number): string => {
  const part = parts[index];
  return part === undefined ? '' : read(part);
};
const beyond = (parts: readonly MathNode[], from: number): string => sequence(parts.slice(from).map(read));

const readers: Readonly<Record<string, Reader>> = {
  mi: (_parts, node) => functionName(textOf(node), tokenText(node)),
  mo: (_parts, node) => functionName(textOf(node), tokenText(node)),
  mn: (_parts, node) => tokenText(node),
  mtext: (_parts, node) => formulaText(textOf(node), { ...plainStyle, isText: true }),
  ms: (_parts, node) => formulaText(textOf(node), { ...plainStyle, isText: true }),
  mspace: () => ' ',
  none: () => '',
  annotation: () => '',
  'annotation-xml': () => '',
  mfrac: (parts, { attributes }) => {
    const isBare = /^0(?:\D|$)/.test(attributes.get('linethickness') ?? '');
    const type = isBare ? 'noBar' : attributes.get('bevelled') === 'true' ? 'lin' : 'bar';
    return fraction(at(parts, 0), at(parts, 1), type) + beyond(parts, 2);
  },
  msqrt: (parts) => radical(beyond(parts, 0), ''),
  mroot: (parts) => radical(at(parts, 0), at(parts, 1)) + beyond(parts, 2),
  msub: (parts) => scripts(scriptBase(at(parts, 0)), at(parts, 1), '') + beyond(parts, 2),
  msup: (parts) => scripts(scriptBase(at(parts, 0)), '', at(parts, 1)) + beyond(parts, 2),
  msubsup: (parts) => scripts(scriptBase(at(parts, 0)), at(parts, 1), at(parts, 2)) + beyond(parts, 3),
  munder: (parts) => stacked(at(parts, 0), parts[1], true) + beyond(parts, 2),
  mover: (parts) => stacked(at(parts, 0), parts[1], false) + beyond(parts, 2),
  munderover: (parts) => stacked(stacked(at(parts, 0), parts[1], true), parts[2], false) + beyond(parts, 3),
  mmultiscripts: multiscripts,
  mphantom: (parts) => `\\phantom{${beyond(parts, 0)}}`,
  mfenced: (parts, { attributes }) => {
    const separators = Array.from((attributes.get('separators') ?? ',').replace(/\s/g, ''));
    const content = parts.map((part, index) => {
      const before = index === 0 ? '' : symbol(separators[index - 1] ?? separators.at(-1) ?? '');
      return before + read(part);
    });
    return delimited(attributes.get('open') ?? '(', sequence(content), attributes.get('close') ?? ')');
  },
  mtable: (parts) => matrix(parts.map((row) => elementsOf(row).map(read))),
};

function read(node: MathNode): string {
  const reader = Object.hasOwn(readers, node.local) ? readers[node.local] : undefined;
  if (reader !== undefined) return reader(elementsOf(node), node);
  const choice = choiceIn(node);
  if (choice !== null) return choice;
  return sequence(
    node.children.map((child) => {
      if (typeof child !== 'string') return read(child);
      return child.trim() === '' ? '' : formulaText(child, plainStyle);
    }),
  );
}

/** A fraction without a line, alone in parentheses. */
function choiceIn(node: MathNode): string | null {
  const [open, fraction, close, ...others] = elementsOf(node);
  if (open === undefined || fraction === undefined || close === undefined || others.length > 0) return null;
  const isBare = fraction.local === 'mfrac' && /^0(?:\D|$)/.test(fraction.attributes.get('linethickness') ?? '');
  if (!isBare || textOf(open).trim() !== '(' || textOf(close).trim() !== ')') return null;
  const parts = elementsOf(fraction);
  return parts.length === 2 ? binomial(at(parts, 0), at(parts, 1)) : null;
}

function stacked(base: string, other: MathNode | undefined, isBelow: boolean): string {
  if (other === undefined) return base;
  const character = other.local === 'mo' ? textOf(other).trim() : '';
  if (accentCommand(character) !== null) return accent(character, base, isBelow);
  const content = read(other);
  if (content.trim() === '') return base;
  if (withLimits.test(base)) return scripts(base, isBelow ? content : '', isBelow ? '' : content);
  return limit(base, content, isBelow);
}

function multiscripts(parts: readonly MathNode[]): string {
  const before = parts.findIndex(({ local }) => local === 'mprescripts');
  const after = parts.slice(1, before < 0 ? undefined : before);
  let latex = scriptBase(at(parts, 0));
  for (let index = 0; index < after.length; index += 2)
    latex = scripts(index === 0 ? latex : `${latex}{}`, at(after, index), at(after, index + 1));
  if (before < 0) return latex;
  const first = parts.slice(before + 1);
  for (let index = first.length - (first.length % 2 === 0 ? 2 : 1); index >= 0; index -= 2)
    latex = prescripts(latex, at(first, index), at(first, index + 1));
  return latex;
}

function tokenText(node: MathNode): string {
  const style = styles.get(node.attributes.get('mathvariant') ?? '') ?? {};
  const text = textOf(node).trim();
  return formulaText(text, { ...plainStyle, ...style });
}

function elementsOf(node: MathNode): MathNode[] {
  return node.children.filter((child) => typeof child !== 'string');
}

function textOf(node: MathNode): string {
  let text = '';
  for (const child of node.children) text += typeof child === 'string' ? child : textOf(child);
  return text;
}
