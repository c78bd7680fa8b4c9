/** Returns whether the text was copied. `button` is what the user has pressed. */
export async function copyText(text: string, button: HTMLElement): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copySelected(text, button);
  }
}

/** Pages without https have no clipboard, but may copy what is selected. Within a dialog, only its elements can be. */
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
