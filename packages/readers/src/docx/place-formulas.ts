/**
 * Places formulas in the HTML that mammoth made of a Word document. mammoth keeps the names of bookmarks, so each formula
 * is replaced by a bookmark before the conversion.
 */
import { officeFormulas } from '../formula/office-formula.js';
import type { HtmlDocument } from '../html/html-document.js';
import { formulaElement } from '../html/html-formula.js';
import { attribute, childrenOf, type HtmlElement, type HtmlNode, link, unlink } from '../html/html-node.js';
import type { XmlElement } from '../xml/xml-tree.js';

const bookmark = /<a id="formula-(\d+)"><\/a>/g;
const place = 'kiln-formula';

interface PlacedFormula {
  latex: string;
  isDisplayed: boolean;
}

/** A formula may be inside a link, a bookmark may not. `html` is the output of mammoth. */
export function withFormulaPlaces(html: string): string {
  return html.replace(bookmark, `<${place} value="$1"></${place}>`);
}

export class PlacedFormulas {
  private readonly formulas: (PlacedFormula | undefined)[] = [];

  /** Takes an `m:oMathPara` or `m:oMath`. Returns the names of the bookmarks that replace its formulas. */
  add(formula: XmlElement): string[] {
    const isDisplayed = formula.local === 'oMathPara';
    return officeFormulas(formula).map((latex) => `formula-${this.formulas.push({ latex, isDisplayed }) - 1}`);
  }

  place(document: HtmlDocument): HtmlDocument {
    if (document.body !== null && this.formulas.length > 0) this.visit(document.body);
    return document;
  }

  private visit(element: HtmlElement): void {
    const children = [...childrenOf(element)];
    const isAlone = element.name === 'p' && children.every(isPlaceOrSpace);
    for (const child of children) {
      if (child.kind === 'text') continue;
      if (child.name === place) this.replace(child, element, isAlone);
      else this.visit(child);
    }
  }

  /** A document can repeat a bookmark. The formula is only in the first place. */
  private replace(child: HtmlElement, parent: HtmlElement, isAlone: boolean): void {
    const index = Number(attribute(child, 'value'));
    const formula = this.formulas[index];
    this.formulas[index] = undefined;
    if (formula !== undefined) link(formulaElement(formula.latex, formula.isDisplayed || isAlone), parent, child);
    unlink(child);
  }
}

function isPlaceOrSpace(node: HtmlNode): boolean {
  return node.kind === 'text' ? node.text.trim() === '' : node.name === place;
}
