// Replaces what differs between two recordings.

const ID = /\b(file|job|org|key)_[0-9a-z]{26}\b/g;
/** Ids in the documents of Kiln begin so. */
const SUFFIX = '01jd6wc7v8fkz9t1r6qf3e4m';

export class Replacements {
  readonly #ids = new Map<string, string>();

  constructor(private readonly texts: Readonly<Record<string, string>>) {}

  apply(text: string): string {
    let replaced = text;
    for (const [from, to] of Object.entries(this.texts)) replaced = replaced.replaceAll(from, to);
    return replaced
      .replaceAll(ID, (id, prefix: string) => this.#idOf(id, prefix))
      .replaceAll(/\d+ (?:s|min) ago/g, '2 s ago')
      .replaceAll(/^(period +)\d{4}-\d{2}$/gm, '$12026-11');
  }

  /** The same for the same id, of the same length. */
  #idOf(id: string, prefix: string): string {
    const known = this.#ids.get(id) ?? `${prefix}_${SUFFIX}${String(this.#ids.size + 1).padStart(2, '0')}`;
    this.#ids.set(id, known);
    return known;
  }
}
