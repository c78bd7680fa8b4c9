/**
 * Reads the answer of a remote engine from disk. The text and its values take several times the size of the answer, so a large one is
 * read in a child of the sandbox.
 */
import { readFile } from 'node:fs/promises';
import type { ExtractionInput, ExtractionOutput, Extractor } from '@kiln/readers/extractor';
import type { Finding } from '@kiln/readers/write-files';
import { answerFault } from './answer-fault.js';
import { answerParameters, isAnswer } from './answer-type.js';
import { writeExtraction } from './write-extraction.js';

export class AnswerReader implements Extractor {
  readonly name = 'answer';
  readonly supports = isAnswer;

  constructor(private readonly outputBytesMax: number) {}

  /** Also throws the faults of ./answer-fault.ts. */
  async extract(input: ExtractionInput): Promise<ExtractionOutput> {
    const answer = parse(await readFile(input.path, 'utf8'));
    return writeExtraction(input, await this.find(answer, input), this.outputBytesMax);
  }

  /** The parser of HTML is loaded only for answers that need it. */
  private async find(answer: unknown, { filename, contentType }: ExtractionInput): Promise<Finding> {
    const parameters = answerParameters(contentType);
    switch (parameters.protocol) {
      case 'docling':
        return (await import('./docling-answer.js')).findConverted(answer, filename, parameters);
      case 'unstructured':
        return (await import('./unstructured-elements.js')).findElements(answer, filename, this.outputBytesMax);
      case 'transcription':
        return (await import('./transcript.js')).parseTranscript(answer);
    }
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw answerFault('malformed', error);
  }
}
