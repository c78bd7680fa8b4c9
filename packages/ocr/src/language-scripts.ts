/** What Tesseract's names of languages say of their scripts. */

/** Scripts that a name states behind the language, where they are not ISO 15924 themselves: `chi_sim`, `deu_frak`. */
const statedScripts: Readonly<Record<string, string>> = { sim: 'Hans', tra: 'Hant', frak: 'Latf' };
const isoScript = /^(latn|cyrl|latf)$/;

/** ISO 639-1, if the language has such a code. `chi_sim`: zh. */
export function codeOf(language: string): string {
  return localeOf(language)?.language ?? language;
}

/**
 * The script of a language, ISO 15924. The two kinds of Chinese, Japanese and Korean count as different ones, as do Latin letters and
 * Fraktur: no data read two of them. A name that is not known is a script of its own.
 */
export function scriptOf(language: string): string {
  return localeOf(language)?.maximize().script ?? language;
}

/** The first of the languages of each script but that of `current`. */
export function firstOfOtherScripts(languages: readonly string[], current: string): string[] {
  const seen = new Set([scriptOf(current)]);
  return languages.filter((language) => {
    const script = scriptOf(language);
    if (seen.has(script)) return false;
    seen.add(script);
    return true;
  });
}

function localeOf(language: string): Intl.Locale | null {
  const [code = '', part = ''] = language.toLowerCase().split('_');
  const script = statedScripts[part] ?? (isoScript.test(part) ? part : undefined);
  try {
    return new Intl.Locale(code, script === undefined ? {} : { script });
  } catch {
    return null;
  }
}
