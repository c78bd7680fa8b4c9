import { searchOperations, type AnswerEnding, type SearchInput } from '@kiln/contracts';
import type { StreamContext } from '@kiln/platform';
import { Stream } from '@kiln/platform/nest';
import { Controller } from '@nestjs/common';
import { AnswerQuestion } from './answer-question.usecase.js';

@Controller()
export class AnswerController {
  constructor(private readonly answerQuestion: AnswerQuestion) {}

  @Stream(searchOperations.answer)
  answer(input: SearchInput<'answer'>, context: StreamContext): AsyncGenerator<{ content: string }, AnswerEnding> {
    return this.answerQuestion.execute(input, context);
  }
}
