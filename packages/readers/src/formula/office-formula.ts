/** Reads a formula of Office (ISO/IEC 29500-1, 22.1) as LaTeX. An unknown element becomes its text. */
import { childOf, childrenNamed, elementsOf, prefixedAttribute, textOf, type XmlElement } from '../xml/xml-tree.js';
import { formulaText, plainStyle, type TextStyle } from './formula-text.js';
import {
  accent,
  binomial,
  delimited,
  equations,
  finished,
  fraction,
  functionName,
  limit,
  matrix,
  operator,
  prescripts,
  radical,
  scriptBase,
  scripts,
  separator,
  sequence,
} from './latex.js';

type Reader = (part: XmlElement, of: (name: string) => string) => string;

/** Text that was deleted or moved elsewhere. */
const unread = new Set(['del', 'moveFrom']);
const alphabets: ReadonlyMap<string, string> = new Map([
  ['double-struck', '\\mathbb'],
  ['fraktur', '\\mathfrak'],
  ['script', '\\mathcal'],
  ['sans-serif', '\\mathsf'],
  ['monospace', '\\mathtt'],
]);

/** The formulas of an `m:oMathPara` or `m:oMath`, each in LaTeX. */
export function officeFormulas(formula: XmlElement): string[] {
  const lines = formula.local === 'oMathPara' ? childrenNamed(formula, 'oMath') : [];
  return (lines.length === 0 ? [formula] : lines)
    .map((line) => finished(contentOf(line, false)))
    .filter((latex) => latex !== '');
}

const readers: Readonly<Record<string, Reader>> = {
  f: (part, of) => fraction(of('num'), of('den'), property(part, 'type') ?? 'bar'),
  sSup: (_part, of) => scripts(scriptBase(of('e')), '', of('sup')),
  sSub: (_part, of) => scripts(scriptBase(of('e')), of('sub'), ''),
  sSubSup: (_part, of) => scripts(scriptBase(of('e')), of('sub'), of('sup')),
  sPre: (_part, of) => prescripts(of('e'), of('sub'), of('sup')),
  rad: (_part, of) => radical(of('e'), of('deg')),
  nary: (part, of) => operator(property(part, 'chr') ?? '∫', of('sub'), of('sup'), of('e')),
  d: delimiters,
  func: (part, of) => `${nameOf(childOf(part, 'fName'), of('fName'))} ${of('e')}`,
  limLow: (part, of) => limit(nameOf(childOf(part, 'e'), of('e')), of('lim'), true),
  limUpp: (part, of) => limit(nameOf(childOf(part, 'e'), of('e')), of('lim'), false),
  acc: (part, of) => accent(property(part, 'chr') ?? '\u0302', of('e'), false),
  bar: (part, of) => {
    const isAbove = property(part, 'pos') === 'top';
    return accent(isAbove ? '\u0305' : '\u0332', of('e'), !isAbove);
  },
  groupChr: (part, of) => accent(property(part, 'chr') ?? '⏟', of('e'), property(part, 'pos') !== 'top'),
  borderBox: (_part, of) => `\\boxed{${of('e')}}`,
  phant: (part, of) => (isOff(property(part, 'show')) ? `\\phantom{${of('e')}}` : of('e')),
  m: (part) =>
    matrix(childrenNamed(part, 'mr').map((row) => childrenNamed(row, 'e').map((cell) => contentOf(cell, false)))),
  eqArr: (part) => equations(childrenNamed(part, 'e').map((line) => contentOf(line, true))),
};

function contentOf(parent: XmlElement | null, isAligned: boolean): string {
  const parts: string[] = [];
  let text = '';
  let style = plainStyle;
  const endText = (): void => {
    if (text !== '') parts.push(formulaText(text, style));
    text = '';
  };
  for (const part of parent === null ? [] : elementsOf(parent)) {
    if (part.local === 'r' || part.local === 't') {
      // Word divides words into runs at any place.
      const next = part.local === 'r' ? styleOf(part, isAligned) : { ...plainStyle, isAligned };
      if (!isSame(style, next)) endText();
      style = next;
      text += runText(part);
    } else if (!part.local.endsWith('Pr') && !unread.has(part.local)) {
      endText();
      const of = (name: string): string => contentOf(childOf(part, name), false);
      const reader = Object.hasOwn(readers, part.local) ? readers[part.local] : undefined;
      parts.push(reader === undefined ? contentOf(part, isAligned) : reader(part, of));
    }
  }
  endText();
  return sequence(parts);
}

function runText(run: XmlElement): string {
  if (run.local === 't') return textOf(run);
  let text = '';
  for (const part of elementsOf(run)) {
    if (part.local === 'br' || part.local === 'cr' || part.local === 'tab') text += ' ';
    else if (!part.local.endsWith('Pr') && !unread.has(part.local)) text += textOf(part);
  }
  return text;
}

function styleOf(run: XmlElement, isAligned: boolean): TextStyle {
  const properties = childOf(run, 'rPr');
  const style = prefixedAttribute(childOf(properties, 'sty'), 'val') ?? 'i';
  const script = alphabets.get(prefixedAttribute(childOf(properties, 'scr'), 'val') ?? '');
  const bold = style === 'b' ? '\\mathbf' : style === 'bi' ? '\\boldsymbol' : null;
  const normal = childOf(properties, 'nor');
  return {
    isText: normal !== null && !isOff(prefixedAttribute(normal, 'val')),
    isUpright: style === 'p',
    alphabet: script ?? bold,
    isAligned,
  };
}

function isSame(left: TextStyle, right: TextStyle): boolean {
  return left.isText === right.isText && left.isUpright === right.isUpright && left.alphabet === right.alphabet;
}

function nameOf(name: XmlElement | null, latex: string): string {
  const isText = name !== null && [...elementsOf(name)].every(({ local }) => local === 'r' || local.endsWith('Pr'));
  return isText ? functionName([...elementsOf(name)].map(runText).join(''), latex) : latex;
}

function delimiters(part: XmlElement): string {
  const begin = property(part, 'begChr') ?? '(';
  const end = property(part, 'endChr') ?? ')';
  const inner = childrenNamed(part, 'e');
  const choice = begin === '(' && end === ')' && inner.length === 1 ? choiceIn(inner[0]) : null;
  if (choice !== null) return choice;
  const content = inner.map((one) => contentOf(one, false)).join(separator(property(part, 'sepChr') ?? '|'));
  return delimited(begin, content, end);
}

/** A fraction without a bar, alone in parentheses. */
function choiceIn(content: XmlElement | undefined): string | null {
  const parts = content === undefined ? [] : [...elementsOf(content)].filter(({ local }) => !local.endsWith('Pr'));
  const [only] = parts;
  if (parts.length !== 1 || only?.local !== 'f' || property(only, 'type') !== 'noBar') return null;
  return binomial(contentOf(childOf(only, 'num'), false), contentOf(childOf(only, 'den'), false));
}

/** Empty if the property stands without a value. Null if it is missing. */
function property(part: XmlElement, name: string): string | null {
  const stated = childOf(childOf(part, `${part.local}Pr`), name);
  return stated === null ? null : (prefixedAttribute(stated, 'val') ?? '');
}

function isOff(value: string | null): boolean {
  return value !== null && /^(?:0|false|off)$/.test(value);
}
