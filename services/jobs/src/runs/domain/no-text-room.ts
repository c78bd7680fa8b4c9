/** Other runs hold the memory that this worker has for large texts. */
export class NoTextRoom extends Error {}
