// Checks that a response is a complete XML document with the requested root element. The parsers of the SDKs accept any root element, and
// some accept truncated documents.
const PROLOG = /^\uFEFF?\s*(?:<\?xml[^>]*\?>\s*)?/;

export function isXmlDocument(text: string, root: string): boolean {
  const content = text.replace(PROLOG, '');
  return (
    new RegExp(`^<(?:\\w+:)?${root}[\\s>]`).test(content) && new RegExp(`</(?:\\w+:)?${root}\\s*>\\s*$`).test(content)
  );
}
