// Formats generated text as the formatter of the repository does.
import { format } from 'oxfmt';

/** The settings of `.oxfmtrc.jsonc`, which the library does not read. */
const STYLE = { singleQuote: true, printWidth: 120, trailingComma: 'all' } as const;

/** The language is that of the file name. Throws if the text has a syntax error. */
export async function formatText(fileName: string, text: string): Promise<string> {
  const { code, errors } = await format(fileName, text, STYLE);
  if (errors.length > 0) throw new Error(`${fileName}: ${errors.map(({ message }) => message).join('; ')}`);
  return code;
}
