/** Documents can state properties of any length. Metadata holds only as much as people read. */

const textCharactersMax = 1000;
const entriesMax = 200;
const keyCharactersMax = 100;
const depthMax = 3;
/** The limit of all names and texts together. */
const charactersMax = 65_536;

type Fields = Record<string, unknown>;

/** Shortens texts and lists. Leaves out null, values that are nested too deeply, and values that do not fit. */
export function boundedFields(fields: Readonly<Fields>): Fields {
  return new FieldBudget().record(fields, 0);
}

export function boundedText(text: string, charactersAllowed = textCharactersMax): string {
  return text.length <= charactersAllowed ? text : text.slice(0, charactersAllowed).toWellFormed();
}

class FieldBudget {
  private left = charactersMax;

  record(fields: Readonly<Fields>, depth: number): Fields {
    const kept: [string, unknown][] = [];
    for (const [name, value] of Object.entries(fields).slice(0, entriesMax)) {
      const shown = this.value(value, depth + 1);
      if (shown !== null) kept.push([this.text(name, keyCharactersMax), shown]);
    }
    return Object.fromEntries(kept);
  }

  private value(value: unknown, depth: number): unknown {
    if (this.left <= 0) return null;
    if (typeof value === 'string') return this.text(value, textCharactersMax);
    if (typeof value === 'number') return Number.isFinite(value) ? value : null;
    if (typeof value === 'boolean') return value;
    if (typeof value !== 'object' || value === null || depth > depthMax) return null;
    if (!Array.isArray(value)) return this.record(value as Fields, depth);
    return value.slice(0, entriesMax).flatMap((entry) => this.value(entry, depth + 1) ?? []);
  }

  private text(text: string, charactersAllowed: number): string {
    const shown = boundedText(text, Math.min(charactersAllowed, Math.max(0, this.left)));
    this.left -= shown.length + 1;
    return shown;
  }
}
