import { searchOperations, type AnswerEnding, type OperationInput } from '@kiln/contracts';
import type { StreamContext } from '@kiln/platform';
import { Stream } from '@kiln/platform/nest';
import { Controller } from '@nestjs/common';
import { AnswerQuestion } from './answer-question.usecase.js';

type AnswerOperation = typeof searchOperations.answer;

@Controller()
export class AnswerController {
  constructor(private readonly answerQuestion: AnswerQuestion) {}

  @Stream(searchOperations.answer)
  answer(
    input: OperationInput<AnswerOperation>,
    context: StreamContext,
  ): AsyncGenerator<{ content: string }, AnswerEnding> {
    return this.answerQuestion.execute(input, context);
  }
}
