/** `part` of `whole`, from 0 to 1; 0 if the whole is nothing. */
export const shareOf = (part: number, whole: number): number => (whole === 0 ? 0 : part / whole);
