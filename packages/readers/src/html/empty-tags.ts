/** HTML elements without an end tag. */
const voidNames = /^(?:area|base|br|col|embed|hr|img|input|link|meta|param|source|track|wbr)$/i;
/** White space ends the name, so that no character can belong to both. */
const emptyTag = /<([a-z][\w:.-]*)((?:\s[^<>]*)?)\/>/gi;

/** XHTML → HTML: `<title/>` → `<title></title>`. HTML has no empty tags, so the rest of the page would belong to the title. */
export function withoutEmptyTags(xhtml: string): string {
  return xhtml.replace(emptyTag, (tag, name: string, attributes: string) =>
    voidNames.test(name) ? tag : `<${name}${attributes}></${name}>`,
  );
}
