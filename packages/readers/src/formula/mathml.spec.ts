import { describe, expect, it } from '@jest/globals';
import { parseXml } from '../xml/xml-tree.js';
import { mathFormula } from './mathml.js';

const latex = (content: string): string => mathFormula(parseXml(`<math>${content}</math>`, 'a'));

describe('MathML becomes LaTeX', () => {
  it.each([
    ['<mfrac><mi>a</mi><mn>2</mn></mfrac>', '\\frac{a}{2}'],
    ['<mo>(</mo><mfrac linethickness="0"><mi>n</mi><mi>k</mi></mfrac><mo>)</mo>', '\\binom{n}{k}'],
    ['<msup><mi>x</mi><mrow><mi>n</mi><mo>−</mo><mn>1</mn></mrow></msup>', 'x^{n-1}'],
    ['<msubsup><mi>x</mi><mi>i</mi><mn>2</mn></msubsup>', 'x_{i}^{2}'],
    ['<msqrt><mi>x</mi><mo>+</mo><mn>1</mn></msqrt>', '\\sqrt{x+1}'],
    ['<mroot><mi>x</mi><mn>3</mn></mroot>', '\\sqrt[{3}]{x}'],
    [
      '<munderover><mo>∑</mo><mrow><mi>k</mi><mo>=</mo><mn>0</mn></mrow><mi>n</mi></munderover><mi>k</mi>',
      '\\sum_{k=0}^{n}k',
    ],
    ['<munder><mo>lim</mo><mrow><mi>x</mi><mo>→</mo><mn>0</mn></mrow></munder>', '\\lim_{x\\rightarrow 0}'],
    ['<mover accent="true"><mi>v</mi><mo>→</mo></mover>', '\\vec{v}'],
    ['<munder><mrow><mi>a</mi></mrow><mo>⏟</mo></munder>', '\\underbrace{a}'],
    ['<mi>sin</mi><mo>&#x2061;</mo><mi>x</mi>', '\\sin x'],
    ['<mi mathvariant="bold">v</mi><mo>&lt;</mo><mi>α</mi>', '\\mathbf{v}\\lt\\alpha'],
    ['<mtext>if </mtext><mi>x</mi>', '\\text{if }x'],
    ['<mfenced open="["><mi>a</mi><mi>b</mi></mfenced>', '\\left[a,b\\right)'],
    [
      '<mtable><mtr><mtd><mn>1</mn></mtd><mtd><mn>0</mn></mtd></mtr><mtr><mtd><mi>a</mi></mtd></mtr></mtable>',
      '\\begin{matrix}1 & 0 \\\\ a\\end{matrix}',
    ],
    [
      '<mmultiscripts><mi>C</mi><none/><mn>2</mn><mprescripts/><mn>6</mn><mn>14</mn></mmultiscripts>',
      '{}_{6}^{14}{C^{2}}',
    ],
    ['<semantics><mrow><mi>x</mi></mrow><annotation encoding="StarMath 5.0">x{}</annotation></semantics>', 'x'],
    ['x <unknown><mi>y</mi></unknown>', 'x y'],
  ])('%s', (content, expected) => {
    expect(latex(content)).toBe(expected);
  });

  it.each(['mfrac', 'msup', 'msubsup', 'mroot', 'munderover', 'mmultiscripts', 'mtable', 'mfenced', 'mi'])(
    'also if all parts are missing: %s',
    (name) => {
      expect(() => latex(`<${name}/>`)).not.toThrow();
    },
  );
});
