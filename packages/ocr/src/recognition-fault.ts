/** The recognizer has failed on a picture: a trap of WebAssembly, or the end of its memory. */
export class RecognitionFault extends Error {}
