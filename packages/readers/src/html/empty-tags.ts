/** Elements that HTML closes by itself. */
const voidNames = /^(?:area|base|br|col|embed|hr|img|input|link|meta|param|source|track|wbr)$/i;
/** White space ends the name, so that no character can belong to both. */
const emptyTag = /<([a-z][\w:.-]*)((?:\s[^<>]*)?)\/>/gi;

/** XHTML → HTML: `<title/>` → `<title></title>`. HTML knows no empty tags, and would take the rest of the page for a title. */
export function withoutEmptyTags(xhtml: string): string {
  return xhtml.replace(emptyTag, (tag, name: string, attributes: string) =>
    voidNames.test(name) ? tag : `<${name}${attributes}></${name}>`,
  );
}
