/** The constructions of a formula in LaTeX. Each takes LaTeX and returns LaTeX in which all braces are closed. */
import { accentCommand, functionNames, growingDelimiter, symbol } from './symbols.js';

/** Joins parts. A prime or script at the beginning of a part must not join the script before it. */
export function sequence(parts: readonly string[]): string {
  let latex = '';
  let before = '';
  for (const part of parts) {
    latex += /^['^_]/.test(part) && before.endsWith('}') ? `{}${part}` : part;
    if (part !== '') before = part;
  }
  return latex;
}

const belowCommands = new Set(['\\underline', '\\underbrace']);
const wideCommands: ReadonlyMap<string, string> = new Map([
  ['\\hat', '\\widehat'],
  ['\\tilde', '\\widetilde'],
  ['\\bar', '\\overline'],
  ['\\vec', '\\overrightarrow'],
]);

export function fraction(numerator: string, denominator: string, type: string): string {
  if (type === 'lin') return `${group(numerator)}/${group(denominator)}`;
  if (type === 'skw') return `{}^{${numerator}}/_{${denominator}}`;
  return type === 'noBar' ? withoutBar(numerator, denominator) : `\\frac{${numerator}}{${denominator}}`;
}

const withoutBar = (above: string, below: string): string => `\\genfrac{}{}{0pt}{}{${above}}{${below}}`;

export function binomial(above: string, below: string): string {
  return `\\binom{${above}}{${below}}`;
}

/** Empty scripts are left out. */
export function scripts(base: string, sub: string, sup: string): string {
  return base + script('_', sub) + script('^', sup);
}

export function prescripts(base: string, sub: string, sup: string): string {
  return `{}${script('_', sub)}${script('^', sup)}${group(base)}`;
}

function script(mark: string, content: string): string {
  if (content.trim() === '') return '';
  return `${mark}{${/^'+$/.test(content) ? content.replaceAll("'", '\\prime ') : content}}`;
}

/** The base of a script. It needs braces, unless it is one symbol, number or part in delimiters. */
export function scriptBase(latex: string): string {
  const isOne = latex.startsWith('\\left') ? isDelimited(latex) : /^(?:[A-Za-z]|\d+|\\[A-Za-z]+ )$/.test(latex);
  return isOne ? latex : `{${latex}}`;
}

function isDelimited(latex: string): boolean {
  const end = latex.indexOf('\\right');
  return latex.lastIndexOf('\\left') < end && /^\\right(?:\\[A-Za-z]+ |\\?[^\\])$/.test(latex.slice(end, end + 50));
}

function group(latex: string): string {
  return /^(?:[A-Za-z]|[\d.]+|\\[A-Za-z]+ )$/.test(latex) ? latex : `{${latex}}`;
}

export function radical(content: string, degree: string): string {
  return degree.trim() === '' ? `\\sqrt{${content}}` : `\\sqrt[{${degree}}]{${content}}`;
}

/** A sum, an integral or the like, with its limits. */
export function operator(character: string, sub: string, sup: string, content: string): string {
  return `${scripts(symbol(character), sub, sup)} ${content}`;
}

export function delimited(begin: string, content: string, end: string): string {
  const left = growingDelimiter(begin);
  const right = growingDelimiter(end);
  if (left === null || right === null || (begin === '' && end === ''))
    return `${symbol(begin)}${content}${symbol(end)}`;
  return `\\left${left}${content}\\right${right}`;
}

/** The command for the bar between the parts of a set or a probability. */
export function separator(character: string): string {
  return character === '|' ? '\\mid ' : symbol(character);
}

/** The name of a function or operator. `text` holds its characters. */
export function functionName(text: string, latex: string): string {
  const name = text.replace(/[\u2061\s]/g, '');
  if (functionNames.has(name)) return `\\${name} `;
  return /^[A-Za-z]{2,}$/.test(name) ? `\\operatorname{${name}}` : latex;
}

/** A character above or below its base. */
export function accent(character: string, base: string, isBelow: boolean): string {
  if (character === '') return base;
  const command = accentCommand(character);
  // A combining mark is always above or below by its nature.
  const isKnown = command !== null && (/\p{M}/u.test(character) || isBelow === belowCommands.has(command));
  if (!isKnown) return set(base, symbol(character), isBelow);
  const isOne = /^(?:[A-Za-z]|\\[A-Za-z]+ )$/.test(base);
  return `${isOne ? command : (wideCommands.get(command) ?? command)}{${base}}`;
}

export function set(base: string, other: string, isBelow: boolean): string {
  return `\\${isBelow ? 'underset' : 'overset'}{${other}}{${base}}`;
}

/** A limit below or above an operator, a brace or anything else. */
export function limit(base: string, content: string, isBelow: boolean): string {
  if (/^\\(?:underbrace|overbrace|operatorname)\{/.test(base) || functionNames.has(base.slice(1).trimEnd()))
    return base.replace('\\operatorname{', '\\operatorname*{') + script(isBelow ? '_' : '^', content);
  return set(base, content, isBelow);
}

export function matrix(rows: readonly (readonly string[])[]): string {
  return environment(
    'matrix',
    rows.map((cells) => cells.join(' & ')),
  );
}

/** Equations below each other. `&` aligns them. */
export function equations(lines: readonly string[]): string {
  return lines.length < 2 ? lines.join('').replace(/(?<!\\)& /g, '') : environment('aligned', lines);
}

function environment(name: string, lines: readonly string[]): string {
  // LaTeX would read a bracket after a line end as the distance of the lines.
  const safe = lines.map((line) => (/^\s*[[*]/.test(line) ? `{}${line}` : line));
  return `\\begin{${name}}${safe.join(' \\\\ ')}\\end{${name}}`;
}

/**
 * The finished formula, on one line. A markdown program finds no HTML, link or address in it. It contains no bar, which
 * would end a cell.
 */
export function finished(latex: string): string {
  return latex
    .replace(/\s+/g, ' ')
    .replace(/(\\[A-Za-z]+) (?![A-Za-z0-9])/g, '$1')
    .replace(/:(?=\/\/)|!(?=\[)|\](?=\()|www(?=\.)|@/gi, '{$&}')
    .trim();
}
