/** Returns whether the text was copied. `button` is what the user has pressed. */
export async function copyText(text: string, button: HTMLElement): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copySelected(text, button);
  }
}

/** Pages without https have no clipboard, but may copy a selection. An open dialog permits a selection only inside it. */
function copySelected(text: string, button: HTMLElement): boolean {
  const area = document.createElement('textarea');
  area.value = text;
  area.className = 'visually-hidden';
  button.after(area);
  area.focus({ preventScroll: true });
  area.select();
  const isCopied = document.execCommand('copy');
  area.remove();
  button.focus({ preventScroll: true });
  return isCopied;
}
