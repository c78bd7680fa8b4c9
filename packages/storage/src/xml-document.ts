// Whether an answer is a whole XML document with the root that was asked for. Parsers of the SDKs take any first element for the
// answer, and some take half a document.
const PROLOG = /^\uFEFF?\s*(?:<\?xml[^>]*\?>\s*)?/;

export function isXmlDocument(text: string, root: string): boolean {
  const content = text.replace(PROLOG, '');
  return (
    new RegExp(`^<(?:\\w+:)?${root}[\\s>]`).test(content) && new RegExp(`</(?:\\w+:)?${root}\\s*>\\s*$`).test(content)
  );
}
