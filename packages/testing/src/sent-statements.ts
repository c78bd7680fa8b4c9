// The statements that a store would send to its database.

export interface SentStatement {
  name: string;
  text: string;
  values: unknown[];
}

/** The statements that `use` sends to its `Database`. Each is answered with no rows. */
export async function allSentBy(use: (recorder: never) => Promise<unknown>): Promise<SentStatement[]> {
  const sent: SentStatement[] = [];
  const recorder = {
    query: ({ name, text }: Omit<SentStatement, 'values'>, values: unknown[] = []) => {
      sent.push({ name, text, values });
      return Promise.resolve([]);
    },
  };
  await use(recorder as never);
  return sent;
}

/** The first of them. */
export async function sentBy(use: (recorder: never) => Promise<unknown>): Promise<SentStatement> {
  const [first] = await allSentBy(use);
  if (!first) throw new Error('no statement was sent');
  return first;
}
