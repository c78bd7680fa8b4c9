// Types of the two libraries that ship none that fit their own name.
declare module '@mixmark-io/domino' {
  export function createDocument(html?: string, force?: boolean): Document;
}

declare module '@joplin/turndown-plugin-gfm' {
  import type { Plugin } from 'turndown';
  export const strikethrough: Plugin;
  export const taskListItems: Plugin;
  export const highlightedCodeBlock: Plugin;
}
