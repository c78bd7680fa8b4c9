// Text from files and servers can contain control sequences, which could rewrite what the terminal shows.

// oxlint-disable-next-line no-control-regex -- matches control characters on purpose
const CONTROLS = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]/g;

/** Text over several lines, for a terminal: control characters but line feeds and tabs become `�`. */
export const cleanText = (text: string): string => text.replaceAll('\r\n', '\n').replace(CONTROLS, '\uFFFD');

/** One line of a table. */
export const cleanLine = (text: string): string => cleanText(text.replace(/\s+/g, ' '));
