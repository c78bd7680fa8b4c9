import { escapeHeadingEnd, escapeInline } from '@kiln/pdf/markdown/escape-markdown';
import { cleanText } from '@kiln/pdf/clean-text';
import type { CoreProperties } from '../archive/core-properties.js';
import type { EngineOutput } from '../engine.js';
import { PagedText } from '@kiln/pdf/markdown/paged-text';

/** Metadata names at most this many sheets. */
const namedSheetsMax = 200;
const nameCharactersMax = 200;

/** Joins the sheets of a workbook. Each is a page, under a heading with its name. A sheet without content is left out. */
export class WorkbookText {
  private readonly text = new PagedText();
  private readonly names: string[] = [];
  private readonly hidden: string[] = [];
  private sheets = 0;

  /** `blocks` are paragraphs and tables in markdown. */
  add(name: string, isHidden: boolean, blocks: readonly string[]): void {
    const shown = cleanText(name).replace(/\s+/g, ' ').trim().slice(0, nameCharactersMax).toWellFormed();
    this.sheets++;
    if (this.names.length < namedSheetsMax) this.names.push(shown);
    if (isHidden && this.hidden.length < namedSheetsMax) this.hidden.push(shown);
    const heading = `## ${escapeHeadingEnd(escapeInline(shown))}`;
    const content = [heading, ...(isHidden ? ['*Hidden sheet*'] : []), ...blocks];
    this.text.add(this.sheets, blocks.length === 0 ? '' : content.join('\n\n'));
  }

  output({ title, author, language, details }: CoreProperties): EngineOutput {
    return {
      markdown: this.text.markdown,
      pages: this.text.pages,
      pageCount: null,
      title,
      author,
      language,
      details: {
        ...details,
        sheet_count: this.sheets,
        sheet_names: this.names,
        ...(this.hidden.length === 0 ? {} : { hidden_sheets: this.hidden }),
      },
    };
  }
}
