// The statements that a store would send to its database.

export interface SentStatement {
  name: string;
  text: string;
  values: unknown[];
}

interface Recorder {
  query<Result>(statement: { name: string; text: string }, values?: unknown[]): Promise<Result[]>;
}

/** The statements that `use` sends. Each is answered with no rows. */
export async function allSentBy(use: (recorder: Recorder) => Promise<unknown>): Promise<SentStatement[]> {
  const sent: SentStatement[] = [];
  await use({
    query: ({ name, text }, values = []) => {
      sent.push({ name, text, values });
      return Promise.resolve([]);
    },
  });
  return sent;
}

/** The first of them. */
export async function sentBy(use: (recorder: Recorder) => Promise<unknown>): Promise<SentStatement> {
  const [first] = await allSentBy(use);
  if (!first) throw new Error('no statement was sent');
  return first;
}
