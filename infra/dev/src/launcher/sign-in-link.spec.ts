import { describe, expect, it } from '@jest/globals';
import { reportConsole, signInLink, type SignInLink } from './sign-in-link.js';

async function reported(create?: SignInLink) {
  const lines: string[] = [];
  const progress = { step: (line: string) => lines.push(line), warn: (line: string) => lines.push(`warning: ${line}`) };
  const options = { servicesDirectory: '/services', progress, ...(create && { signInLink: create }) };
  await reportConsole(options, 'postgres://db', 'http://127.0.0.1:8080');
  return lines;
}

describe('the link to the console', () => {
  it('is printed, once', async () => {
    const lines = await reported(async (...facts) => `http://link/${facts.join(',')}`);
    expect(lines).toStrictEqual([
      'console (the link works once, within 10 minutes): http://link//services,postgres://db,http://127.0.0.1:8080',
    ]);
    expect(await reported()).toStrictEqual([]);
  });

  it('is a warning with another way, if it cannot be created', async () => {
    const [line] = await reported(() => signInLink('/nowhere', 'postgres://db', 'http://127.0.0.1:8080'));
    expect(line).toMatch(
      /^warning: no sign-in link: .*Sign in at http:\/\/127\.0\.0\.1:8080\/console with an API key\.$/s,
    );
  });
});
