import { describe, expect, it } from '@jest/globals';
import { parseXml } from '../xml/xml-tree.js';
import { officeFormulas } from './office-formula.js';

const part = (name: string, ...content: string[]): string => `<m:${name}>${content.join('')}</m:${name}>`;
const properties = (name: string, values: Readonly<Record<string, string>>): string =>
  part(
    `${name}Pr`,
    Object.entries(values)
      .map(([property, value]) => `<m:${property} m:val="${value}"/>`)
      .join(''),
  );
const run = (text: string, style = ''): string => `<m:r>${style}<m:t>${text}</m:t></m:r>`;
const styled = (text: string, values: Readonly<Record<string, string>>): string => run(text, properties('r', values));
const e = (...content: string[]): string => part('e', ...content);
const sub = (text: string): string => part('sub', run(text));
const sup = (text: string): string => part('sup', run(text));
const fraction = (above: string, below: string, type = 'bar'): string =>
  part('f', properties('f', { type }), part('num', run(above)), part('den', run(below)));
const brackets = (values: Readonly<Record<string, string>>, ...content: string[]): string =>
  part('d', properties('d', values), ...content);
const latex = (...content: string[]): string => officeFormulas(parseXml(part('oMath', ...content), 'a')).join('\n');

describe('a formula of Office becomes LaTeX', () => {
  it.each([
    ['a fraction', fraction('a+b', '2'), '\\frac{a+b}{2}'],
    ['a fraction on one line', fraction('a+b', '2', 'lin'), '{a+b}/2'],
    ['a skewed fraction', fraction('a', 'b', 'skw'), '{}^{a}/_{b}'],
    ['a fraction without a bar', fraction('a', 'b', 'noBar'), '\\genfrac{}{}{0pt}{}{a}{b}'],
    ['a binomial coefficient', brackets({}, e(fraction('n', 'k', 'noBar'))), '\\binom{n}{k}'],
    ['a power', part('sSup', e(run('x')), sup('2')), 'x^{2}'],
    ['a power of a fraction', part('sSup', e(fraction('a', 'b')), sup('2')), '{\\frac{a}{b}}^{2}'],
    ['an index of a letter', part('sSub', e(run('θ')), sub('i')), '\\theta_{i}'],
    ['both scripts', part('sSubSup', e(run('x')), sub('i'), sup('n+1')), 'x_{i}^{n+1}'],
    ['scripts before the letter', part('sPre', sub('6'), sup('14'), e(run('C'))), '{}_{6}^{14}C'],
    ['a derivative', part('sSup', e(run('f')), sup('′')), 'f^{\\prime}'],
    ['a prime behind a script', part('sSub', e(run('x')), sub('1')) + run('′'), "x_{1}{}'"],
    ['a root', part('rad', properties('rad', { degHide: '1' }), part('deg'), e(run('x'))), '\\sqrt{x}'],
    ['a root of a degree', part('rad', part('deg', run('3')), e(run('x'))), '\\sqrt[{3}]{x}'],
    ['a sum', part('nary', properties('nary', { chr: '∑' }), sub('k=0'), sup('n'), e(run('k'))), '\\sum_{k=0}^{n} k'],
    ['an integral, which is what an operator is by default', part('nary', sub(''), sup(''), e(run('x'))), '\\int x'],
    ['parentheses', brackets({}, e(run('x'))), '\\left(x\\right)'],
    ['bars', brackets({ begChr: '|', endChr: '|' }, e(run('x'))), '\\left\\vert x\\right\\vert'],
    ['a set', brackets({ begChr: '{', endChr: '}' }, e(run('x')), e(run('y'))), '\\left\\{x\\mid y\\right\\}'],
    ['separated parts', brackets({ sepChr: ',' }, e(run('x')), e(run('y'))), '\\left(x,y\\right)'],
    ['one delimiter', brackets({ begChr: '{', endChr: '' }, e(run('x'))), '\\left\\{x\\right.'],
    ['a function', part('func', part('fName', run('log')), e(brackets({}, e(run('x'))))), '\\log\\left(x\\right)'],
    ['a function of another name', part('func', part('fName', run('rank')), e(run('A'))), '\\operatorname{rank} A'],
    [
      'a limit',
      part('func', part('fName', part('limLow', e(run('lim')), part('lim', run('n→∞')))), e(run('a'))),
      '\\lim_{n\\rightarrow\\infty} a',
    ],
    ['a text below', part('limLow', e(run('A')), part('lim', run('n'))), '\\underset{n}{A}'],
    ['an accent', part('acc', e(run('x'))), '\\hat{x}'],
    [
      'an accent over several letters',
      part('acc', properties('acc', { chr: '\u20d7' }), e(run('AB'))),
      '\\overrightarrow{AB}',
    ],
    ['a bar above', part('bar', properties('bar', { pos: 'top' }), e(run('z'))), '\\overline{z}'],
    ['a line below', part('acc', properties('acc', { chr: '\u0332' }), e(run('z'))), '\\underline{z}'],
    ['a bar below', part('bar', e(run('z'))), '\\underline{z}'],
    [
      'a brace with its text',
      part('limLow', e(part('groupChr', e(run('a+b')))), part('lim', run('two '), run('terms'))),
      '\\underbrace{a+b}_{\\text{two terms}}',
    ],
    [
      'an arrow above',
      part('groupChr', properties('groupChr', { chr: '⇒', pos: 'top' }), e(run('x'))),
      '\\overset{\\Rightarrow}{x}',
    ],
    [
      'a matrix',
      part('m', part('mr', e(run('1')), e(run('0'))), part('mr', e(run('[a]')), e(run('b')))),
      '\\begin{matrix}1 & 0 \\\\ {}[a] & b\\end{matrix}',
    ],
    [
      'equations',
      part('eqArr', e(run('x&amp;=1')), e(run('y&amp;=2'))),
      '\\begin{aligned}x& =1 \\\\ y& =2\\end{aligned}',
    ],
    ['a numbered equation', part('eqArr', e(run('x=1#(3)'))), 'x=1\\quad(3)'],
    ['a box', part('box', e(run('x'))), 'x'],
    ['a box with borders', part('borderBox', e(run('x'))), '\\boxed{x}'],
    [
      'what takes space and is not shown',
      part('phant', properties('phant', { show: '0' }), e(run('x'))),
      '\\phantom{x}',
    ],
    ['upright letters', styled('d', { sty: 'p' }), '\\mathrm{d}'],
    ['upright functions', styled('sin', { sty: 'p' }) + run('x'), '\\sin x'],
    ['bold letters', styled('v', { sty: 'b' }), '\\mathbf{v}'],
    ['letters with a double stroke', styled('R', { scr: 'double-struck' }), '\\mathbb{R}'],
    ['ordinary text', run('if x', '<m:rPr><m:nor/></m:rPr>'), '\\text{if x}'],
    ['words between formulas, in several runs', run('x>0 fo') + run('r all ') + run('x'), 'x\\gt 0\\text{ for all }x'],
    ['a power that was typed', run('x^10+y'), 'x^{10}+y'],
    ['operators', run('a×b≤c≠d∈ℝ→∞…'), 'a\\times b\\leq c\\neq d\\in\\mathbb{R}\\rightarrow\\infty\\ldots'],
    ['letters of a mathematical alphabet', run('𝑎𝐁𝒞𝔻𝛼𝟏'), 'a\\mathbf{B}\\mathcal{C}\\mathbb{D}\\alpha\\mathbf{1}'],
    ['letters of other scripts', run('速度=v'), '\\text{速度}=v'],
    ['degrees and superscripts', run('90°+x²'), '90^{\\circ}+x^{2}'],
  ])('%s', (_name, content, expected) => {
    expect(latex(content)).toBe(expected);
  });

  it('with the text of elements that are unknown, and without what was deleted', () => {
    const unknown = `<m:new><m:newPr><m:x/></m:newPr>${run('a')}<w:ins>${run('b')}</w:ins></m:new>`;
    expect(latex(unknown, `<w:del>${run('c')}</w:del>`, part('constructor', run('d')))).toBe('abd');
  });

  it('each line of a paragraph of formulas by itself', () => {
    const paragraph = part('oMathPara', part('oMath', run('a=b')), part('oMath', run('c=d')), part('oMath'));
    expect(officeFormulas(parseXml(paragraph, 'a'))).toEqual(['a=b', 'c=d']);
  });

  it.each([
    'f',
    'sSup',
    'sSubSup',
    'sPre',
    'rad',
    'nary',
    'd',
    'func',
    'limLow',
    'acc',
    'bar',
    'groupChr',
    'm',
    'eqArr',
  ])('also if a part of it is missing: %s', (name) => {
    expect(() => latex(part(name), run('x'))).not.toThrow();
  });
});

describe('text in a formula', () => {
  it.each([
    ['100%', '100\\%'],
    ['{a_b}#$', '\\{a\\_b\\}\\#\\$'],
    ['a&amp;b\\c~d', 'a\\& b\\backslash c\\sim d'],
  ])('is no command: %s', (text, expected) => {
    expect(latex(run(text)).replace('\\&b', '\\& b')).toBe(expected);
  });

  it.each([
    '&lt;img src=x onerror=alert(1)&gt;',
    'see &lt;b&gt;this&lt;/b&gt; and `code`',
    '![a](b) [c](javascript:alert)',
    'read http://example.com or www.example.com or a@example.com',
    'a|b $x$',
  ])('is neither HTML, nor a link, nor the end of a cell or formula: %s', (text) => {
    for (const style of ['', '<m:rPr><m:nor/></m:rPr>'])
      expect(latex(run(text, style))).not.toMatch(/[<>`|]|\]\(|!\[|:\/\/|www\.|\w@|(?<!\\)\$/);
  });
});
