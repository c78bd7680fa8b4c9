/** `<dl>` has no markdown: it becomes a list of its terms in bold, each with its descriptions nested below. */
export function rewriteDescriptionLists(document: Document): void {
  // Inner lists come later in document order, so reversing rewrites them before the lists that hold them.
  for (const list of Array.from(document.querySelectorAll('dl')).toReversed())
    list.parentNode?.replaceChild(toBulletList(document, list), list);
}

function toBulletList(document: Document, list: Element): Element {
  const bullets = document.createElement('ul');
  let descriptions: Element | null = null;
  for (const entry of Array.from(list.querySelectorAll('dt, dd'))) {
    if (entry.nodeName === 'DT') {
      const item = bullets.appendChild(document.createElement('li'));
      moveChildren(
        entry,
        item.appendChild(document.createElement(entry.querySelectorAll('strong, b').length === 0 ? 'strong' : 'span')),
      );
      descriptions = item.appendChild(document.createElement('ul'));
    } else {
      const target: Element = descriptions ?? bullets;
      const nested =
        entry.children.length === 1 && entry.firstElementChild?.nodeName === 'UL' ? entry.firstElementChild : null;
      if (nested === null) moveChildren(entry, target.appendChild(document.createElement('li')));
      else moveChildren(nested, target);
    }
  }
  for (const empty of Array.from(bullets.querySelectorAll('ul')))
    if (empty.firstChild === null) empty.parentNode?.removeChild(empty);
  return bullets;
}

function moveChildren(from: Element, to: Element): void {
  while (from.firstChild !== null) to.appendChild(from.firstChild);
}
