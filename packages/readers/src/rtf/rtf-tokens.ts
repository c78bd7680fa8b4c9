/** The tokens of Rich Text Format (RTF specification 1.9.1). The work is linear. */
export type RtfToken =
  | { kind: 'open' }
  | { kind: 'close' }
  | { kind: 'word'; name: string; value: number | null }
  /** Bytes of text, in the character set of the font. */
  | { kind: 'bytes'; bytes: Buffer };

const controlWord = /([a-z]{1,32})(-?\d{1,10})? ?/iy;
const plainText = /[^\\{}\r\n]+/y;

/** `rtf` has one character for each byte. */
export function* rtfTokens(rtf: string): Generator<RtfToken> {
  for (let at = 0; at < rtf.length;) {
    const character = rtf[at];
    if (character === '{' || character === '}') {
      at++;
      yield { kind: character === '{' ? 'open' : 'close' };
    } else if (character === '\r' || character === '\n') at++;
    else if (character === '\\') {
      const [token, end] = control(rtf, at + 1);
      at = end;
      if (token === null) continue;
      yield token;
      // Binary data of this many bytes follows.
      if (token.kind === 'word' && token.name === 'bin') at += Math.max(token.value ?? 0, 0);
    } else {
      plainText.lastIndex = at;
      const text = plainText.exec(rtf)?.[0] ?? '';
      at += text.length;
      yield { kind: 'bytes', bytes: Buffer.from(text, 'latin1') };
    }
  }
}

function control(rtf: string, at: number): [token: RtfToken | null, end: number] {
  controlWord.lastIndex = at;
  const found = controlWord.exec(rtf);
  if (found !== null) {
    const [all, name = '', value] = found;
    return [{ kind: 'word', name, value: value === undefined ? null : Number(value) }, at + all.length];
  }
  const symbol = rtf[at] ?? '';
  if (symbol === "'") {
    const code = Number.parseInt(rtf.slice(at + 1, at + 3), 16);
    return [Number.isNaN(code) ? null : { kind: 'bytes', bytes: Buffer.of(code) }, at + 3];
  }
  return [symbolToken(symbol), at + 1];
}

function symbolToken(symbol: string): RtfToken | null {
  switch (symbol) {
    case '\\':
    case '{':
    case '}':
      return { kind: 'bytes', bytes: Buffer.from(symbol) };
    case '*':
      return { kind: 'word', name: '*', value: null };
    case '~':
      return { kind: 'word', name: 'nbsp', value: null };
    case '_':
      return { kind: 'word', name: 'nbhyphen', value: null };
    case '\r':
    case '\n':
      return { kind: 'word', name: 'par', value: null };
    default:
      // `\-` is an optional hyphen.
      return null;
  }
}
