/** The recognizer failed on a picture, by a trap of WebAssembly or at the end of its memory. */
export class RecognitionFault extends Error {}
