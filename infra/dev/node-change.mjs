/** What to say if Kiln runs on another Node than the one that has started it. Both are versions. Undefined if they are equal. */
export function nodeChange(started, installed) {
  return started === installed
    ? undefined
    : `this machine has Node ${started}; running on Node ${installed} from node_modules`;
}
