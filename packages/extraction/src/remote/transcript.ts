// What a transcription server answers, as markdown: paragraphs that begin with the moment they were said.
import { cleanText } from '@kiln/pdf/clean-text';
import { escapePlainText } from '@kiln/readers/text/escape-plain-text';
import { answerFault } from './answer-fault.js';
import { isRepetitive } from './repetition.js';
import type { Finding } from '@kiln/readers/write-files';

interface Segment {
  /** Seconds. */
  start: number;
  end: number;
  text: string;
}

/** A paragraph ends after silence of this length … */
const PAUSE_SECONDS = 2;
/** … or when it has this length. */
const PARAGRAPH_SECONDS = 60;

/** `{text, language?, duration?, segments?: [{start, end, text}]}`. */
export function parseTranscript(answer: unknown): Finding {
  const { text, language, duration, segments } = (answer ?? {}) as Record<string, unknown>;
  if (typeof text !== 'string') throw answerFault('malformed', new Error('the answer has no text'));
  const spoken = Array.isArray(segments) ? segments.flatMap(segmentOf) : [];
  if (isRepetitive(spoken.length > 0 ? spoken.map((segment) => segment.text).join(' ') : text))
    throw answerFault('repetitive');
  const markdown = escapePlainText(cleanText(spoken.length > 0 ? paragraphs(spoken).join('\n\n') : text.trim()));
  const seconds = durationOf(duration, answer) ?? spoken.at(-1)?.end ?? null;
  return {
    markdown: markdown === '' ? '' : `${markdown}\n`,
    pages: null,
    pageCount: null,
    title: null,
    author: null,
    language: languageCode(language),
    details: { duration_seconds: seconds },
  };
}

/** Newer models report the duration as `usage: {type: 'duration', seconds}`. */
function durationOf(duration: unknown, answer: unknown): number | null {
  const usage = (answer as { usage?: { seconds?: unknown } | null }).usage?.seconds;
  const seconds = Number(duration ?? usage ?? Number.NaN);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds : null;
}

function segmentOf(value: unknown): Segment[] {
  const { start, end, text } = (value ?? {}) as Record<string, unknown>;
  if (typeof start !== 'number' || typeof end !== 'number' || typeof text !== 'string') return [];
  return Number.isFinite(start) && Number.isFinite(end) && start >= 0 ? [{ start, end, text: text.trim() }] : [];
}

function* groups(segments: readonly Segment[]): Generator<Segment[]> {
  let group: Segment[] = [];
  for (const segment of segments) {
    const first = group[0];
    const last = group.at(-1);
    const isNew =
      first !== undefined &&
      last !== undefined &&
      (segment.start - last.end >= PAUSE_SECONDS || segment.end - first.start > PARAGRAPH_SECONDS);
    if (isNew) {
      yield group;
      group = [];
    }
    group.push(segment);
  }
  if (group.length > 0) yield group;
}

function paragraphs(segments: readonly Segment[]): string[] {
  return [...groups(segments.filter(({ text }) => text !== ''))].map(
    (group) => `[${clock(group[0]?.start ?? 0)}] ${group.map(({ text }) => text).join(' ')}`,
  );
}

/** `3725.4` → `01:02:05`. */
function clock(seconds: number): string {
  const whole = Math.floor(seconds);
  return [Math.floor(whole / 3_600), Math.floor(whole / 60) % 60, whole % 60]
    .map((part) => String(part).padStart(2, '0'))
    .join(':');
}

/** OpenAI names a language in English (`german`), others give its code; null leaves it to the text. */
function languageCode(language: unknown): string | null {
  if (typeof language !== 'string') return null;
  return /^[a-z]{2,3}$/.test(language) ? language : null;
}
