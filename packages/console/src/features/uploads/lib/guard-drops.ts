/** Prevents the browser from opening a file that a user drops beside the drop zone. Returns a function that ends the guard. */
export function guardDrops(): () => void {
  const refuse = (event: DragEvent) => {
    const { target, dataTransfer } = event;
    const isFileInput = target instanceof HTMLInputElement && target.type === 'file';
    if (event.defaultPrevented || isFileInput || !dataTransfer?.types.includes('Files')) return;
    event.preventDefault();
    dataTransfer.dropEffect = 'none';
  };
  const ended = new AbortController();
  for (const name of ['dragover', 'drop'] as const) document.addEventListener(name, refuse, { signal: ended.signal });
  return () => ended.abort();
}
