/** Finds the scripts of languages by Tesseract's names for them. */

/** Scripts that a name states after the language, where they are no codes of ISO 15924: `chi_sim`, `deu_frak`. */
const statedScripts: Readonly<Record<string, string>> = { sim: 'Hans', tra: 'Hant', frak: 'Latf' };
const isoScript = /^(latn|cyrl|latf)$/;

/** ISO 639-1, if the language has such a code. `chi_sim` becomes `zh`. */
export function codeOf(language: string): string {
  return localeOf(language)?.language ?? language;
}

/**
 * The script of a language, ISO 15924. Simplified and traditional Chinese, Japanese and Korean count as different
 * scripts, and so do Latin letters and Fraktur, because no data read two of them. An unknown name is a script of its
 * own.
 */
export function scriptOf(language: string): string {
  return localeOf(language)?.maximize().script ?? language;
}

/** For each script except the script of `current`, the first of its languages. */
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
