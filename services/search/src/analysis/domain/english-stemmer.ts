// The English (Porter2) stemmer, http://snowball.tartarus.org/algorithms/english/stemmer.html. It runs in the process and not in
// PostgreSQL, so that the stems do not depend on the server's version, locale or dictionaries. Steps are named as in the description of
// the algorithm. A test compares it with PostgreSQL's english_stem.

const EXCEPTIONS = new Map(
  Object.entries({
    skis: 'ski',
    skies: 'sky',
    dying: 'die',
    lying: 'lie',
    tying: 'tie',
    idly: 'idl',
    gently: 'gentl',
    ugly: 'ugli',
    early: 'earli',
    only: 'onli',
    singly: 'singl',
  }),
);
const INVARIANTS = new Set(['sky', 'news', 'howe', 'atlas', 'cosmos', 'bias', 'andes']);
const INVARIANTS_AFTER_STEP_1A = new Set([
  'inning',
  'outing',
  'canning',
  'herring',
  'earring',
  'proceed',
  'exceed',
  'succeed',
]);

const VOWEL = /[aeiouy]/;
const SHORT_SYLLABLE_AT_END = /(?:[^aeiouy][aeiouy][^aeiouywxY]|^[aeiouy][^aeiouy])$/;
/** The consonants of `add`, `egg` and `off` are exempt, as since Snowball 3. */
const DOUBLE_AT_END = /(?<!^[aeo])(?:bb|dd|ff|gg|mm|nn|pp|rr|tt)$/;
const REGION = /[aeiouy][^aeiouy]/g;
const REGION_EXCEPTIONS = /^(?:gener|commun|arsen)/;

/** Suffixes of steps 2 and 3 with their replacements, the longest first: only the longest match applies. */
const STEP_2 = longestFirst({
  tional: 'tion',
  enci: 'ence',
  anci: 'ance',
  abli: 'able',
  entli: 'ent',
  izer: 'ize',
  ization: 'ize',
  ational: 'ate',
  ation: 'ate',
  ator: 'ate',
  alism: 'al',
  aliti: 'al',
  alli: 'al',
  fulness: 'ful',
  ousli: 'ous',
  ousness: 'ous',
  iveness: 'ive',
  iviti: 'ive',
  biliti: 'ble',
  bli: 'ble',
  ogi: 'og',
  fulli: 'ful',
  lessli: 'less',
  li: '',
});
const STEP_3 = longestFirst({
  tional: 'tion',
  ational: 'ate',
  alize: 'al',
  icate: 'ic',
  iciti: 'ic',
  ical: 'ic',
  ful: '',
  ness: '',
  ative: '',
});
const STEP_4 = /(?:ement|ance|ence|able|ible|ment|ant|ent|ism|ate|iti|ous|ive|ize|ion|al|er|ic)$/;

function longestFirst(rules: Record<string, string>): [string, string][] {
  return Object.entries(rules).sort(([left], [right]) => right.length - left.length);
}

/** The start of the region after the first consonant that follows a vowel, searched from `from` on. */
function regionStart(word: string, from: number): number {
  REGION.lastIndex = from;
  return REGION.test(word) ? REGION.lastIndex : word.length;
}

/** The stem of a word of the letters a to z, in lower case. Words of one or two letters are their own stem. */
export function stemEnglish(word: string): string {
  if (word.length <= 2 || INVARIANTS.has(word)) return word;
  const exception = EXCEPTIONS.get(word);
  if (exception !== undefined) return exception;
  // `Y` marks a y that is a consonant: at the start of the word, or after a vowel.
  const marked = word.replace(/^y/, 'Y').replace(/([aeiouy])y/g, '$1Y');
  const r1 = REGION_EXCEPTIONS.exec(marked)?.[0].length ?? regionStart(marked, 0);
  const r2 = regionStart(marked, r1);
  const singular = step1a(marked);
  if (INVARIANTS_AFTER_STEP_1A.has(singular)) return singular;
  let stem = step1c(step1b(singular, r1));
  stem = replaceSuffix(stem, STEP_2, r1, step2Allows);
  stem = replaceSuffix(stem, STEP_3, r1, (suffix, rest) => suffix !== 'ative' || rest.length >= r2);
  return step5(step4(stem, r2), r1, r2).toLowerCase();
}

function step1a(word: string): string {
  if (word.endsWith('sses')) return word.slice(0, -2);
  if (/ie[ds]$/.test(word)) return word.slice(0, word.length > 4 ? -2 : -1);
  if (/[us]s$/.test(word) || !word.endsWith('s')) return word;
  return VOWEL.test(word.slice(0, -2)) ? word.slice(0, -1) : word;
}

function step1b(word: string, r1: number): string {
  const eed = /eed(?:ly)?$/.exec(word);
  if (eed) return eed.index >= r1 ? `${word.slice(0, eed.index)}ee` : word;
  const suffix = /(?:ed|edly|ing|ingly)$/.exec(word);
  if (!suffix) return word;
  const rest = word.slice(0, suffix.index);
  if (!VOWEL.test(rest)) return word;
  if (/(?:at|bl|iz)$/.test(rest)) return `${rest}e`;
  if (DOUBLE_AT_END.test(rest)) return rest.slice(0, -1);
  return r1 >= rest.length && SHORT_SYLLABLE_AT_END.test(rest) ? `${rest}e` : rest;
}

function step1c(word: string): string {
  return word.length > 2 && /[^aeiouy][yY]$/.test(word) ? `${word.slice(0, -1)}i` : word;
}

function step2Allows(suffix: string, rest: string): boolean {
  if (suffix === 'ogi') return rest.endsWith('l');
  return suffix !== 'li' || /[cdeghkmnrt]$/.test(rest);
}

function replaceSuffix(
  word: string,
  rules: [string, string][],
  region: number,
  allows: (suffix: string, rest: string) => boolean,
): string {
  const rule = rules.find(([suffix]) => word.endsWith(suffix));
  if (!rule) return word;
  const [suffix, replacement] = rule;
  const rest = word.slice(0, -suffix.length);
  return rest.length >= region && allows(suffix, rest) ? rest + replacement : word;
}

function step4(word: string, r2: number): string {
  const suffix = STEP_4.exec(word);
  if (!suffix || suffix.index < r2) return word;
  const rest = word.slice(0, suffix.index);
  return suffix[0] !== 'ion' || /[st]$/.test(rest) ? rest : word;
}

function step5(word: string, r1: number, r2: number): string {
  const last = word.length - 1;
  const rest = word.slice(0, -1);
  if (word.endsWith('e')) return last >= r2 || (last >= r1 && !SHORT_SYLLABLE_AT_END.test(rest)) ? rest : word;
  return word.endsWith('ll') && last >= r2 ? rest : word;
}
