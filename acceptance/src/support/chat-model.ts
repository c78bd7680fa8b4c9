// A chat model on loopback with OpenAI's API, which streams the words that a test chooses.
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface AskedQuestion {
  headers: IncomingHttpHeaders;
  /** The contents of the messages: that of the system, that of the user. */
  messages: string[];
  body: Record<string, unknown>;
  /** Whether the connection was closed before the answer was complete. */
  isAborted: boolean;
}

export interface ChatModel {
  url: string;
  asked: AskedQuestion[];
  /** Answers with these words. With `hold`, the last one is followed by silence. */
  say(words: readonly string[], options?: { hold?: boolean }): void;
  /** Gives these answers, one to each question. */
  sayEach(...answers: readonly (readonly string[])[]): void;
  /** Responds with this status and a body that names the key. */
  refuse(status: number): void;
  close(): Promise<void>;
}

export async function startChatModel(): Promise<ChatModel> {
  const asked: AskedQuestion[] = [];
  let answer: (response: ServerResponse) => void = (response) => response.writeHead(500).end();
  const server = createServer((request, response) => {
    response.on('error', () => {});
    const read = async () => {
      const body = JSON.parse(await text(request)) as { messages: { content: string }[] } & Record<string, unknown>;
      const messages = body.messages.map(({ content }) => content);
      const question = { headers: request.headers, messages, body, isAborted: false };
      asked.push(question);
      response.on('close', () => (question.isAborted = !response.writableFinished));
      answer(response);
    };
    read().catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    asked,
    say: (words, { hold = false } = {}) => (answer = (response) => stream(response, words, hold)),
    sayEach: (...answers) => {
      const left = answers.values();
      answer = (response) => stream(response, left.next().value ?? [], false);
    },
    refuse: (status) => {
      answer = (response) => void response.writeHead(status).end('{"error":{"message":"sk-managed is wrong"}}');
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function stream(response: ServerResponse, words: readonly string[], hold: boolean): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const send = (data: string) => void response.write(`data: ${data}\n\n`);
  for (const content of words) send(JSON.stringify({ choices: [{ delta: { content } }] }));
  if (hold) return;
  send('[DONE]');
  response.end();
}
