/** Like `Promise.all`, but it resolves or rejects only once none of the promises is pending. */
export async function allDone<const Tasks extends readonly Promise<unknown>[]>(tasks: Tasks) {
  await Promise.allSettled(tasks);
  return Promise.all(tasks);
}
