/** Reads the properties of a recording: its length, its encoding and its tags. Its speech is not transcribed, and the markdown says so. */
import { type ICommonTagsResult, parseFile } from 'music-metadata';
import { isoDate } from '@kiln/pdf/iso-date';
import { cleanText } from '@kiln/pdf/clean-text';
import type { Engine } from '../engine.js';
import { corruptFile } from '../engine-failure.js';
import { element } from '../html/build-html.js';
import { documentOf } from '../html/html-document.js';
import type { HtmlElement } from '../html/html-node.js';
import { toMarkdown } from '../html/html-to-markdown.js';

const textCharactersMax = 1000;
const lyricsCharactersMax = 100_000;

export const extractAudio: Engine = async (input) => {
  const { format, common } = await parseFile(input.path, { duration: true, skipCovers: true });
  if (format.codec === undefined && format.duration === undefined) throw corruptFile('audio', input.filename);
  const title = text(common.title);
  const artist = text(common.artist);
  const encoding = text(format.codec) ?? text(format.container) ?? '';
  const length = format.duration === undefined ? '' : `, ${clock(format.duration)}`;
  const blocks = [
    element('p', [`${input.filename}: ${encoding} audio${length}.`]),
    ...tagLines(common),
    ...lyricsOf(common),
    element('p', [element('em', ['The speech in this recording was not transcribed: that needs a speech engine.'])]),
  ];
  const document = documentOf(blocks, input.filename);
  return {
    markdown: toMarkdown(document, input.filename, input.limits.outputBytesMax),
    pages: null,
    pageCount: null,
    title: title ?? input.filename,
    author: artist,
    language: null,
    isDescription: true,
    details: {
      ...stated('duration_seconds', format.duration),
      ...stated('container', text(format.container)),
      ...stated('codec', text(format.codec)),
      ...stated('sample_rate_hertz', format.sampleRate),
      ...stated('channels', format.numberOfChannels),
      ...stated('bits_per_second', format.bitrate === undefined ? undefined : Math.round(format.bitrate)),
      ...stated('is_lossless', format.lossless),
      ...stated('bits_per_sample', format.bitsPerSample),
      ...stated('encoder', text(format.tool)),
      ...stated('album', text(common.album)),
      ...stated('album_artist', text(common.albumartist)),
      ...stated('composer', text(common.composer?.join(', '))),
      ...stated('track_number', common.track.no),
      ...stated('disc_number', common.disk.no),
      ...stated('released', isoDate(common.releasedate ?? common.date)),
      ...stated('copyright', text(common.copyright)),
      ...stated('year', common.year),
      ...stated('genre', text(common.genre?.join(', '))),
    },
  };
};

function tagLines(common: ICommonTagsResult): HtmlElement[] {
  const tags: readonly (readonly [name: string, value: string | null])[] = [
    ['Title', text(common.title)],
    ['Artist', text(common.artist)],
    ['Album', text(common.album)],
    ['Year', common.year === undefined ? null : String(common.year)],
    ['Genre', text(common.genre?.join(', '))],
  ];
  const items = tags.flatMap(([name, value]) => (value === null ? [] : [element('li', [`${name}: ${value}`])]));
  return items.length === 0 ? [] : [element('ul', items)];
}

function lyricsOf(common: ICommonTagsResult): HtmlElement[] {
  const lyrics = (common.lyrics ?? []).map((found) => found.text ?? '').join('\n');
  const lines = cleanText(lyrics.slice(0, lyricsCharactersMax)).split('\n');
  const shown = lines.filter((line) => line.trim() !== '');
  return shown.length === 0
    ? []
    : [
        element(
          'p',
          shown.flatMap((line, at) => (at === 0 ? [line] : [element('br'), line])),
        ),
      ];
}

/** `3725.4` → `1:02:05` */
function clock(seconds: number): string {
  const whole = Math.round(seconds);
  const parts = [Math.floor(whole / 60) % 60, whole % 60].map((part) => String(part).padStart(2, '0'));
  return [Math.floor(whole / 3600), ...parts].join(':');
}

function stated<Value>(name: string, value: Value | null | undefined): Record<string, Value> {
  return value === null || value === undefined ? {} : { [name]: value };
}

function text(value: string | undefined): string | null {
  const cleaned = cleanText(value ?? '')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, textCharactersMax)
    .toWellFormed();
  return cleaned === '' ? null : cleaned;
}
